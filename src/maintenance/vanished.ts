/** The vanished reviews with what the store still has of them: the owner's evidence that a platform dropped them. */
import { verifiedSourcesOf } from "../business.ts";
import { dateOfReviewId } from "../review.ts";
import type { ListPage } from "../store/list-page.ts";
import { publishedAmong } from "../store/review-rows.ts";
import { reviewPagesById } from "../store/review-writes.ts";
import {
  type ListedVanished,
  listVanishedRows,
  type VanishedPlace,
  type VanishedReview,
  vanishedPage,
} from "../store/sighting-rows.ts";
import { readBusiness } from "../store/store.ts";
import type { Database, ReviewTable } from "../store/tables.ts";

/** An entry of `goodword vanished`. Times are ISO 8601. What `--complete` took out has no author and no words. */
export interface VanishedEntry {
  readonly id: string;
  /** Its page; null if it is not published. */
  readonly url: string | null;
  readonly source: string;
  readonly source_url: string | null;
  readonly author: string | null;
  readonly rating: number;
  readonly date: string;
  readonly text: string | null;
  /** The import that had it last, the first one that lacked it, and the one that had it again; null while none has. */
  readonly had_last_at: string;
  readonly lacked_first_at: string;
  readonly returned_at: string | null;
}

export interface VanishedOptions {
  readonly baseUrl: string;
  /** Only those that this change of the store found. */
  readonly change?: number;
}

/** Lists the reviews that have vanished at their source, and those that are back, the latest first. */
export async function listVanished(
  database: Database,
  { baseUrl, change }: VanishedOptions,
): Promise<readonly VanishedEntry[]> {
  const listed = await listVanishedRows(database, change);
  return await entriesOf(database, listed, baseUrl);
}

/** A page of them, or `isGone`: only of those that are not back. */
export async function vanishedEntries(
  database: Database,
  { baseUrl, ...wish }: Parameters<typeof vanishedPage>[1] & Pick<VanishedOptions, "baseUrl">,
): Promise<ListPage<VanishedEntry, keyof VanishedPlace>> {
  const { rows, last } = await vanishedPage(database, wish);
  return { rows: await entriesOf(database, rows, baseUrl), last };
}

async function entriesOf(
  database: Database,
  listed: readonly ListedVanished[],
  baseUrl: string,
): Promise<readonly VanishedEntry[]> {
  const rows = new Map<string, ReviewTable>();
  const ids = listed.map(({ id }) => id);
  for await (const page of reviewPagesById(database, ids)) for (const row of page) rows.set(row.id, row);
  const sources = verifiedSourcesOf(await readBusiness(database));
  const published = new Set((await publishedAmong(database, sources, [...rows.keys()])).map(({ id }) => id));
  return listed.flatMap(({ withdrawn_by, ...row }) => {
    const review = rows.get(row.id);
    return review === undefined && (withdrawn_by ?? 0) === 0 // undone, or not in the restored backup
      ? []
      : [entryOf(row, review, published.has(row.id) ? `${baseUrl}/reviews/${row.id}` : null)];
  });
}

function entryOf(row: VanishedReview, review: ReviewTable | undefined, url: string | null): VanishedEntry {
  const { id, source, had_last_at, lacked_first_at, returned_at } = row;
  return {
    ...{ id, url, source, source_url: review?.source_url ?? null, author: review?.author ?? null },
    ...{ rating: review?.rating ?? row.rating, date: review?.date ?? dateOfReviewId(id), text: review?.text ?? null },
    ...{ had_last_at, lacked_first_at, returned_at },
  };
}
