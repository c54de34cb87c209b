/** The ids of published reviews, as an owner gives them. */
import { verifiedSourcesOf } from "../business.ts";
import { Invalid, type Issue, quote } from "../issue.ts";
import { identityPart, type Review, reviewIdSchema } from "../review.ts";
import { removalsOf } from "../store/history/removal-rows.ts";
import { publishedAmong, publishedReviews } from "../store/review-rows.ts";
import { readBusiness } from "../store/store.ts";
import type { Database } from "../store/tables.ts";

/** An id, or the address of a review's page. */
export function reviewIdOf(text: string): string {
  return (text.trim().replace(/\/+$/, "").split("/").at(-1) ?? "").toUpperCase();
}

/** The published reviews with these ids or addresses. @throws Invalid naming every other one and how to find its id. */
export async function requirePublished(transaction: Database, given: readonly string[]): Promise<readonly Review[]> {
  const sources = verifiedSourcesOf(await readBusiness(transaction));
  const ids = given.map(reviewIdOf).filter((id) => reviewIdSchema.safeParse(id).success);
  const found = await publishedAmong(transaction, sources, ids);
  const published = new Map(found.map((review) => [review.id, review]));
  const isName = (id: string) => !/^[0-9A-Z]+$/.test(id) || !/\d/.test(id);
  const all = given.map(reviewIdOf).some(isName) ? await publishedReviews(transaction, sources) : [];
  const missing = [...new Set(given)].filter((text) => !published.has(reviewIdOf(text)));
  const removals = await removalsOf(transaction, missing.map(reviewIdOf));
  const issues = missing.map((text) => {
    const id = reviewIdOf(text);
    if (isName(id)) return nameFault(text.trim(), all);
    const removal = removals.find((each) => each.what === "review" && identityPart(each.id) === identityPart(id));
    return reviewFault(
      id,
      removal === undefined ? `is not published (${WHERE_IDS_ARE})` : `was removed on ${removal.at.slice(0, 10)}`,
    );
  });
  if (issues.length > 0) throw new Invalid(issues);
  return given.flatMap((text) => published.get(reviewIdOf(text)) ?? []);
}

const WHERE_IDS_ARE = "its id is the last part of its page's address, /reviews/ID";
const MAX_NAMESAKES = 10;

/** The issue with a text that is no id; lists the published reviews whose authors it names. */
function nameFault(text: string, reviews: readonly Review[]): Issue {
  const name = text.toLowerCase();
  const namesakes = name === "" ? [] : reviews.filter(({ author }) => author.toLowerCase().includes(name));
  const named = namesakes.slice(0, MAX_NAMESAKES).map(describeReview).join("; ");
  const more = namesakes.length > MAX_NAMESAKES ? ` and ${namesakes.length - MAX_NAMESAKES} more` : "";
  const advice =
    namesakes.length === 0
      ? `and no published review has an author of that name. Look the review up on your pages: ${WHERE_IDS_ARE}`
      : `but published reviews have an author of that name. Give the id of the one you mean: ${named}${more}`;
  return {
    code: "id",
    path: ["id"],
    message: `${quote(text)} is not the id of a review, ${advice}. Nothing was changed.`,
  };
}

function describeReview({ id, author, date, rating, text }: Review): string {
  const words = text === null ? "no words" : quote(text);
  return `${id} (${author}, ${date}, ${rating} ${rating === 1 ? "star" : "stars"}, ${words})`;
}

export function reviewFault(id: string, why: string): Issue {
  return { code: "id", path: ["id"], message: `The review ${quote(id)} ${why}. Nothing was changed.` };
}
