/** The log: one JSON object per line on stderr, or readable text on a terminal. */
import { type Logger, pino } from "pino";
import { clockTime, terminalText } from "./terminal-text.ts";
import { asTyped } from "./typed-command.ts";

/** Opens the log at a level. Values are JSON-escaped, so that no client input can forge a line. */
export function openLog(level: string, terminal: boolean): Logger {
  const options = { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime };
  if (!terminal) return pino(options, pino.destination({ dest: 2, sync: true }));
  return pino(options, { write: (line) => void process.stderr.write(asTyped(readableLines(line))) });
}

interface Line {
  readonly level: number;
  readonly time: string;
  readonly msg?: string;
  readonly err?: { readonly stack?: string };
  readonly reason?: unknown;
}

/**
 * A line of the log for people: `12:30:01 warn  What happened: why (name value, …)`, in the machine's time. Lists, such
 * as warnings, follow with a line for each entry.
 */
export function readableLines(text: string): string {
  const {
    level,
    time,
    msg = "",
    err,
    reason,
    pid: _pid,
    event: _event,
    ...rest
  } = JSON.parse(text) as Line & Record<string, unknown>;
  const word = level >= 50 ? "error" : level >= 40 ? "warn " : level >= 30 ? "info " : "debug";
  const details = Object.entries(rest)
    .filter(
      ([name, value]) =>
        !Array.isArray(value) && !msg.includes(value === true ? name : String(value)) && name !== "revision",
    )
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${readable(value)}`);
  const listed = Object.values(rest)
    .filter((value) => Array.isArray(value))
    .flat()
    .map((entry) => `               ${readable(entry)}`);
  const why = reason === undefined ? "" : `: ${readable(reason)}`;
  const shown = details.length === 0 ? "" : ` (${details.join(", ")})`;
  const stack = err?.stack === undefined ? [] : err.stack.split("\n");
  return [`${clockTime(time)} ${word} ${msg}${why}${shown}`, ...listed, ...stack]
    .map(terminalText)
    .join("\n")
    .concat("\n");
}

function readable(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? `${value.slice(0, 10)} ${clockTime(value)}` : value;
}
