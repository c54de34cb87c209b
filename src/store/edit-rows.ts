/** SQL for edits: when the name, words, stars or reply of a published review changed last, and how often they did. */
import { insertMany } from "./engine/insert-many.ts";
import { verifiedCondition } from "./review-rows.ts";
import type { Database, EditTable, ReviewTable } from "./tables.ts";

export type Edit = Pick<EditTable, "edited_at" | "times">;

/** No backup may have a later edit. */
const LAST_MS = Date.UTC(2100) - 1;

/** Whether a reader who has one version of a review should see the other. */
export function isEdited(before: ReviewTable, after: ReviewTable): boolean {
  const names = ["author", "rating", "text", "reply_text"] as const;
  return names.some((name) => before[name] !== after[name]);
}

/** Records that these reviews are edited now, or a second after their last edit if a clock went back. */
export async function recordEdits(transaction: Database, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  const stored = await transaction.selectFrom("edit").selectAll().where("id", "in", ids).execute();
  const before = new Map(stored.map((row) => [row.id, row]));
  await deleteEdits(transaction, ids);
  const rows = ids.map((id) => {
    const { edited_at, times } = before.get(id) ?? { edited_at: "", times: 0 };
    const next = Math.max(now.getTime(), (Date.parse(edited_at) || 0) + 1000);
    return { id, edited_at: new Date(Math.min(next, LAST_MS)).toISOString(), times: times + 1 };
  });
  await insertMany(transaction, "edit", { rows });
}

/** Records of new rows what their source says of an edit before they were imported. */
export async function recordEarlierEdits(
  transaction: Database,
  rows: readonly ReviewTable[],
  now: Date,
): Promise<void> {
  const edits = rows.flatMap(({ id, written_at, updated_at }) => {
    if (written_at === null || updated_at === null) return [];
    const edited = Math.min(Date.parse(updated_at), now.getTime());
    return edited > Date.parse(written_at) ? [{ id, edited_at: new Date(edited).toISOString(), times: 1 }] : [];
  });
  await insertMany(transaction, "edit", { rows: edits, skipsConflicts: true });
}

/** Copies from a backup the edits that the store lacks. */
export async function copyEdits(from: Database, to: Database): Promise<void> {
  for (let after = ""; ; ) {
    const rows = await from.selectFrom("edit").selectAll().where("id", ">", after).orderBy("id").limit(1000).execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    await insertMany(to, "edit", { rows, skipsConflicts: true });
    after = last.id;
  }
}

export async function deleteEdits(transaction: Database, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await transaction.deleteFrom("edit").where("id", "in", ids).execute();
}

/** Far more rows than a feed has items: some of the newest are copies of others, and are not published. */
const NEWEST_ROWS = 1000;

/** The edits of the newest verified reviews, by id. */
export async function newestEdits(database: Database, sources: readonly string[]): Promise<ReadonlyMap<string, Edit>> {
  const verified = database.selectFrom("review").where(verifiedCondition(sources));
  const oldest = await verified.select("date").orderBy("date", "desc").offset(NEWEST_ROWS).limit(1).executeTakeFirst();
  const rows = await database
    .selectFrom("edit")
    .innerJoin("review", "review.id", "edit.id")
    .select(["edit.id", "edited_at", "times"])
    .where("review.date", ">=", oldest?.date ?? "")
    .execute();
  return new Map(rows.map(({ id, edited_at, times }) => [id, { edited_at, times }]));
}
