/** The schema of `/insights.json`, which summarises all reviews, and of one review's analysis (interface §1). */
import { z } from "zod";
import { calendarDate } from "./calendar-date.ts";

export const SENTIMENTS = ["positive", "neutral", "negative"] as const;
const sentiment = z.enum(SENTIMENTS);
const score = z.number().min(-1).max(1);
const count = z.int().min(0);
const pct = z.number().min(0).max(100);
const languageTag = z.string().describe("BCP 47 base tag, or `und` where the text does not tell its language");
const reviewIds = z.array(z.string()).describe("Ids of reviews");

/** One aspect that a review mentions, with the verbatim span that shows it. */
export const aspectMentionSchema = z.object({
  id: z.string().describe("Id of the aspect"),
  sentiment: sentiment.describe("What the review says of this aspect"),
  evidence: z.string().describe("Verbatim span of the review's text"),
  corrected: z.literal(true).optional().describe("Present where the business has corrected what the analysis found"),
});

/** The analysis of one review: its `per_review` entry in insights. */
export const analysisSchema = z
  .object({
    language: languageTag.nullable().describe("Language of the review's text; null without text"),
    sentiment: sentiment.nullable().describe("What the review says as a whole; null if its language is not read"),
    score: score.nullable().describe("-1 (worst) to 1 (best); null if its language is not read"),
    aspects: z.array(aspectMentionSchema).describe("Aspects of the service that it speaks of"),
    technicians: z.array(z.string()).describe("Ids of technicians named"),
    services: z.array(z.string()).describe("Ids of services named"),
    problems: z.array(z.string()).describe("Ids of problems described"),
    service_areas: z.array(z.string()).describe("Ids of places named"),
    topics: z.array(z.string()).describe("Ids of topics"),
  })
  .meta({ id: "Analysis", title: "Analysis of one review" });

export const aspectSchema = z
  .object({
    id: z.string().describe("Identifier in the taxonomy"),
    label: z.string().describe("Name for people"),
    mention_count: count.describe("Reviews that speak of it"),
    positive_count: count.describe("Of those, reviews that praise it"),
    neutral_count: count.describe("Of those, reviews that do neither"),
    negative_count: count.describe("Of those, reviews that blame it"),
    positive_pct: pct
      .nullable()
      .describe("Share of mentions that are positive, in percent with one decimal; null without mentions"),
    score: score.nullable().describe("Mean of the mentions' sentiment, -1 to 1; null without mentions"),
    top_phrases: z.array(z.string()).describe("Verbatim phrases of reviews"),
    example_review_ids: reviewIds,
  })
  .meta({ id: "Aspect", title: "Aspect" });

export const entitySchema = z
  .object({
    id: z.string().describe("Identifier in its list of the business or the taxonomy"),
    label: z.string().describe("Name for people"),
    mention_count: count.describe("Reviews that mention it"),
    average_rating: z.number().min(1).max(5).nullable().describe("Mean stars of those reviews, two decimals"),
    score: score.nullable().describe("Mean sentiment score of those reviews"),
    example_review_ids: reviewIds,
  })
  .meta({ id: "Entity", title: "Entity" });

export const languageSchema = z
  .object({
    language: languageTag,
    review_count: count.describe("Reviews whose text is in it"),
    analysed: z.boolean().describe("Whether these texts are read; if not, they count in no finding and in no score"),
  })
  .meta({ id: "Language", title: "Language of reviews" });

export const languagesSchema = z.array(languageSchema).describe("Languages of the texts, most frequent first");
export const unreadCountSchema = count.describe("Reviews whose text is in a language that is not read");

export const topicSchema = z
  .object({
    id: z.string().describe("Slug of the label"),
    label: z.string().describe("The words, as most customers write them"),
    review_count: count.describe("Reviews that name it"),
    poor_count: count.describe("Of those, reviews with one or two stars, whatever these are for"),
    good_count: count.describe("Of those, reviews with four or five stars"),
    praised: count.describe("About so many of those praise it where they name it: what was recognised"),
    criticised: count.describe("At least so many of those criticise it where they name it: what was recognised"),
    share_pct: pct.describe("Share of the reviews with text that was read, in percent with one decimal"),
    score: score.nullable().describe("Mean sentiment score of those reviews"),
    example_review_ids: reviewIds,
  })
  .meta({ id: "Topic", title: "Topic" });

export const monthSchema = z
  .object({
    month: z
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .describe("YYYY-MM"),
    review_count: count.describe("Reviews of that month"),
    average_rating: z.number().min(1).max(5).nullable().describe("Mean stars, two decimals; null without reviews"),
    score: score.nullable().describe("Mean sentiment score; null without reviews that were read"),
  })
  .meta({ id: "Month", title: "Month" });

