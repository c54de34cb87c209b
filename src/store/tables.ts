/** The tables of the store, as both engines hold them: text, integers and nulls only. */
import type { Kysely } from "kysely";

/** One row: which revision of the data the store holds, and when it was committed (ISO 8601). */
export interface RevisionTable {
  id: number;
  number: number;
  revised_at: string;
}

/** One row: the owner's file, as JSON. */
export interface BusinessTable {
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
}

/** Analyses of single texts, kept by the hash of what they were made from. Derived: may be emptied at any time. */
export interface AnalysisTable {
  key: string;
  body: string;
}

/** Keys that sign MCP session ids: hexadecimal, the highest number signs, all verify. */
export interface SessionKeyTable {
  number: number;
  secret: string;
  /** ISO 8601. */
  made_at: string;
}

export interface Tables {
  revision: RevisionTable;
  business: BusinessTable;
  review: ReviewTable;
  analysis: AnalysisTable;
  session_key: SessionKeyTable;
}

export type Database = Kysely<Tables>;
