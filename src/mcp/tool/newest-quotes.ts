/** The quotes of get_aspect_sentiment: what the newest reviews say of an aspect, both kinds where there are both. */
import { z } from "zod";
import { calendarDate } from "../../calendar-date.ts";
import type { Edition } from "../../edition/edition.ts";
import { SENTIMENTS, type Sentiment } from "../../insights-document.ts";

const MAX_QUOTES = 10;

const quoteSchema = z.object({
  review_id: z.string(),
  url: z.url(),
  date: calendarDate,
  rating: z.int().min(1).max(5),
  sentiment: z.enum(SENTIMENTS),
  quote: z.string(),
});

export const quotesSchema = z
  .array(quoteSchema)
  .describe("Verbatim, newest first, neutral ones last; praise and criticism where there are both");

type Quote = z.infer<typeof quoteSchema>;

/** Up to ten quotes: half of each kind, or more of one where the other has fewer; neutral ones fill up. */
export function quotesAbout(edition: Edition, aspect: string): readonly Quote[] {
  const reviews = edition.judging(aspect, MAX_QUOTES);
  const quotes = (sentiment: Sentiment) =>
    reviews[sentiment].flatMap(({ id, date, rating }): Quote[] => {
      const mention = edition.analysis(id)?.aspects.find((one) => one.id === aspect);
      if (mention === undefined) return [];
      const url = `${edition.baseUrl}/reviews/${id}`;
      return [{ review_id: id, url, date, rating, sentiment, quote: mention.evidence }];
    });
  const [praise, criticism] = [quotes("positive"), quotes("negative")];
  const half = MAX_QUOTES / 2;
  const judging = [
    ...praise.slice(0, Math.max(half, MAX_QUOTES - criticism.length)),
    ...criticism.slice(0, Math.max(half, MAX_QUOTES - praise.length)),
  ];
  judging.sort((a, b) => (a.date === b.date ? (a.review_id < b.review_id ? 1 : -1) : a.date < b.date ? 1 : -1));
  return [...judging, ...quotes("neutral")].slice(0, MAX_QUOTES);
}
