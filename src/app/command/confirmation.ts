/** A question that a person answers on the terminal. */
import { createInterface } from "node:readline/promises";

/** Whether somebody can be asked: input and messages are a terminal's. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks a question to be answered with yes or no; everything but yes is no. */
export async function askToConfirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
