/** The log: one JSON object per line on stderr, or readable text on a terminal. */
import { type Logger, pino } from "pino";

/** Opens the log at a level. Values are JSON-escaped, so that no client input can forge a line. */
export function openLog(level: string, terminal: boolean): Logger {
  const options = { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime };
  return terminal ? pino(options, { write: writeReadable }) : pino(options, pino.destination({ dest: 2, sync: true }));
}

interface Line {
  readonly level: number;
  readonly time: string;
  readonly msg?: string;
  readonly err?: { readonly stack?: string };
}

function writeReadable(text: string): void {
  const { level, time, msg = "", err, pid: _pid, ...rest } = JSON.parse(text) as Line & Record<string, unknown>;
  const word = level >= 50 ? "error" : level >= 40 ? "warn " : level >= 30 ? "info " : "debug";
  const details = Object.entries(rest).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  const stack = err?.stack === undefined ? "" : `\n${err.stack}`;
  process.stderr.write(`${time.slice(11, 19)} ${word} ${msg}${details.join("")}${stack}\n`);
}
