/** The tables of the store, as both engines hold them: text, integers and nulls only. */
import type { Kysely } from "kysely";

/** One row: which revision of the data the store holds, and when it was committed (ISO 8601). */
interface RevisionTable {
  id: number;
  number: number;
  revised_at: string;
}

/** One row: the owner's file, as JSON. */
interface BusinessTable {
  id: number;
  file: string;
}

export interface ReviewTable {
  id: string;
  /** Hash of the source and the source's own id, or of the review's content where the source gave none. */
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
  source_url: string | null;
  reply_text: string | null;
  reply_date: string | null;
  /** What the row itself said of being verified: 1, 0, or null when it said nothing. */
  row_verified: number | null;
  /** The instants behind `date` and `reply_date` where the source gave them (ISO 8601). */
  written_at: string | null;
  replied_at: string | null;
  /** When the customer last edited it, as the source says (ISO 8601). */
  updated_at: string | null;
  /** Rises with each import that adds reviews, and within an import with each source: the lowest came first. */
  arrived: number;
}

/** Analyses of single texts, kept by the hash of what they were made from. Derived: may be emptied at any time. */
export interface AnalysisTable {
  key: string;
  body: string;
}

/** Keys that sign MCP session ids: hexadecimal, the highest number signs, all verify. */
interface SessionKeyTable {
  number: number;
  secret: string;
  /** ISO 8601. */
  made_at: string;
}

/** One subscription: an intent not yet verified, a lease, or both. Times are ISO 8601. */
export interface SubscriptionTable {
  /** Hexadecimal hash of topic and callback. */
  id: string;
  /** The part of the dispatching to which it belongs: all callbacks of one host share it. */
  shard: number;
  /** Path of the topic, such as `/feed.xml`. */
  topic: string;
  callback: string;
  /** Scheme, host and port of the callback. */
  origin: string;
  /** The name under which somebody registered the host: what caps count by. */
  site: string;
  /** Rises with each write: a writer who read an older row must read again. */
  version: number;
  intent_mode: "subscribe" | "unsubscribe" | null;
  intent_token: string | null;
  intent_secret: string | null;
  intent_lease_seconds: number | null;
  intent_known_tag: string | null;
  intent_attempts: number | null;
  intent_due_at: string | null;
  intent_asked_at: string | null;
  /** Hash of the network that sent the request. */
  intent_client: string | null;
  secret: string | null;
  lease_ends_at: string | null;
  failures: number | null;
  /** When it is owed a delivery; null for all who are not in trouble. */
  due_at: string | null;
}

/** How far a topic's newest document has been delivered in one shard. */
interface FanOutTable {
  topic: string;
  shard: number;
  /** Tag of the document that is delivered, and the revision of its edition. */
  tag: string;
  revision: number;
  set_out_at: string;
  /** Id of the last subscription that was taken up; empty at the start. */
  cursor: string;
  /** Ids up to the cursor that are not served yet, separated by spaces. */
  unfinished: string;
  finished: number;
}

/** Who dispatches a shard, until when, and the token that rises with each claim. */
interface ShardClaimTable {
  shard: number;
  owner: string | null;
  token: number;
  claimed_until: string;
}

/** How it went with an address that is followed. Times are ISO 8601. */
export interface FollowedSourceTable {
  /** Hash of what was asked for: the address, the source's name, whether it is whole. */
  key: string;
  last_at: string;
  outcome: string;
  next_at: string;
  /** Failures in a row. */
  failures: number;
  /** The validators of what was imported last. */
  etag: string | null;
  last_modified: string | null;
}

/** One row: which process follows sources, until when, and the token that rises with each claim. */
interface FollowClaimTable {
  id: number;
  owner: string | null;
  token: number;
  claimed_until: string;
}

/** What the owner took out for good, remembered over later imports. */
export interface RemovalTable {
  /** Id of the review, as it was published last. */
  id: string;
  /** The whole review, or its author's name or its words alone. */
  what: "review" | "author" | "text";
  /** ISO 8601. */
  at: string;
}

/** Hashes by which a later import finds a removed or redacted review again: no words, no names. */
export interface RemovalKeyTable {
  id: string;
  kind: "identity" | "words" | "stars" | "stars of an id" | "stars with an id";
  key: string;
}

/** One row while removed words may still lie in freed pages of the store's files. */
interface PendingErasureTable {
  id: number;
  /** ISO 8601. */
  since: string;
}

/** One change of what the store holds: a line of the history. */
export interface ChangeTable {
  number: number;
  /** ISO 8601. */
  at: string;
  command: string;
  /** The files that were imported or restored, as JSON. */
  files: string;
  added: number;
  changed: number;
  withdrawn: number;
  undone: number;
  /** The owner's file before the change, as JSON of text or null; null when the change left it alone. */
  business_before: string | null;
  /** Size of the copies by which it can be undone; null once they are gone. */
  copied_bytes: number | null;
}

/** What one review was before a change. */
export interface ReviewCopyTable {
  change: number;
  /** Id that the change took, altered or added. */
  id: string;
  /** The id that the review got, where the change gave it another. */
  became: string | null;
  /** The row before, as JSON; null when there was none. */
  body: string | null;
}

export interface Tables {
  followed_source: FollowedSourceTable;
  follow_claim: FollowClaimTable;
  revision: RevisionTable;
  business: BusinessTable;
  review: ReviewTable;
  analysis: AnalysisTable;
  session_key: SessionKeyTable;
  subscription: SubscriptionTable;
  fan_out: FanOutTable;
  shard_claim: ShardClaimTable;
  removal: RemovalTable;
  removal_key: RemovalKeyTable;
  pending_erasure: PendingErasureTable;
  change: ChangeTable;
  review_copy: ReviewCopyTable;
}

export type Database = Kysely<Tables>;
