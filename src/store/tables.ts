/** The tables of the store in both engines. Columns hold text, integers and nulls only. */
import type { Kysely } from "kysely";
import type { Correction } from "../correction.ts";

/** One row: the current revision of the data, and when it was committed (ISO 8601). */
interface RevisionTable {
  id: number;
  number: number;
  revised_at: string;
}

/** One row: the business file as JSON. */
interface BusinessTable {
  id: number;
  file: string;
}

/** In `row_verified`: the owner's own system hides the review, as spam for example, so nothing verifies it. */
export const HIDDEN_ROW = -1;

export interface ReviewTable {
  id: string;
  /** Hash of the source and the source's own id, or of the review's content if it has no id. */
  source_key: string;
  /** Hash of source, author, date and text: finds a review again in an export without ids. */
  natural_key: string;
  source: string;
  source_id: string | null;
  author: string;
  author_avatar_url: string | null;
  rating: number;
  date: string;
  text: string | null;
  /** The language of the text as a BCP 47 base tag, `und` where it does not tell; null without words. */
  language: string | null;
  source_url: string | null;
  reply_text: string | null;
  reply_date: string | null;
  /** Whether the imported record was marked as verified: 1, 0, null if it was not marked, or `HIDDEN_ROW`. */
  row_verified: number | null;
  /** The instants from which `date` and `reply_date` follow, if the source gave them (ISO 8601). */
  written_at: string | null;
  replied_at: string | null;
  /** When the customer last edited the review, according to the source (ISO 8601). */
  updated_at: string | null;
  /** Orders sources by their first import: it rises with each import and with each source within one. */
  arrived: number;
}

/** Cached analyses of review texts. The key is a hash of everything that they depend on. May be emptied at any time. */
export interface AnalysisTable {
  key: string;
  body: string;
}

/**
 * One row at most: the edition that was rendered last of a site on PostgreSQL. SQLite has a file instead. Every change of
 * the revision deletes it.
 */
export interface EditionCacheTable {
  id: number;
  /** Number and time of the revision that it is of. */
  revision: number;
  revised_at: string;
  /** Program and settings that made it, as JSON. */
  maker: string;
  /** SHA-256 of the compressed edition. */
  hash: string;
  /** The compressed edition in base64. */
  body: string;
}

/** Hexadecimal keys of MCP session ids. The one with the highest number signs; all of them verify. */
interface SessionKeyTable {
  number: number;
  secret: string;
  /** ISO 8601. */
  made_at: string;
}

/** A subscription: a verified callback and topic. Times are ISO 8601. */
export interface SubscriptionTable {
  /** Hexadecimal hash of topic and callback. */
  id: string;
  /** The shard of the subscription. All callbacks of one host are in the same shard. */
  shard: number;
  /** Path of the topic, such as `/feed.xml`. */
  topic: string;
  callback: string;
  /** Scheme, host and port of the callback. */
  origin: string;
  /** The registrable domain of the callback: limits count by it. */
  site: string;
  /** Rises with each write, for optimistic locking. */
  version: number;
  secret: string | null;
  lease_ends_at: string;
  failures: number;
  /** When a repeated delivery is due; null if none is owed. */
  due_at: string | null;
  /** The version of the topic whose owed delivery was acknowledged last: its fan-out passes the subscription over. */
  acknowledged: string | null;
}

/** The requests that no callback has confirmed yet: one row for each client, callback and topic. Times are ISO 8601. */
export interface IntentTable {
  /** Pair and client in one word. */
  id: string;
  /** Hexadecimal hash of topic and callback: the id of the subscription. */
  pair: string;
  /** Hash of the network that sent the request. */
  client: string;
  shard: number;
  topic: string;
  callback: string;
  origin: string;
  site: string;
  mode: "subscribe" | "unsubscribe";
  token: string;
  secret: string | null;
  lease_seconds: number;
  known_tag: string;
  attempts: number;
  asked_at: string;
  due_at: string;
}

/** The progress of a topic's fan-out in one shard. */
interface FanOutTable {
  topic: string;
  shard: number;
  /** Tag of the document that is delivered, and the revision of its edition. */
  tag: string;
  revision: number;
  started_at: string;
  /** Id of the last subscription that was started; empty at the beginning. */
  cursor: string;
  /** Ids up to the cursor that have not been delivered to yet, separated by spaces. */
  unfinished: string;
  finished: number;
}

/** What one process at a time does (claims.ts), and a fencing token that rises with each owner. */
interface ClaimTable {
  id: number;
  token: number;
}

/** One row, in embedded stores: what the processes of a machine take for the time (database-clock.ts). */
export interface ClockReferenceTable {
  id: number;
  /** Identifies the run of the machine since it was started; empty if the program may not read that. */
  boot: string;
  /** Milliseconds from the machine's monotonic clock to 1970, and the time of that clock when they were stored. */
  offset_ms: number;
  steady_ms: number;
}

