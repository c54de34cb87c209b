/** How the published reviews were gathered: figures from the store's history (interface §6), with no words, names or ids. */
import { z } from "zod";
import { type BusinessFile, verifiedSourcesOf } from "../business.ts";
import type { CorrectionCounts } from "../correction.ts";
import type { PublicHistory, RemovalCount } from "../store/public-history.ts";
import { isVerifiedRow } from "../store/review-rows.ts";
import { PUBLISHED_CHANGE_KINDS } from "../store/tables.ts";
import type { SourceFigures } from "./source-figures.ts";

const count = z.int().min(0);
const instant = z.iso.datetime().describe("ISO 8601");

const sourceSchema = z.object({
  source: z.string().describe("Where the reviews were written: google, yelp, facebook, first_party, …"),
  published: count.describe("Reviews that are published"),
  withheld: count.describe(
    "Imported but not published: nothing verifies them, or the business's own system hides them",
  ),
  withdrawn: count.describe(
    "Taken out by the business, with its whole source or because a complete export lacked them, and not back",
  ),
  removed: count.describe("Taken out by the business for good, one by one"),
  verified_by: z
    .enum(["source", "row"])
    .describe("Whether the business vouches for the source, or only for reviews that its export marks as verified"),
  first_imported_at: instant.nullable().describe("The first import with reviews of the source"),
  last_imported_at: instant.nullable().describe("The last import with reviews of the source that changed anything"),
  newest_review: z.iso.date().nullable().describe("The date of the newest published review"),
});

const removalSchema = z.object({
  year: z.int().describe("The year in which the reviews were written"),
  rating: z.int().min(1).max(5).describe("Their stars"),
  removed: count.describe("Reviews that were removed"),
  redacted_author: count.describe("Reviews that are published without their author's name"),
  redacted_text: count.describe("Reviews that are published without their words"),
});

const changeSchema = z.object({
  at: instant,
  kind: z.enum(PUBLISHED_CHANGE_KINDS).describe("What altered the publication"),
  added: count.describe("Reviews that were published"),
  changed: count.describe("Published reviews that were changed, redacted ones among them"),
  withdrawn: count.describe("Reviews that are published no more because the source or the store lacks them"),
  removed: count.describe("Reviews that were removed for good"),
});

export const provenanceSchema = z
  .object({
    business: z.string().describe("The name of the business"),
    generated_at: instant.describe("When the data was committed"),
    sources: z.array(sourceSchema).describe("Most published reviews first"),
    removals: z.array(removalSchema).describe("Removals and redactions by year and stars, newest year first"),
    duplicates: count.describe(
      "Reviews that two sources have: each is published once, and its copies are counted here",
    ),
    corrections: z
      .object({
        hidden_criticism: count.describe("Findings of criticism that the business says are none"),
        hidden_praise: count.describe("Findings of praise that the business says are none"),
        changed: count.describe("Findings that count otherwise than they were found"),
      })
      .describe("What the business corrected of the analysis of published reviews"),
    changes: z.array(changeSchema).describe("The last 1,000 changes of what is published, newest first"),
  })
  .meta({ id: "Provenance", title: "Provenance" });

export type Provenance = Readonly<z.infer<typeof provenanceSchema>>;

export interface ProvenanceParts {
  readonly history: PublicHistory;
  readonly figures: ReadonlyMap<string, SourceFigures>;
  readonly corrections: CorrectionCounts;
  readonly generatedAt: Date;
}

/** The provenance of an edition. `figures` are those of its published reviews. */
export function provenanceOf(file: BusinessFile, parts: ProvenanceParts): Provenance {
  const { history, figures, corrections, generatedAt } = parts;
  const verifiedSources = verifiedSourcesOf(file);
  const stored = (isVerified: boolean) =>
    sums(history.stored.filter((kind) => isVerifiedRow(kind, verifiedSources) === isVerified));
  const [verified, withheld] = [stored(true), stored(false)];
  const removed = sums(history.removals.filter(({ what }) => what === "review"));
  const imports = new Map(history.imports.map((each) => [each.source, each]));
  const names = new Set([verified, withheld, history.withdrawn, removed].flatMap((counts) => [...counts.keys()]));
  const sources = [...names].map((source) => ({
    source,
    published: figures.get(source)?.published ?? 0,
    withheld: withheld.get(source) ?? 0,
    withdrawn: history.withdrawn.get(source) ?? 0,
    removed: removed.get(source) ?? 0,
    verified_by: verifiedSources.includes(source) ? ("source" as const) : ("row" as const),
    first_imported_at: imports.get(source)?.first_at ?? null,
    last_imported_at: imports.get(source)?.last_at ?? null,
    newest_review: figures.get(source)?.newest ?? null,
  }));
  const published = sources.reduce((sum, each) => sum + each.published, 0);
  return {
    business: file.name,
    generated_at: generatedAt.toISOString(),
    sources: sources.toSorted((a, b) => b.published - a.published || (a.source < b.source ? -1 : 1)),
    removals: removalsByYear(history.removals),
    duplicates: [...verified.values()].reduce((sum, one) => sum + one, 0) - published,
    corrections,
    changes: history.changes.map((change) => ({ ...change })), // plain, as the edition cache gives them
  };
}

function sums(kinds: readonly { readonly source: string; readonly count: number }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { source, count } of kinds) counts.set(source, (counts.get(source) ?? 0) + count);
  return counts;
}

function removalsByYear(removals: readonly RemovalCount[]): Provenance["removals"] {
  const groups = [...Map.groupBy(removals, ({ year, rating }) => year * 10 + rating).values()];
  const number = (group: readonly RemovalCount[], what: RemovalCount["what"]) =>
    group.reduce((sum, each) => sum + (each.what === what ? each.count : 0), 0);
  return groups
    .map((group) => ({
      year: group[0]?.year ?? 0,
      rating: group[0]?.rating ?? 1,
      removed: number(group, "review"),
      redacted_author: number(group, "author"),
      redacted_text: number(group, "text"),
    }))
    .toSorted((a, b) => b.year - a.year || a.rating - b.rating);
}
