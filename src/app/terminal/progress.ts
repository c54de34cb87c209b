/** Progress of a long import: one line that is redrawn on a terminal; nothing elsewhere. */
import type { AnalystProgress } from "../../analysis/model-analyst.ts";
import type { Progress } from "../../import/importer.ts";
import { terminalText } from "./terminal-text.ts";

export interface ProgressLine {
  readonly show: (progress: Progress | AnalystProgress) => void;
  close(): void;
}

const REDRAW_INTERVAL_MS = 100;

/** Draws progress on `stream` at most ten times a second, and clears the line at the end. */
export function openProgress(stream: NodeJS.WriteStream): ProgressLine {
  if (!stream.isTTY) return { show: () => {}, close: () => {} };
  let drawnAt = 0;
  return {
    show: (progress) => {
      const time = performance.now();
      if (time - drawnAt < REDRAW_INTERVAL_MS) return;
      drawnAt = time;
      stream.write(`\r\x1b[K${wordsOf(progress)}`);
    },
    close: () => {
      if (drawnAt > 0) stream.write("\r\x1b[K");
      drawnAt = 0;
    },
  };
}

function wordsOf(progress: Progress | AnalystProgress): string {
  const shown = (count: number) => count.toLocaleString("en");
  if ("model" in progress) {
    const { model, analysed, texts } = progress;
    return `${shown(analysed)} of ${shown(texts)} texts read by ${terminalText(model)}`;
  }
  const { phase, file, read, written } = progress;
  if (phase === "analysing") return `${shown(written)} texts analysed`;
  if (phase === "writing") return `${shown(written)} reviews compared with the store`;
  return `${shown(read)} reviews read, in ${terminalText(file ?? "").slice(-60)}`;
}