/** The latest transaction of a group commit (commit-mark-rows.ts). */
interface CommitMarkTable {
  /** Random; one for each group commit of each process. */
  writer: string;
  number: number;
  /** ISO 8601. */
  started_at: string;
}

/** The state of a followed source. Times are ISO 8601. */
export interface FollowedSourceTable {
  /** Hash of the entry in business.yaml: URL, source name, and whether it is complete. */
  key: string;
  last_at: string;
  outcome: string;
  next_at: string;
  /** Consecutive failures. */
  failures: number;
  /** The HTTP validators of the last imported response. */
  etag: string | null;
  last_modified: string | null;
}

/** Something that the owner is told of, until every address was. It holds numbers, and no word of a review. */
export interface NoticeTable {
  id: string;
  type: "change" | "digest" | "trouble";
  /** ISO 8601: when it happened. */
  at: string;
  /** The change of the history that it tells of. */
  change: number | null;
  /** What it tells, as JSON (`NoticeFacts`). */
  facts: string;
}

/** A review that a notice quotes when it is sent. */
interface NoticeReviewTable {
  notice: string;
  id: string;
  /** 1 for a review that an edit made poor, 0 for a new one. */
  is_edited: number;
}

/** A message that is owed to an address. Times are ISO 8601. */
export interface NoticeDeliveryTable {
  notice: string;
  /** Hash of the address in business.yaml. */
  address: string;
  /** Failed attempts. */
  attempts: number;
  due_at: string;
}

/** What came of the last message to an address, and when its next digest is due. Times are ISO 8601. */
export interface NoticeAddressTable {
  address: string;
  last_at: string | null;
  last_type: string | null;
  outcome: string | null;
  /** How often, and in which time zone; another one makes a new due time. */
  digest_schedule: string | null;
  digest_at: string | null;
}

/** Something that is wrong, from the message that it began until the one that it has ended. */
interface TroubleTable {
  /** What: `import`, `deliveries`, `disk`, or `source` and the key of a followed source. */
  key: string;
  /** ISO 8601. */
  since: string;
}

/** Removals and redactions, which later imports must respect. */
export interface RemovalTable {
  /** The id under which the review was last published. */
  id: string;
  /** The removed part: the whole review, the author's name, or the text. */
  what: "review" | "author" | "text";
  /** The review's source and stars when it was removed: what is public about a removal, with the year in its id. */
  source: string;
  rating: number;
  /** ISO 8601. */
  at: string;
}

export const REMOVAL_KEY_KINDS = [
  "identity",
  "words",
  "words alone",
  "words of an id",
  "stars",
  "stars of an id",
  "stars with an id",
] as const;

/** Hashes that recognise a removed or redacted review in later imports, without storing its text or names. */
export interface RemovalKeyTable {
  id: string;
  kind: (typeof REMOVAL_KEY_KINDS)[number];
  key: string;
}

/** When a review was edited last, and how often: by its author or in its owner's reply (edit-rows.ts). */
export interface EditTable {
  id: string;
  /** ISO 8601 in milliseconds, as `toISOString` writes it: the time of the change, or what the source says. */
  edited_at: string;
  times: number;
}

/** What the owner corrected of the findings in a review's text (correction-rows.ts). */
export interface CorrectionTable extends Correction {
  /** Hash of the text. */
  readonly text_key: string;
  /** The words on which the finding was based, as a span of the text; none while it is not confirmed. */
  readonly evidence_from: number;
  readonly evidence_to: number;
}

/** A review that was published once and is no longer in the store; removed ones are in `removal`. */
export interface WithdrawnReviewTable {
  id: string;
  source: string;
  /** The change by which the owner took it out, a complete import or `withdraw`; 0 if undo or a restore did. */
  withdrawn_by: number;
}

export const PUBLISHED_CHANGE_KINDS = [
  "import",
  "withdrawal",
  "removal",
  "redaction",
  "restore",
  "undo",
  "correction",
] as const;

/** What a change altered of what is published, in numbers of reviews. */
export interface PublishedChangeTable {
  number: number;
  /** ISO 8601. */
  at: string;
  kind: (typeof PUBLISHED_CHANGE_KINDS)[number];
  added: number;
  changed: number;
  withdrawn: number;
  removed: number;
}

/** A review that is published, or was: what a copy of the publication must know of it (change-sequence.ts). */
interface PublishedReviewTable {
  id: string;
  /** The place of what happened last to the published review in the sequence of all that happened to published reviews. */
  number: number;
  /** 1 if it is no longer published. */
  is_gone: number;
}

