/**
 * Sentences about hotels and restaurants in other languages, labelled by category (M-ABSA, in `../shared/data/m-absa`).
 * A machine translated them from English, so they teach words, and nothing of how customers write.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Sentiment } from "../../src/insights-document.ts";
import { REAL_TEXTS } from "../labels/labels.ts";
import { FOLDS, type LabelledText } from "./labelled-texts.ts";

const FOLDER = join(REAL_TEXTS, "..", "m-absa");
/** A sentence's category ("food quality") and the aspect of any trade under which it falls; the first that fits. */
const ASPECTS: readonly (readonly [RegExp, string])[] = [
  [/^(food|drinks) (quality|style)/, "food"],
  [/ prices$/, "value"],
  [/ cleanliness$/, "cleanliness"],
  [/^service/, "staff"],
  [/^(ambience|location|rooms|facilities)|^hotel (comfort|design)/, "place"],
];
/** What the categories say nothing about. */
const UNREAD = ["quality", "speed", "communication"];
/** Service that is judged by its pace is two aspects to us and one to them. */
const PACE = /snel|vlot|traag|langzaam|wacht|minu|rápid|lent|esper|tard|attend|attente|rapid|heure|hora\b|\buur/i;
const TRIPLET = /\[(?:'((?:[^'\\]|\\.)*)'|"([^"]*)"), '([^']*)', '([^']*)'\]/g;

/** The sentences of a language; those of `dev` have the stars that their labels suggest, those of `train` none. */
export function translatedSentences(tag: string, part: "train" | "dev"): LabelledText[] {
  return ["hotel", "restaurant"].flatMap((trade) => {
    const file = join(FOLDER, `${trade}-${tag}-${part}.txt`);
    if (!existsSync(file)) return [];
    const rows = readFileSync(file, "utf8").trim().split("\n");
    return rows.flatMap((row, at) => {
      const [text = "", triplets = ""] = row.split("####");
      const said = [...triplets.matchAll(TRIPLET)].map(([, single, double, category = "", polarity]) => ({
        term: single ?? double ?? "",
        id: ASPECTS.find(([pattern]) => pattern.test(category))?.[1],
        sentiment: polarity as Sentiment,
      }));
      if (said.length === 0 || (part === "train" && PACE.test(text) && said.some(({ id }) => id === "staff")))
        return [];
      const spans = said.flatMap(({ term, id, sentiment }) => {
        if (id === undefined) return [];
        const from = text.indexOf(term);
        const place = from < 0 ? { from: 0, to: text.length } : { from, to: from + term.length };
        return [{ ...place, aspects: [{ id, sentiment }] }];
      });
      const stars = part === "dev" ? { rating: starsOf(said), criticism: spans.some(isBlame) } : {};
      return [{ origin: `m-absa/${trade}`, text, ...stars, spans, isOpen: false, unread: UNREAD, fold: at % FOLDS }];
    });
  });
}

function isBlame({ aspects }: LabelledText["spans"][number]): boolean {
  return aspects.some(({ sentiment }) => sentiment === "negative");
}

function starsOf(said: readonly { readonly sentiment: Sentiment }[]): number {
  const count = (side: Sentiment) => said.filter(({ sentiment }) => sentiment === side).length;
  const [praise, blame] = [count("positive"), count("negative")];
  if (praise === blame) return 3;
  if (blame === 0) return 5;
  return praise === 0 ? 1 : praise > blame ? 4 : 2;
}