export const yearSchema = monthSchema
  .omit({ month: true })
  .extend({
    year: z
      .string()
      .regex(/^\d{4}$/)
      .describe("YYYY"),
  })
  .meta({ id: "Year", title: "Year" });

const TRENDS = ["improving", "steady", "declining", "insufficient_data"] as const;
export const trendSchema = z
  .enum(TRENDS)
  .describe("The stars of `trend_basis` compared; `insufficient_data` when either side has fewer than ten reviews");

const trendPeriodSchema = z.object({
  from: calendarDate.nullable().describe("First day; null without reviews"),
  until: calendarDate.nullable().describe("Last day; null without reviews"),
  review_count: count.describe("Reviews of these days"),
  average_rating: z.number().min(1).max(5).nullable().describe("Their mean stars, two decimals; null without reviews"),
});
export const trendBasisSchema = z.object({
  recent: trendPeriodSchema.describe("The six months to the newest review's"),
  before: trendPeriodSchema.describe("The twelve months before"),
});

export const faqSchema = z
  .object({
    question: z.string().describe("What people ask before they choose"),
    answer: z.string().describe("What the reviews say to it"),
    review_ids: reviewIds.describe(
      "Ids of reviews that the answer rests on, at most twenty: those it quotes, then the newest",
    ),
    about: z.array(z.string()).describe("Ids of the aspects and topics behind it"),
  })
  .meta({ id: "FaqEntry", title: "Question answered from reviews" });

export const overallSentimentSchema = z.object({
  score: score.nullable().describe("Mean of the scores of the reviews that were read; null without any"),
  positive_pct: pct.describe("Share of the reviews that were read that are positive, in percent with one decimal"),
  neutral_pct: pct.describe("Share that are neutral"),
  negative_pct: pct.describe("Share that are negative"),
});

/** The whole of `/insights.json`. */
export const insightsSchema = z
  .object({
    version: z.int().min(1).describe("Increased when the meaning of the aspect taxonomy changes"),
    generated_at: z.iso.datetime().describe("When the edition was made"),
    model: z.string().describe("The analyser that produced it"),
    review_count: count.describe("All published reviews"),
    languages: languagesSchema,
    unread_count: unreadCountSchema,
    date_range: z
      .object({
        earliest: calendarDate.nullable().describe("The oldest review's date; null without reviews"),
        latest: calendarDate.nullable().describe("The newest review's date; null without reviews"),
      })
      .describe("The days that the reviews span"),
    overall_sentiment: overallSentimentSchema.describe("The sentiment of all reviews together"),
    aspects: z.array(aspectSchema).describe("Most mentioned first"),
    entities: z
      .object({
        technicians: z.array(entitySchema).describe("People who do the work"),
        services: z.array(entitySchema).describe("Kinds of work"),
        problems: z.array(entitySchema).describe("Problems that customers had"),
        service_areas: z.array(entitySchema).describe("Places served"),
      })
      .describe("Whom and what the reviews mention, most mentioned first"),
    topics: z
      .array(topicSchema)
      .describe("What customers name by themselves more than reviews do in general, most frequent first"),
    temporal: z
      .object({
        monthly: z.array(monthSchema).describe("Every month from the first review to the last, oldest first"),
        trend: trendSchema,
        trend_basis: trendBasisSchema.describe("What the trend compares"),
      })
      .describe("How reviews change over time"),
    per_review: z.record(z.string(), analysisSchema).describe("The analysis of each review, by its id"),
    faq: z.array(faqSchema).describe("Questions that the reviews answer"),
    summary: z.string().describe("All reviews in a few sentences"),
    pull_quote: z
      .string()
      .nullable()
      .describe("A verbatim sentence of a review of four or five stars; null where none can be quoted"),
  })
  .meta({ id: "Insights", title: "Insights" });

export type Sentiment = z.infer<typeof sentiment>;
export type AspectMention = Readonly<z.infer<typeof aspectMentionSchema>>;
export type Analysis = Readonly<z.infer<typeof analysisSchema>>;
export type Aspect = Readonly<z.infer<typeof aspectSchema>>;
export type Entity = Readonly<z.infer<typeof entitySchema>>;
export type LanguageCount = Readonly<z.infer<typeof languageSchema>>;
export type Topic = Readonly<z.infer<typeof topicSchema>>;
export type Month = Readonly<z.infer<typeof monthSchema>>;
export type Year = Readonly<z.infer<typeof yearSchema>>;
export type TrendBasis = Readonly<z.infer<typeof trendBasisSchema>>;
export type Trend = z.infer<typeof trendSchema>;
export type FaqEntry = Readonly<z.infer<typeof faqSchema>>;
export type Insights = Readonly<z.infer<typeof insightsSchema>>;