/** The highest number of the change sequence after a change of the store. */
export interface SequenceEndTable {
  number: number;
  /** Random: two stores, or two histories of one, have no key in common. */
  key: string;
  /** ISO 8601. */
  at: string;
}

/** When reviews of a source were imported by a change; a restore has the first and last time that its backup knows. */
export interface SourceImportTable {
  source: string;
  change: number;
  /** ISO 8601. */
  first_at: string;
  last_at: string;
}

/** A request for each removal, until its text is erased from the free pages of the store's files. */
interface PendingErasureTable {
  id: number;
  /** ISO 8601. */
  since: string;
}

/** How many imports by command ended with each outcome. */
interface ImportOutcomeTable {
  outcome: "imported" | "unchanged" | "refused" | "failed";
  times: number;
  /** Since the last accepted import; 0 if the outcome is itself an accepted one. */
  in_a_row: number;
  /** ISO 8601. */
  last_at: string;
}

/** The place that a source's reviews are about, by an id of one kind, such as `place_id`. */
export interface SourcePlaceTable {
  source: string;
  kind: string;
  id: string;
}

/** The latest import that had a review, or all that the store then had of its source: `id` is empty then. */
export interface SightingTable {
  source: string;
  id: string;
  /** The place of the import: ids with their kinds, a line each; empty if the files did not tell it. */
  place: string;
  /** The change that the import made; 0 if it made none, so that no undo takes it back. */
  change: number;
  /** When the import was made (ISO 8601). */
  at: string;
  /** When its files were made, as they say; null if they do not. */
  made_at: string | null;
  /** The highest arrival number that the store then had: it had no review with a higher one. Null with an id. */
  arrived: number | null;
  /** The restore that put the sightings of a backup in its place; null while it counts. */
  until_change: number | null;
}

/** A review that an import had and that a later one lacked, although it covered the review's source and place. */
export interface VanishedReviewTable {
  id: string;
  /** The change that wrote the row: the import that lacked the review, or in which it was back, or a restore. */
  change: number;
  source: string;
  rating: number;
  /** When the import that had it last was made, the first one that lacked it, and the one that brought it back. */
  had_last_at: string;
  lacked_first_at: string;
  returned_at: string | null;
  /** The change that put another row in its place; null while it counts. */
  until_change: number | null;
}

/** A change of the store: one line of the history. */
export interface ChangeTable {
  number: number;
  /** ISO 8601. */
  at: string;
  command: string;
  /** The imported or restored files, as JSON. */
  files: string;
  added: number;
  changed: number;
  withdrawn: number;
  undone: number;
  /** The business file before the change, as JSON of text or null; null if the change did not affect it. */
  business_before: string | null;
  /** The places of sources before the change, as JSON; null if the change did not affect them. */
  places_before: string | null;
  /** Size of the saved rows that `goodword undo` needs; null once they have been deleted. */
  saved_bytes: number | null;
}

/** A review as it was before a change, saved for undo. */
export interface SavedRowTable {
  change: number;
  /** Id of the review that the change deleted, replaced or added. */
  id: string;
  /** The new id of the review, if the change gave it one. */
  became: string | null;
  /** The row before the change, as JSON; null if there was none. */
  body: string | null;
  /** If the review was missing before the change because it had been withdrawn: by which change; otherwise 0. */
  withdrawn_by: number;
  /** The source of such a review. */
  withdrawn_source: string | null;
}

export interface Tables {
  followed_source: FollowedSourceTable;
  revision: RevisionTable;
  business: BusinessTable;
  review: ReviewTable;
  analysis: AnalysisTable;
  edition_cache: EditionCacheTable;
  notice: NoticeTable;
  notice_review: NoticeReviewTable;
  notice_delivery: NoticeDeliveryTable;
  notice_address: NoticeAddressTable;
  trouble: TroubleTable;
  session_key: SessionKeyTable;
  subscription: SubscriptionTable;
  intent: IntentTable;
  fan_out: FanOutTable;
  claim: ClaimTable;
  clock_reference: ClockReferenceTable;
  commit_mark: CommitMarkTable;
  removal: RemovalTable;
  removal_key: RemovalKeyTable;
  correction: CorrectionTable;
  edit: EditTable;
  pending_erasure: PendingErasureTable;
  import_outcome: ImportOutcomeTable;
  change: ChangeTable;
  saved_row: SavedRowTable;
  withdrawn_review: WithdrawnReviewTable;
  source_place: SourcePlaceTable;
  published_change: PublishedChangeTable;
  published_review: PublishedReviewTable;
  sequence_end: SequenceEndTable;
  source_import: SourceImportTable;
  sighting: SightingTable;
  vanished_review: VanishedReviewTable;
}

export type Database = Kysely<Tables>;
