/**
 * What the rows of a backup may hold: only what an import, a removal or a request to the hub can have written. Other rows
 * would be published, sent or computed with as they are.
 */
import { sql } from "kysely";
import { z } from "zod";
import { businessFileSchema } from "../../business.ts";
import { calendarDate } from "../../calendar-date.ts";
import { CORRECTED } from "../../correction.ts";
import { SENTIMENTS } from "../../insights-document.ts";
import { intentKey } from "../../intent.ts";
import { issuesOf } from "../../issue.ts";
import { identityPart, isReviewId, MAX_ADDRESS_LENGTH, reviewIdSchema } from "../../review.ts";
import { UNCONFIRMED } from "../correction-rows.ts";
import { SHARDS } from "../fan-out-rows.ts";
import { type Database, HIDDEN_ROW, PUBLISHED_CHANGE_KINDS, REMOVAL_KEY_KINDS } from "../tables.ts";
import { RESTORED_TABLES, type RestoredTable } from "./backup-parts.ts";
import { MAX_KEYS_OF_REMOVAL } from "./removal-rows.ts";

const MAX_CHARACTERS = 1_000_000;
/** A business.yaml has 256 KB at most. */
const MAX_BUSINESS_CHARACTERS = 1_000_000;
/** Each may have 2 MB of words. */
const ROWS_AT_A_TIME = 50;

/** Characters that no document may contain. */
const FORBIDDEN = /(?![\n\t])[\p{Cc}\ufffe\uffff]/u;
const text = z
  .string()
  .max(MAX_CHARACTERS)
  .refine((value) => !FORBIDDEN.test(value));
const word = text.max(2_100);
const link = z
  .url({ protocol: /^https?$/ })
  .max(MAX_ADDRESS_LENGTH)
  .nullable();
/** A time of these centuries: others are no dates in feeds, or have no second after them. */
const instant = z.iso.datetime({ offset: true }).regex(/^(?:19|20)/);
/**
 * At most one for every two seconds since 1970: a limit that rises faster than the program counts, so that it accepts its
 * own backups of what it restored, and fits into an integer of PostgreSQL until 2106.
 */
const count = z
  .int()
  .min(0)
  .refine((value) => value <= Date.now() / 2_000);
const source = z.string().regex(/^[a-z0-9][a-z0-9_.]{0,63}$/);
const rating = z.int().min(1).max(5);
const shard = z.int().min(0).lt(SHARDS);
const subscriptionId = z.string().regex(/^[0-9a-f]{8,64}$/);
const topic = z.string().regex(/^\/[a-z./]*$/);
/** Whose delivery or verification a row is about. */
const place = {
  shard,
  topic,
  callback: z
    .string()
    .max(2_048)
    .regex(/^https:\/\/[\x21-\x7e]+$/),
  origin: z.string(),
  site: word,
};

