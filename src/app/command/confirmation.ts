/** Asks for confirmation on the terminal. */
import { createInterface } from "node:readline";
import { Invalid } from "../../issue.ts";
import { terminalText } from "../terminal/terminal-text.ts";

/** The streams for the question and the answer. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

export const OWN_TERMINAL: Terminal = { input: process.stdin, output: process.stderr };

/** Thrown when a person answers no. It ends the command, but it is no error. */
export class Declined extends Error {
  override readonly name = "Declined";
}

/** Whether a person can answer: both streams are terminals. */
export function canAsk({ input, output }: Terminal = OWN_TERMINAL): boolean {
  return input.isTTY === true && output.isTTY === true;
}

/** Asks a yes-or-no question. Everything but yes means no, including end of input and Ctrl+C. */
export async function askToConfirm(question: string, { input, output }: Terminal = OWN_TERMINAL): Promise<boolean> {
  const terminal = createInterface({ input, output, prompt: `${question} [y/N] ` });
  const answer = await new Promise<string>((resolve) => {
    const givenUp = () => {
      output.write("\n"); // ends the question's line
      resolve("");
    };
    terminal.once("close", givenUp);
    terminal.once("line", (line) => {
      terminal.off("close", givenUp);
      resolve(line);
    });
    terminal.prompt();
  });
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

/**
 * Asks before an action, and shows `details` of it, a line each.
 * @throws Declined, Invalid or Error unless `isConfirmed`, or the person at the terminal confirms the action.
 */
export async function requireYes(
  isConfirmed: boolean,
  what: string,
  { details = [], terminal = OWN_TERMINAL }: { details?: readonly string[]; terminal?: Terminal } = {},
): Promise<void> {
  if (isConfirmed) return;
  const lines = [what, ...details.map((detail) => `  ${detail}`)];
  if (!canAsk(terminal)) {
    if (details.length === 0) throw new Error(`${what} ${UNCONFIRMED}`);
    throw new Invalid([...lines, UNCONFIRMED].map((message) => ({ code: "unconfirmed", path: [], message })));
  }
  for (const line of lines) terminal.output.write(`${terminalText(line)}\n`);
  if (!(await askToConfirm("Go on?", terminal))) throw new Declined("Nothing was changed.");
}

const UNCONFIRMED = "Nothing was changed: confirm it with --yes.";
