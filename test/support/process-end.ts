/**
 * Preloaded by `npm test`: spares the process of a file what costs a fifth of its time, and ends it if something, such as
 * a failed test's server, keeps it running after its tests.
 */
import { createHook } from "node:async_hooks";
import { after, beforeEach } from "node:test";
import { isMainThread } from "node:worker_threads";

/** Time for what closes late, and for the run to read every report. */
const GRACE_MS = 120_000;

type Hook = ReturnType<typeof createHook>;

/** What is enabled by a call. */
function hooksOf(call: () => void): readonly Hook[] {
  const made: Hook[] = [];
  const prototype = Object.getPrototypeOf(createHook({})) as Hook;
  const { enable } = prototype;
  prototype.enable = function (this: Hook) {
    made.push(this);
    return enable.call(this);
  };
  call();
  prototype.enable = enable;
  return made;
}

const [, file = ""] = process.argv;
if (isMainThread && process.env.NODE_TEST_CONTEXT !== undefined && file.endsWith(".test.ts")) {
  const end = () => {
    console.error(`${file} is still running ${GRACE_MS} ms after its tests, and is ended`);
    process.exit(1);
  };
  // Node notes for each promise which test it belongs to. Only files that are being loaded need it, to find the suite of
  // a test; later it would name the test of a fault that nobody awaits, which then counts against the file.
  const hooks = hooksOf(() => after(() => void setTimeout(end, GRACE_MS).unref()));
  beforeEach(() => {
    for (const hook of hooks) hook.disable();
  });
}
