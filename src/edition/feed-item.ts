/** The contents of a feed item, which both feeds share (interface §1, feed items). */
import type { Business } from "../business.ts";
import { noonInZone } from "../calendar-date.ts";
import type { Review } from "../review.ts";
import type { Edit } from "../store/edit-rows.ts";

export const FEED_LENGTH = 50;

export interface FeedItem {
  readonly review: Review;
  readonly url: string;
  readonly title: string;
  /** The words of the review, or a sentence in their place, and the owner's reply. */
  readonly text: string;
  /** Noon of the review's day in the business's time zone (RFC 3339). */
  readonly published: string;
  /** When the review was edited, or noon of the day of the owner's reply, if that is later. */
  readonly modified: string;
  /** Labels of the mentioned services. */
  readonly tags: readonly string[];
}

/** Makes the item of a review that mentions the `services` with these ids. Each edit of it moves `modified`. */
export function feedItem(
  review: Review,
  { services, edit }: { readonly services: readonly string[]; readonly edit: Edit | undefined },
  { business, baseUrl }: { readonly business: Business; readonly baseUrl: string },
): FeedItem {
  const stars = review.rating === 1 ? "1 star" : `${review.rating} stars`;
  const said = review.text ?? `${review.author} gave ${stars} out of 5; no words are published.`;
  const reply = review.owner_reply === null ? "" : `\n\nReply from ${business.name}: ${review.owner_reply.text}`;
  const replied = review.owner_reply?.date ?? review.date;
  const lastDay = noonInZone(replied > review.date ? replied : review.date, business.time_zone);
  return {
    review,
    url: `${baseUrl}/reviews/${review.id}`,
    title: `${stars} from ${review.author}`,
    text: said + reply,
    published: noonInZone(review.date, business.time_zone),
    modified: edit === undefined ? lastDay : editedAt(edit, lastDay),
    tags: business.services.filter(({ id }) => services.includes(id)).map(({ label }) => label),
  };
}

/** The time of an edit. Before `noon`, which stands for an unknown time of day, it is a second after that for each edit. */
function editedAt({ edited_at, times }: Edit, noon: string): string {
  const least = Date.parse(noon) + times * 1000;
  return new Date(Math.max(Date.parse(edited_at), least)).toISOString();
}

/** The title and description of both feeds. */
export function feedHead(business: Business): { title: string; description: string } {
  return {
    title: `Reviews of ${business.name}`,
    description: `The newest verified customer reviews of ${business.name}.`,
  };
}
