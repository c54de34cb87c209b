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
