/** Completes prompt arguments, and the id in a review's URI. */
import { foldCase } from "../../edition/case-folding.ts";
import type { Edition } from "../../edition/edition.ts";
import { quote } from "../../issue.ts";
import { isObject, type JsonObject } from "../../lib/json-object.ts";
import { invalidParams, type Outcome } from "../message/json-rpc.ts";
import { choicesOf } from "../tool/mention-answers.ts";
import { PROMPTS } from "./prompts.ts";
import { reviewTemplate } from "./resources.ts";

/** Maximum number of values per response (MCP, completion). */
const MAX_COMPLETIONS = 100;

interface Values {
  readonly values: readonly string[];
  readonly total: number;
}

type Completer = (edition: Edition, start: string) => Values;

const COMPLETERS: Readonly<Record<string, Completer>> = {
  service: (edition, start) => among(start, namesOf(choicesOf(edition, "services"))),
  technician: (edition, start) => among(start, namesOf(choicesOf(edition, "technicians"))),
  concern: ({ insights }, start) => among(start, namesOf(insights.aspects)),
  since: ({ insights }, start) => among(start, insights.temporal.monthly.map(({ month }) => `${month}-01`).reverse()),
  id: (edition, start) => {
    const { ids, total } = edition.idsStartingWith(start.toUpperCase(), MAX_COMPLETIONS);
    return { values: ids, total };
  },
};

/** Completes one argument of a prompt or of the resource template. */
export function complete(edition: Edition, params: JsonObject): Outcome {
  const { ref, argument } = params;
  if (!isObject(ref)) return invalidParams("ref must be an object with type ref/prompt or ref/resource");
  if (!isObject(argument) || typeof argument.name !== "string" || typeof argument.value !== "string")
    return invalidParams("argument must be an object with name and value, both strings");
  const names = argumentNames(edition, ref);
  if (names === undefined)
    return invalidParams(`ref names ${quote(ref.name ?? ref.uri)}, which is no prompt or template here`);
  const completer = names.includes(argument.name) ? COMPLETERS[argument.name] : undefined;
  if (completer === undefined)
    return invalidParams(`There is no argument ${quote(argument.name)} here; there is ${names.join(", ")}`);
  const { values, total } = completer(edition, argument.value.trim());
  const shown = values.slice(0, MAX_COMPLETIONS);
  return { result: JSON.stringify({ completion: { values: shown, total, hasMore: total > shown.length } }) };
}

function argumentNames(edition: Edition, ref: JsonObject): string[] | undefined {
  if (ref.type === "ref/resource") return ref.uri === reviewTemplate(edition) ? ["id"] : undefined;
  if (ref.type !== "ref/prompt") return undefined;
  return PROMPTS.find(({ name }) => name === ref.name)?.arguments.map(({ name }) => name);
}

/** Names that start with `start`, followed by names that contain it at the start of a later word. */
function among(start: string, all: readonly string[]): Values {
  const sought = foldCase(start);
  const first = all.filter((name) => foldCase(name).startsWith(sought));
  const later = all.filter((name) => !first.includes(name) && foldCase(name).includes(` ${sought}`));
  const values = sought === "" ? all : [...first, ...later];
  return { values, total: values.length };
}

function namesOf(choices: readonly { readonly id: string; readonly label: string }[]): string[] {
  return [...new Set(choices.flatMap(({ id, label }) => [label, id]))];
}
