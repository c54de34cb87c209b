/** What a document of JSON says in words beside its reviews, such as a legend of its states. It may change what they mean. */
import { quote } from "../../../issue.ts";
import { isObject, type JsonObject } from "../../../lib/json-object.ts";

const MAX_NOTES = 3;
const MAX_QUOTED = 100;

/** A sentence on the notes and legends in the objects around a list of reviews; undefined without one. */
export function wordsBeside(objects: readonly JsonObject[]): string | undefined {
  const notes = objects.flatMap((object) =>
    Object.entries(object).flatMap(([name, value]) => {
      const words = isObject(value) ? legendOf(value) : value;
      const isNote = typeof words === "string" && (OF_NOTES.test(name) ? /\S\s+\S/ : LEGEND).test(words.slice(0, 1000));
      return isNote ? [`${quote(name)} (${quote(words.slice(0, MAX_QUOTED))})`] : [];
    }),
  );
  const first = notes.slice(0, MAX_NOTES).join(", ");
  return notes.length === 0
    ? undefined
    : `beside the reviews, ${first} ${notes.length === 1 ? "is" : "are"} passed over`;
}

/**
 * A sentence on a scale of other than five stars that something around the reviews speaks of: a question, a field's
 * definition, a distribution; undefined without one. `records`: the reviews themselves, which are not searched.
 */
export function scaleBeside(objects: readonly JsonObject[], records: ReadonlySet<unknown>): string | undefined {
  const waiting = objects.map((object) => ({ path: "", value: object as unknown, depth: 0 }));
  for (let seen = 0; seen < MAX_SEEN; seen += 1) {
    const one = waiting.shift();
    if (one === undefined) break;
    const { path, value, depth } = one;
    if (typeof value !== "object" || value === null || records.has(value) || depth > MAX_DEPTH) continue;
    const entries = firstEntries(value);
    const levels = entries.every(([key, count]) => /^\d{1,2}$/.test(key) && typeof count === "number");
    const highest = Math.max(0, ...entries.map(([key]) => Number(key)));
    if (!Array.isArray(value) && levels && entries.length > 1 && HIGHEST.has(highest)) return told(path, highest);
    for (const [key, member] of entries) {
      const at = Array.isArray(value) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
      if (OF_PAGES.test(key)) continue;
      const isHighest = OF_HIGHEST.test(key) && HIGHEST.has(Number(member));
      const spoken = typeof member === "string" && SCALE.exec(member.slice(0, MAX_SCALE));
      if (isHighest) return told(at, Number(member));
      if (spoken) return told(at, member);
      waiting.push({ path: at, value: member, depth: depth + 1 });
    }
  }
  return undefined;
}

/** Of a long list, or of an object that holds its records by their ids, the others are not even named. */
function firstEntries(value: object): (readonly [string, unknown])[] {
  if (Array.isArray(value)) return Object.entries(value.slice(0, MAX_ENTRIES));
  const entries: [string, unknown][] = [];
  for (const key in value) {
    if (entries.push([key, (value as JsonObject)[key]]) === MAX_ENTRIES) break;
  }
  return entries;
}

function told(path: string, value: unknown): string {
  const quoted = typeof value === "string" ? quote(value.slice(0, MAX_QUOTED)) : String(value);
  return `beside the reviews, ${quote(path)} (${quoted}) speaks of another scale than five stars: if the ratings are on it, they are no stars, and are not to be imported so`;
}

const [MAX_SEEN, MAX_DEPTH, MAX_ENTRIES, MAX_SCALE] = [2_000, 5, 50, 300];
/** What ratings count to, but for five. */
const HIGHEST: ReadonlySet<number> = new Set([6, 7, 10, 20, 100]);
const OF_PAGES = /^(?:pag(?:e|es|ing|ination|er)|query|request|params?|parameters|limits?|search\w*|links?)$/i;
const OF_HIGHEST =
  /^(?:max(?:imum)?|steps|highest|upper(?:_?(?:bound|limit))?|(?:max|best)_?(?:value|rating|score)?|end)$/i;
const SCALE =
  /(?<!\d)[01]\s?(?:to|bis|à|a|al|até|tot|do|till|–|-|\.\.)\s?10(?!\d|[.,:/-]\d)|\b(?:out of|von|sur|su|de|van|av|af)\s10\b(?![.,:/-]\d)|(?<![\d/])\/\s?10(?![\d/.:-])/iu;

/** `{ "1": "approved", "2": "hidden" }` in one line. */
function legendOf(value: JsonObject): string | undefined {
  const entries = Object.entries(value);
  const isLegend =
    entries.length > 1 && entries.every(([key, one]) => /^-?\w{1,2}$/.test(key) && typeof one === "string");
  return isLegend ? entries.map(([key, one]) => `${key} = ${String(one)}`).join(", ") : undefined;
}

/** `1 = approved` */
const LEGEND = /(?:^|[\s,;:(])(?:-?\d{1,2}|[A-Z])\s?(?:=|→|->)\s?["']?\p{L}/u;
const OF_NOTES =
  /^_?(?:notes?|comments?|remarks?|legend|legende|légende|leyenda|legenda|readme|hints?|explanations?|help|disclaimer|hinweise?|bemerkung(?:en)?|anmerkung(?:en)?|erläuterung(?:en)?|remarques?|notas?|aviso|avvertenz[ae]|opmerking(?:en)?|caveats?|warnings?)$/i;
