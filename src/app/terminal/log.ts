/** The log: one JSON object per line on stderr, or readable text on a terminal. */
import { type Logger, pino } from "pino";
import { errorCode } from "../../lib/own-words.ts";
import { clockTime, terminalText } from "./terminal-text.ts";
import { asTyped } from "./typed-command.ts";

/** Opens the log at a level. Values are JSON-escaped, so that no client input can forge a line. */
export function openLog(level: string, terminal: boolean): Logger {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { log: shortened },
    serializers: { err: loggedError },
  };
  if (!terminal) {
    const lines = pino.destination({ dest: 2, sync: true, maxLength: MAX_UNWRITTEN });
    lines.on("error", () => {}); // a full disk under the log ends nothing: what can be written later is
    return pino(options, { write: (line) => void lines.write(escaped(line)) });
  }
  return pino(options, { write: (line) => void process.stderr.write(asTyped(readableLines(line))) });
}

/** The JSON with characters escaped that JSON allows and a terminal obeys, such as those that turn the writing direction. */
function escaped(line: string): string {
  return line.replace(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const OBEYED = /[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Characters of lines that are kept while none can be written. */
const MAX_UNWRITTEN = 1_000_000;
const MAX_TEXT_LENGTH = 1_000;
const MAX_LISTED = 100;
const MAX_CAUSES = 5;

/** The fields with their long texts cut. */
function shortened(fields: Record<string, unknown>): Record<string, unknown> {
  const cut = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.slice(0, MAX_LISTED).map(cut);
    return typeof value === "string" && value.length > MAX_TEXT_LENGTH ? `${value.slice(0, MAX_TEXT_LENGTH)}…` : value;
  };
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, cut(value)]));
}

/**
 * An error with its causes. Left out is what may quote an input: the message of JSON.parse(), and the properties that
 * drivers and Node add, such as a row of the database or an address.
 */
export function loggedError(error: unknown): object {
  const causes: Error[] = [];
  for (let at = error; at instanceof Error && causes.length < MAX_CAUSES; at = at.cause) causes.push(at);
  const [first] = causes;
  if (first === undefined) return { message: typeof error, stack: "" };
  const code = errorCode(first);
  const stack = causes.map((cause) => [`${cause.name}: ${messageOf(cause)}`, ...framesOf(cause)].join("\n"));
  return {
    type: first.name,
    ...(code === undefined ? {} : { code }),
    message: causes.map(messageOf).join(": "),
    stack: stack.join("\ncaused by: "),
  };
}

function messageOf(error: Error): string {
  return error instanceof SyntaxError ? "text that cannot be parsed" : error.message.slice(0, MAX_TEXT_LENGTH);
}

/** The lines of a stack after the message, in which a line may look like one of them. */
function framesOf({ message, stack = "" }: Error): string[] {
  const start = stack.indexOf(message);
  if (start === -1) return [];
  const lines = stack.slice(start + message.length).split("\n");
  return lines.filter((line) => line.startsWith("    at "));
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
