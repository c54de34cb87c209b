/** Has another process read a backup, and hands on what it answers. */
import { fork } from "node:child_process";
import { on } from "node:events";
import { entryFile } from "../../lib/entry-file.ts";
import type { BackupPart } from "./backup-parts.ts";

/** Which backup is to be read, and how long a part of it may take. */
export interface BackupOrder {
  readonly file: string;
  readonly seconds: number;
}

/** A part, undefined after the last one; or why there is none: SQLite's code, or 0, and words. */
export type BackupAnswer =
  | { readonly part: BackupPart | undefined }
  | { readonly fault: { readonly message: string; readonly errcode: number } };

export const DAMAGED = "it is damaged; take an older backup";
const MAX_HEAP_MB = 200;
/** How long the process may take until it reads. */
const START_SECONDS = 30;

/**
 * The parts of a backup, read by another process that ends when one of them takes longer than so many seconds.
 * @throws Error as `backupParts` does, or when SQLite did not come to an end with it.
 */
export async function* partsByProcess(file: string, seconds: number): AsyncGenerator<BackupPart> {
  const child = fork(entryFile("backup-process", import.meta.url), {
    execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const ended = () => {}; // of a process that has ended, the exit tells
  let timer: NodeJS.Timeout | undefined;
  /** It ends itself when it takes too long, unless somebody has stopped it. */
  const waitFor = (limit: number) => {
    timer = setTimeout(() => child.kill("SIGKILL"), limit * 1_000);
  };
  try {
    const answers = on(child, "message", { close: ["exit"] }) as AsyncIterable<[BackupAnswer]>;
    child.send({ file, seconds } satisfies BackupOrder, ended);
    waitFor(START_SECONDS + seconds);
    for await (const [answer] of answers) {
      clearTimeout(timer);
      if ("fault" in answer) throw Object.assign(new Error(answer.fault.message), { errcode: answer.fault.errcode });
      if (answer.part === undefined) return;
      const areRows = "table" in answer.part;
      if (areRows) child.send("next", ended); // which it reads while these are written
      yield answer.part;
      if (!areRows) child.send("next", ended);
      waitFor(2 * seconds);
    }
  } finally {
    clearTimeout(timer);
    child.kill("SIGKILL");
  }
  throw new Error(
    child.signalCode === "SIGKILL"
      ? `it was not read to its end within ${seconds} seconds: it is damaged, or its disk is slow`
      : DAMAGED,
  );
}

export function faultOf(error: unknown): { readonly message: string; readonly errcode: number } {
  const { message, errcode = 0 } = error as Error & { readonly errcode?: number };
  return { message, errcode };
}