const SCHEMAS = {
  revision: z.object({ number: count, revised_at: instant }),
  business: z.object({ file: z.string().max(MAX_BUSINESS_CHARACTERS).refine(isJson) }),
  review: z
    .object({
      id: reviewIdSchema,
      source_key: word,
      natural_key: word,
      source,
      source_id: word.nullable(),
      author: word.min(1),
      author_avatar_url: link,
      rating,
      date: calendarDate,
      text: text.nullable(),
      language: z
        .string()
        .regex(/^[a-z]{2,3}$/)
        .nullable(),
      source_url: link,
      reply_text: text.nullable(),
      reply_date: calendarDate.nullable(),
      row_verified: z.int().min(HIDDEN_ROW).max(1).nullable(),
      written_at: instant.nullable(),
      replied_at: instant.nullable(),
      updated_at: instant.nullable(),
      arrived: count,
    })
    .refine(({ id, date }) => isReviewId(id, date), { path: ["id"] }),
  analysis: z.object({ key: word, body: z.string() }),
  session_key: z.object({ number: count, secret: z.string().regex(/^([0-9a-f]{2})+$/), made_at: instant }),
  subscription: z
    .object({
      id: subscriptionId,
      ...place,
      version: count,
      secret: word.nullable(),
      lease_ends_at: instant,
      failures: count,
      due_at: instant.nullable(),
      acknowledged: word.nullable(),
    })
    .refine(isCallback, { path: ["callback"] }),
  intent: z
    .object({
      id: word,
      pair: subscriptionId,
      client: word,
      ...place,
      mode: z.enum(["subscribe", "unsubscribe"]),
      token: word,
      secret: word.nullable(),
      lease_seconds: count,
      known_tag: word,
      attempts: count,
      asked_at: instant,
      due_at: instant,
    })
    .refine(isCallback, { path: ["callback"] })
    .refine(({ id, pair, client }) => id === intentKey({ id: pair, client }), { path: ["id"] }),
  fan_out: z.object({
    topic,
    shard,
    tag: word,
    revision: count,
    started_at: instant,
    cursor: word,
    unfinished: z.string().regex(/^[0-9a-f ]*$/),
    finished: z.int().min(0).max(1),
  }),
  removal: z.object({ id: reviewIdSchema, what: z.enum(["review", "author", "text"]), at: instant, source, rating }),
  removal_key: z
    .object({ id: reviewIdSchema, kind: z.enum(REMOVAL_KEY_KINDS), key: word })
    .refine(({ id, kind, key }) => (kind === "identity" ? key === identityPart(id) : /^[0-9a-f]{64}$/.test(key)), {
      path: ["key"],
    }),
  correction: z
    .object({
      id: reviewIdSchema,
      aspect: word.min(1),
      was: z.enum(SENTIMENTS),
      is: z.enum(CORRECTED),
      at: instant,
      note: word.nullable(),
      text_key: z.string().regex(/^[0-9a-f]{64}$/),
      evidence_from: count,
      evidence_to: count,
    })
    .refine(({ evidence_from: from, evidence_to: to }) => from < to || to === UNCONFIRMED.evidence_to, {
      path: ["evidence_to"],
    }),
  edit: z.object({
    id: reviewIdSchema,
    edited_at: instant.refine(isInstant),
    times: count.min(1),
  }),
  withdrawn_review: z.object({ id: reviewIdSchema, source, withdrawn_by: count }),
  source_place: z.object({ source: word, kind: word, id: word }),
  published_change: z.object({
    number: count,
    at: instant,
    kind: z.enum(PUBLISHED_CHANGE_KINDS),
    ...{ added: count, changed: count, withdrawn: count, removed: count },
  }),
  source_import: z.object({ source, change: count, first_at: instant, last_at: instant }),
  sighting: z.object({
    ...{ source, change: count, place: text, until_change: count.nullable() },
    id: reviewIdSchema.or(z.literal("")),
    at: instant.refine(isInstant),
    made_at: instant.refine(isInstant).nullable(),
    arrived: count.nullable(),
  }),
  vanished_review: z.object({
    ...{ id: reviewIdSchema, change: count, source, rating, until_change: count.nullable() },
    had_last_at: instant.refine(isInstant),
    lacked_first_at: instant.refine(isInstant),
    returned_at: instant.refine(isInstant).nullable(),
  }),
} as const satisfies Record<RestoredTable, z.ZodType>;

/** @throws Error naming the first row that goodword cannot have written, without its content. */
export async function requireOwnRows(database: Database): Promise<void> {
  if ((await database.selectFrom("revision").selectAll().execute()).length !== 1)
    throw new Error("it has no row in the table revision. Take a backup that goodword made");
  for (const table of RESTORED_TABLES) {
    // A row's number can be negative, too.
    for (let last: number | undefined; ; ) {
      const rest = last === undefined ? sql`` : sql`where rowid > ${last}`;
      const page = sql<Readonly<Record<string, unknown>> & { readonly row: number }>`
        select rowid as "row", * from ${sql.table(table)} ${rest} order by rowid limit ${ROWS_AT_A_TIME}
      `;
      const { rows } = await page.execute(database);
      for (const row of rows) requireOwnRow(table, row);
      last = rows.at(-1)?.row ?? last;
      if (rows.length < ROWS_AT_A_TIME) break;
    }
  }
  await requireFewKeys(database);
}

/** More keys could delete more reviews than the removal names. @throws Error */
async function requireFewKeys(database: Database): Promise<void> {
  const { rows } = await sql`
    select 1 from removal_key group by id having count(*) > ${MAX_KEYS_OF_REMOVAL} limit 1
  `.execute(database);
  if (rows.length > 0)
    throw new Error("it holds more keys of one removal than goodword writes. Take a backup that goodword made");
}

function requireOwnRow(table: RestoredTable, row: Readonly<Record<string, unknown>>): void {
  const [fault] = SCHEMAS[table].safeParse(row).error?.issues ?? [];
  if (fault !== undefined)
    throw new Error(
      `it holds what goodword does not write: ${fault.path.map(String).join(".") || "a row"} in the table ${table}. Take a backup that goodword made`,
    );
  if (table !== "business") return;
  const business: unknown = JSON.parse(String(row.file));
  const { error } = businessFileSchema.safeParse(business);
  const [issue] = error === undefined ? [] : issuesOf(error, business);
  if (issue !== undefined) throw new Error(`its business cannot be used: ${issue.message}`);
}

/** Whether the hub accepts the callback: the rules of `hub/callback/callback-url.ts` that need no setting. */
function isCallback({ callback, origin }: { readonly callback: string; readonly origin: string }): boolean {
  const url = URL.parse(callback);
  if (url === null || url.origin !== origin || url.hash !== "" || `${url.username}${url.password}` !== "") return false;
  return url.port === "" || Number(url.port) >= 1024;
}

/** Whether a time is written as the store writes it. */
function isInstant(value: string): boolean {
  return !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value;
}

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
