/** A question that a person answers on the terminal. */
import { createInterface } from "node:readline";

/** Where somebody is asked and answers. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

export const OWN_TERMINAL: Terminal = { input: process.stdin, output: process.stderr };

/** Whether somebody can be asked: input and messages are a terminal's. */
export function canAsk({ input, output }: Terminal = OWN_TERMINAL): boolean {
  return input.isTTY === true && output.isTTY === true;
}

/** Asks a question to be answered with yes or no; everything but yes is no, an input that ends or Ctrl+C too. */
export async function askToConfirm(question: string, { input, output }: Terminal = OWN_TERMINAL): Promise<boolean> {
  const terminal = createInterface({ input, output, prompt: `${question} [y/N] ` });
  const answer = await new Promise<string>((resolve) => {
    const givenUp = () => {
      output.write("\n"); // the line of the question is not ended
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
