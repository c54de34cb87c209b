/** Figures about mentions that a reader finds in labelled reviews: detection, blame, criticism, stars against words. */
import type { Sentiment } from "../../src/insights-document.ts";
import type { LabelledText } from "../train/labelled-texts.ts";

interface Said {
  readonly id: string;
  readonly sentiment: Sentiment;
}
export type Reader = (review: LabelledText) => readonly Said[];

/** A share with the numbers it is made of. */
export const rate = (part: number, whole: number) =>
  `${whole === 0 ? "–" : (part / whole).toFixed(3)} (${part.toLocaleString("en-US")} of ${whole.toLocaleString("en-US")})`;

/** Prints how well one reader reads one set. A reader whose name begins with "ours" or "model" gets all figures. */
export function figures(name: string, reviews: readonly LabelledText[], reader: Reader): void {
  let [hits, joint, said, labelled] = [0, 0, 0, 0];
  const blame = { right: 0, said: 0, rightInGood: 0, inGood: 0 };
  const complaints = { found: 0, is: 0 };
  const against = { right: 0, all: 0 };
  const criticism = { right: 0, said: 0, is: 0 };
  const flagged = { said: 0, wrongly: 0, all: 0 };
  for (const review of reviews) {
    const rating = review.rating ?? 3;
    const labels = Map.groupBy(
      review.spans.flatMap(({ aspects }) => aspects),
      ({ id }) => id,
    );
    const found = reader(review);
    labelled += labels.size;
    for (const { id, sentiment } of found) {
      const sides = (labels.get(id) ?? []).map((label) => label.sentiment);
      const isRight = sides.includes(sentiment);
      said++;
      if (sides.length > 0) hits++;
      if (isRight) joint++;
      if (sentiment !== "negative") continue;
      blame.said++;
      if (isRight) blame.right++;
      if (rating >= 4) blame.inGood++;
      if (rating >= 4 && isRight) blame.rightInGood++;
    }
    for (const [id, list] of labels) {
      if (list.some(({ sentiment }) => sentiment === "negative")) {
        complaints.is++;
        if (found.some((mention) => mention.id === id && mention.sentiment === "negative")) complaints.found++;
      }
      const side = rating >= 4 ? "negative" : rating <= 2 ? "positive" : undefined;
      if (side === undefined || !list.some(({ sentiment }) => sentiment === side)) continue;
      against.all++;
      if (found.some((mention) => mention.id === id && mention.sentiment === side)) against.right++;
    }
    const isCriticised = found.some(({ sentiment }) => sentiment === "negative");
    if (review.criticism) criticism.is++;
    if (isCriticised) criticism.said++;
    if (isCriticised && review.criticism) criticism.right++;
    if (rating === 5) flagged.all++;
    if (rating === 5 && isCriticised) flagged.said++;
    if (rating === 5 && isCriticised && !review.criticism) flagged.wrongly++;
  }
  console.log(
    `  ${name.padEnd(26)} detection F1 ${((2 * hits) / (said + labelled || 1)).toFixed(3)}   joint F1 ${((2 * joint) / (said + labelled || 1)).toFixed(3)}`,
  );
  if (!/^(ours|model)/.test(name)) return;
  console.log(`    blame right                      ${rate(blame.right, blame.said)}`);
  console.log(`    complaints found                 ${rate(complaints.found, complaints.is)}`);
  console.log(`    blame right in 4–5 stars         ${rate(blame.rightInGood, blame.inGood)}`);
  console.log(`    stars against words, right       ${rate(against.right, against.all)}`);
  console.log(`    "contains criticism" precision   ${rate(criticism.right, criticism.said)}`);
  console.log(`    "contains criticism" recall      ${rate(criticism.right, criticism.is)}`);
  console.log(
    `    five-star reviews flagged        ${rate(flagged.said, flagged.all)}, ${flagged.wrongly} of them wrongly`,
  );
}
