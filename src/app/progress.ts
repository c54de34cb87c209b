/** Progress of a long import: one line, redrawn, on a terminal; nothing where there is none. */
import type { Progress } from "../import/importer.ts";

export interface ProgressLine {
  readonly show: (progress: Progress) => void;
  close(): void;
}

const REDRAW_MILLISECONDS = 100;

/** Draws progress on `stream` at most ten times a second, and wipes the line at the end. */
export function openProgress(stream: NodeJS.WriteStream): ProgressLine {
  if (!stream.isTTY) return { show: () => {}, close: () => {} };
  let drawnAt = 0;
  return {
    show: (progress) => {
      const time = performance.now();
      if (time - drawnAt < REDRAW_MILLISECONDS) return;
      drawnAt = time;
      stream.write(`\r\x1b[K${wordsOf(progress)}`);
    },
    close: () => {
      if (drawnAt > 0) stream.write("\r\x1b[K");
      drawnAt = 0;
    },
  };
}

function wordsOf({ phase, file, read, written }: Progress): string {
  const count = (phase === "reading" ? read : written).toLocaleString("en");
  if (phase === "analysing") return `${count} texts analysed`;
  if (phase === "writing") return `${count} reviews compared with the store`;
  return `${count} reviews read, in ${printable(file ?? "").slice(-60)}`;
}

function printable(text: string): string {
  return text.replace(/[\0-\x1f\x7f-\x9f]/g, "?");
}
