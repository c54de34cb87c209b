/**
 * Thins the lines about refused requests: within a minute some for each client and some for all. What is left out is
 * counted, and said when the minute ends.
 */

const MINUTE_MS = 60_000;
const LINES_PER_CLIENT = 10;
const LINES_IN_ALL = 100;

export interface RefusalLog {
  /** Writes a line about a client's request, unless there have been enough of them in this minute. */
  add(client: string, write: () => void): void;
  /** Ends the minute at once. */
  end(): void;
}

interface RefusalLogOptions {
  readonly linesPerClient?: number;
  /** Runs the end of a minute. */
  readonly after?: (milliseconds: number, work: () => void) => void;
}

/** `sayLeftOut` is told how many lines a minute lacked. */
export function openRefusalLog(
  sayLeftOut: (count: number) => void,
  { linesPerClient = LINES_PER_CLIENT, after = laterOn }: RefusalLogOptions = {},
): RefusalLog {
  const linesOf = new Map<string, number>();
  let written = 0;
  let leftOut = 0;
  let minute = 0;

  function end(): void {
    minute += 1;
    linesOf.clear();
    if (leftOut > 0) sayLeftOut(leftOut);
    [written, leftOut] = [0, 0];
  }

  return {
    add(client, write) {
      if (written + leftOut === 0) {
        const begun = minute;
        after(MINUTE_MS, () => void (begun === minute && end()));
      }
      const before = linesOf.get(client) ?? 0;
      if (before >= linesPerClient || written >= LINES_IN_ALL) {
        leftOut += 1;
        return;
      }
      linesOf.set(client, before + 1);
      written += 1;
      write();
    },
    end,
  };
}

function laterOn(milliseconds: number, work: () => void): void {
  setTimeout(work, milliseconds).unref();
}
