/** Completes arguments of prompts, and the id in the address of a review. */
import { calendarDateFault } from "../../calendar-date.ts";
import { foldCase } from "../../edition/case-folding.ts";
import type { Edition } from "../../edition/edition.ts";
import { quote } from "../../issue.ts";
import type { Review } from "../../review.ts";
import { isObject, type Json } from "../message/json-object.ts";
import { invalidParams, type Outcome } from "../message/json-rpc.ts";
import { choicesOf } from "../tool/mention-answers.ts";
import { PROMPTS } from "./prompts.ts";
import { reviewTemplate } from "./resources.ts";

/** Most values in one answer (MCP, completion). */
const MOST = 100;

interface Values {
  readonly values: readonly string[];
  readonly total: number;
}

type Completer = (edition: Edition, begun: string) => Values;

const COMPLETERS: Readonly<Record<string, Completer>> = {
  service: (edition, begun) => among(begun, names(choicesOf(edition, "services"))),
  technician: (edition, begun) => among(begun, names(choicesOf(edition, "technicians"))),
  concern: ({ insights }, begun) => among(begun, names(insights.aspects)),
  since: ({ insights }, begun) => among(begun, insights.temporal.monthly.map(({ month }) => `${month}-01`).reverse()),
  id: completeId,
};

/** Completes one argument of a prompt or of the template. */
export function complete(edition: Edition, params: Json): Outcome {
  const { ref, argument } = params;
  if (!isObject(ref)) return invalidParams("ref must be an object with type ref/prompt or ref/resource");
  if (!isObject(argument) || typeof argument.name !== "string" || typeof argument.value !== "string")
    return invalidParams("argument must be an object with name and value, both strings");
  const known = argumentNames(edition, ref);
  if (known === undefined)
    return invalidParams(`ref names ${quote(ref.name ?? ref.uri)}, which is no prompt or template here`);
  const completer = known.includes(argument.name) ? COMPLETERS[argument.name] : undefined;
  if (completer === undefined)
    return invalidParams(`There is no argument ${quote(argument.name)} here; there is ${known.join(", ")}`);
  const { values, total } = completer(edition, argument.value.trim());
  const shown = values.slice(0, MOST);
  return { result: JSON.stringify({ completion: { values: shown, total, hasMore: total > shown.length } }) };
}

function argumentNames(edition: Edition, ref: Json): string[] | undefined {
  if (ref.type === "ref/resource") return ref.uri === reviewTemplate(edition) ? ["id"] : undefined;
  if (ref.type !== "ref/prompt") return undefined;
  return PROMPTS.find(({ name }) => name === ref.name)?.arguments.map(({ name }) => name);
}

/** Names that start with `begun`, then those in which a later word does. */
function among(begun: string, all: readonly string[]): Values {
  const sought = foldCase(begun);
  const first = all.filter((name) => foldCase(name).startsWith(sought));
  const later = all.filter((name) => !first.includes(name) && foldCase(name).includes(` ${sought}`));
  const values = sought === "" ? all : [...first, ...later];
  return { values, total: values.length };
}

function names(choices: readonly { readonly id: string; readonly label: string }[]): string[] {
  return [...new Set(choices.flatMap(({ id, label }) => [label, id]))];
}

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_DIGITS = 10;

/**
 * Ids that begin so, newest first. The first ten digits of an id are the time of its date, so the beginning of an id
 * is a span of dates, and that is a search.
 */
function completeId(edition: Edition, begun: string): Values {
  const prefix = begun.toUpperCase();
  const time = prefix.slice(0, TIME_DIGITS);
  const since = dayOf(time.padEnd(TIME_DIGITS, "0"), Math.ceil);
  const until = dayOf(time.padEnd(TIME_DIGITS, "Z"), Math.floor);
  if (since === undefined || until === undefined || since > until) return { values: [], total: 0 };
  const { body } = edition.search({ since, until, limit: MOST });
  const found = JSON.parse(Buffer.from(body).toString("utf8")) as { matched: number; reviews: Review[] };
  const values = found.reviews.map(({ id }) => id).filter((id) => id.startsWith(prefix));
  return { values, total: prefix.length > TIME_DIGITS ? values.length : found.matched };
}

const DAY = 24 * 60 * 60 * 1000;

/** The day at the time that ten digits of an id say, or undefined when they are none. Years beyond 9999 are cut. */
function dayOf(digits: string, round: (days: number) => number): string | undefined {
  let time = 0;
  for (const digit of digits) {
    const value = DIGITS.indexOf(digit);
    if (value < 0) return undefined;
    time = time * 32 + value;
  }
  const days = Math.min(round(time / DAY), Date.parse("9999-12-31T00:00:00Z") / DAY);
  const day = new Date(days * DAY).toISOString().slice(0, 10);
  return calendarDateFault(day) === undefined ? day : undefined;
}
