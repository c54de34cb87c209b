/** Ctrl+C during an import: a message that it was stopped and that nothing is left half done. */
import { asTyped } from "./typed-command.ts";

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;
const MESSAGE =
  "Stopped before the end. An import is written as a whole or not at all: goodword history shows whether it was. Run it again to complete it.";

/** Exits with the message on the first stop signal, until disposed of. A second signal ends the program at once. */
export function explainInterruption(): Disposable {
  const listeners = Object.entries(SIGNALS).map(([signal, code]) => {
    const listener = () => {
      process.stderr.write(asTyped(`\n${MESSAGE}\n`));
      process.exit(code);
    };
    process.once(signal, listener);
    return { signal, listener };
  });
  return {
    [Symbol.dispose]: () => {
      for (const { signal, listener } of listeners) process.off(signal, listener);
    },
  };
}
