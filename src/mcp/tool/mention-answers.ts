/** The results of get_technician and get_service. */
import { z } from "zod";
import type { Edition } from "../../edition/edition.ts";
import { percentage, rounded } from "../../insight/statistics/arithmetic.ts";
import { aspectSchema, type Entity, entitySchema, SENTIMENTS } from "../../insights-document.ts";
import type { Choice } from "../../issue.ts";
import { reviewSchema } from "../../review.ts";
import { choose } from "./named-choice.ts";

export type MentionKind = "technicians" | "services";

/** Maximum number of newest reviews that are returned, and that are counted for aspects. */
export const MAX_REVIEWS = 10;
export const MAX_COUNTED_REVIEWS = 2_000;
const MAX_EVIDENCE = 3;

const aspectOfMentionsSchema = aspectSchema.omit({ top_phrases: true, example_review_ids: true }).extend({
  evidence: z
    .array(z.object({ review_id: z.string(), sentiment: z.enum(SENTIMENTS), text: z.string() }))
    .describe("Verbatim excerpts from the newest of these reviews"),
});

type AspectOfMentions = z.infer<typeof aspectOfMentionsSchema>;

/** The result's schema, about a technician (`technician`) or a service (`service`). */
export function mentionsSchema<Name extends string>(name: Name) {
  return z.object({
    [name]: entitySchema,
    aspects: z
      .array(aspectOfMentionsSchema)
      .describe("What the reviews that mention it say about each aspect, most mentioned first"),
    reviews: z.array(reviewSchema).describe("The newest reviews that mention it"),
  });
}

/** All of the business's technicians or services, whether mentioned or not. */
export function choicesOf({ business }: Edition, kind: MentionKind): readonly Choice[] {
  if (kind === "services") return business.services;
  return business.technicians.map(({ id, name }) => ({ id, label: name }));
}

/** Finds a technician by name, id, or a unique first part of either. @throws Invalid that lists the technicians. */
export function chooseTechnician(edition: Edition, name: string): Choice {
  return choose("name", name, choicesOf(edition, "technicians"), ({ id, label }) => [
    ...label.split(/\s+/, 1),
    ...id.split("-", 1),
  ]);
}

/** Finds a service by id or label. @throws Invalid that lists the services. */
export function chooseService(edition: Edition, service: string): Choice {
  return choose("service", service, choicesOf(edition, "services"));
}

interface Mentions {
  readonly entity: Entity;
  readonly aspects: readonly AspectOfMentions[];
  readonly reviews: readonly z.infer<typeof reviewSchema>[];
}

/** Memo by edition and choice. */
const mentionsMemo = new WeakMap<Edition, Map<string, Mentions>>();

/** Summarises the reviews that mention `choice`. Computed once per edition, because it reads many reviews. */
export function mentionsOf(edition: Edition, kind: MentionKind, choice: Choice): Mentions {
  const memo = mentionsMemo.get(edition) ?? new Map<string, Mentions>();
  mentionsMemo.set(edition, memo);
  return memo.getOrInsertComputed(`${kind} ${choice.id}`, () => readMentions(edition, kind, choice));
}

function readMentions(edition: Edition, kind: MentionKind, { id, label }: Choice): Mentions {
  const entity = edition.insights.entities[kind].find((candidate) => candidate.id === id);
  const reviews = edition.mentioning(kind, id, MAX_COUNTED_REVIEWS);
  return {
    entity: entity ?? { id, label, mention_count: 0, average_rating: null, score: null, example_review_ids: [] },
    aspects: aspectsOf(
      edition,
      reviews.map((review) => review.id),
    ),
    reviews: reviews.slice(0, MAX_REVIEWS),
  };
}

function aspectsOf(edition: Edition, reviewIds: readonly string[]): AspectOfMentions[] {
  const countsByAspect = new Map<string, AspectCounts>();
  for (const reviewId of reviewIds) {
    for (const { id, sentiment, evidence } of edition.analysis(reviewId)?.aspects ?? []) {
      const counts = countsByAspect.getOrInsertComputed(id, () => ({
        positive: 0,
        neutral: 0,
        negative: 0,
        evidence: [],
      }));
      counts[sentiment]++;
      if (counts.evidence.length < MAX_EVIDENCE) {
        counts.evidence.push({ review_id: reviewId, sentiment, text: evidence });
      }
    }
  }
  return edition.insights.aspects
    .flatMap(({ id, label }) => {
      const counts = countsByAspect.get(id);
      return counts === undefined ? [] : [withTotals(id, label, counts)];
    })
    .toSorted((a, b) => b.mention_count - a.mention_count);
}

interface AspectCounts {
  positive: number;
  neutral: number;
  negative: number;
  readonly evidence: AspectOfMentions["evidence"];
}

function withTotals(
  id: string,
  label: string,
  { positive, neutral, negative, evidence }: AspectCounts,
): AspectOfMentions {
  const count = positive + neutral + negative;
  return {
    id,
    label,
    mention_count: count,
    positive_count: positive,
    neutral_count: neutral,
    negative_count: negative,
    positive_pct: percentage(positive, count),
    score: rounded((positive - negative) / count, 2),
    evidence,
  };
}
