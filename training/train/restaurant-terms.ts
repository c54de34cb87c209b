/**
 * Sentences of restaurant reviews that others labelled term by term (MAMS, Apache-2.0, in `../shared/data/mams`): what
 * is praised, what is blamed, and what is only named. They teach what a fact without a verdict looks like.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Sentiment } from "../../src/insights-document.ts";
import { REAL_TEXTS, readLines } from "../labels/labels.ts";
import { FOLDS, type LabelledText } from "./labelled-texts.ts";

const FILE = join(REAL_TEXTS, "..", "mams", "mams-atsa-train.jsonl");

/** The aspect of which a term speaks, by the term's last word; a sentence that judges any other term is left out. */
const ASPECT_OF_WORD = new Map(
  Object.entries({
    food: `food menu menus dinner drinks drink meal meals lunch brunch breakfast appetizers appetizer dessert desserts wine wines
      dishes dish entrees entree steak pizza sushi bread coffee flavor flavors flavour specials special fish chicken meat salad salads beer
      cheese sauce sauces rice pasta ingredients salmon sides burgers burger fries crust taste soup portions portion sandwiches sandwich seafood
      ribs rolls sangria cuisine tapas list selection cocktails cocktail martini martinis lobster shrimp pork beef lamb duck noodles
      dumplings potatoes vegetables curry cake tea margaritas bacon eggs pancakes oysters tuna crab wings veal cream`,
    staff: `waiter waitress waiters waitresses staff server servers hostess host manager managers bartender bartenders waitstaff owner owners
      management attitude busboy service`,
    value: "price prices bill value cost priced costs",
    speed: "wait waiting",
    place: `atmosphere decor ambience ambiance scene space seating music room setting interior noise lighting garden patio
      table tables seats view`,
  }).flatMap(([aspect, words]) => words.split(/\s+/).map((word) => [word, aspect] as const)),
);
/** What the terms of a restaurant say nothing about. */
const UNREAD = ["quality", "speed", "cleanliness", "communication"];
/** Service that is judged by its pace is two aspects to us and one to them. */
const PACE = /\b(slow|slowly|fast|quick|quickly|prompt|promptly|minutes?|hours?|wait(ed|ing)?|forever)\b/i;

interface Term {
  readonly text: string;
  readonly term: string;
  readonly from: number;
  readonly to: number;
  readonly polarity: Sentiment;
}

/** The sentences of which every judged term has one of our aspects. */
export function restaurantTerms(): LabelledText[] {
  const sentences = Map.groupBy(readLines<Term>(FILE), ({ text }) => text);
  return [...sentences].flatMap(([text, terms]) => {
    const judged = terms.filter(({ polarity }) => polarity !== "neutral");
    if (judged.some((term) => aspectOf(term) === undefined)) return [];
    if (PACE.test(text) && judged.some(({ term }) => /service|wait/i.test(term))) return [];
    const spans = judged.map((term) => {
      const aspect = { id: aspectOf(term) ?? "", sentiment: term.polarity };
      return { from: term.from, to: term.to, aspects: [aspect] };
    });
    const fold = createHash("sha256").update(text).digest().readUInt8(1) % FOLDS;
    return [{ origin: "mams", text, spans, isOpen: false, unread: UNREAD, fold }];
  });
}

function aspectOf({ term }: Term): string | undefined {
  return ASPECT_OF_WORD.get(
    term
      .toLowerCase()
      .split(/[\s-]+/)
      .at(-1) ?? "",
  );
}
