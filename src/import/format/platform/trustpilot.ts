/** Trustpilot's service reviews: the table exported by Trustpilot Business, and pages of the API. */

import { quote } from "../../../issue.ts";
import { isObject, members } from "../../../lib/json-object.ts";
import { rowPlaces, tellsPlace } from "../../place/told-place.ts";
import type { Entry, FieldNames, RawReview } from "../../review/candidate.ts";
import { isoTime, type ReviewTime } from "../../review/iso-time.ts";
import { readField } from "../../review/member-picks.ts";
import { isHidingWord } from "../../review/publication-state.ts";
import { openPicks } from "../../review/read-from.ts";
import { titledText } from "../../review/titled-text.ts";
import { type Format, jsonFormat, located } from "../format.ts";
import { hiddenColumns } from "../hidden-columns.ts";
import { areOfVendor, type Shape } from "../vendor-shape.ts";

/** Column names per field. They differ between exports from different years. */
const COLUMNS = {
  id: ["review id"],
  author: ["review username", "review user name"],
  rating: ["review stars"],
  written: ["review created (utc)"],
  title: ["review title"],
  text: ["review content"],
  source_url: ["review url"],
  reply_text: [
    "company response",
    "company reply text",
    "company reply",
    "review company reply",
    "business reply",
    "business reply text",
  ],
  reply_written: ["company reply date (utc)", "business reply date (utc)"],
} as const;

/** Fields that are words, names or links: they are not read of a column that the sheet hides. */
const PUBLISHED: ReadonlySet<string> = new Set([
  "author",
  "title",
  "text",
  "source_url",
  "reply_text",
  "reply_written",
]);

export const trustpilotTable: Format = {
  name: "Trustpilot",
  extent: () => "whole",
  recognises(content) {
    if (content.syntax !== "csv") return false;
    const find = columnFinder(content.columns);
    return find("rating") !== -1 && find("written") !== -1;
  },
  async *records(content): AsyncGenerator<Entry> {
    if (content.syntax !== "csv") return;
    const find = columnFinder(content.columns);
    const placeOf = rowPlaces(content.columns);
    const isUnseen = (field: string, index: number) =>
      PUBLISHED.has(field) && content.hidden?.columns.has(index) === true;
    const unseen = Object.keys(COLUMNS).filter((field) => isUnseen(field, find(field as keyof typeof COLUMNS)));
    if (unseen.length > 0)
      yield {
        at: content.headerAt,
        warning: hiddenColumns(unseen.map((field) => content.columns[find(field as keyof typeof COLUMNS)] ?? "")),
      };
    const indexes = (Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).map(
      (field) => [field, unseen.includes(field) ? -1 : find(field)] as const,
    );
    const names: FieldNames = Object.fromEntries(
      indexes.filter(([, index]) => index !== -1).map(([field, index]) => [field, content.columns[index]]),
    );
    const state = content.columns.findIndex((column) => /^(?:review )?(?:status|state)$/i.test(column.trim()));
    const unused = content.columns.filter(
      (column, index) =>
        column.trim() !== "" && index !== state && !tellsPlace(column) && !Object.values(names).includes(column),
    );
    if (unused.length > 0)
      yield {
        at: content.headerAt,
        warning: `does not use the columns ${unused
          .slice(0, 30)
          .map((column) => quote(column))
          .join(", ")}`,
      };
    const picks = openPicks();
    for (const column of content.columns) if (tellsPlace(column)) picks.note("location", column);
    if (state !== -1) picks.note("state", content.columns[state] ?? "");
    for await (const rows of content.rows()) {
      for (const row of rows) {
        const at = `${content.unit} ${row.line}`;
        if (!("cells" in row)) yield { at, ...row };
        else {
          const cells = indexes.map(([field, index]) => [field, index === -1 ? undefined : row.cells[index] || null]);
          const said = row.cells[state];
          const hidden = isHidingWord(said) ? `${content.columns[state]}: ${said}` : null;
          if (hidden === null && state !== -1) picks.show(content.columns[state] ?? "", said);
          const review = { ...fromCells(Object.fromEntries(cells)), ...(state !== -1 && { hidden }) };
          for (const [field, index] of indexes)
            if (index !== -1 && row.cells[index]) picks.note(readField(field), content.columns[index] ?? "");
          yield { at, review, names, place: placeOf(row.cells) };
        }
      }
    }
    yield { at: "", readFrom: picks.told() };
  },
};

function columnFinder(columns: readonly string[]): (field: keyof typeof COLUMNS) => number {
  const lower = columns.map((column) => column.trim().toLowerCase());
  return (field) => lower.findIndex((column) => (COLUMNS[field] as readonly string[]).includes(column));
}

type Cells = Readonly<Record<keyof typeof COLUMNS, string | null | undefined>>;

function fromCells({ id, author, rating, written, title, text, source_url, ...reply }: Cells): RawReview {
  const { reply_text, reply_written } = reply;
  return {
    source: "trustpilot",
    id,
    author,
    rating,
    written: utcTime(written),
    text: titledText(title, text),
    source_url,
    owner_reply: reply_text
      ? { text: reply_text, written: utcTime(reply_written) }
      : reply_text === undefined
        ? undefined
        : null,
  };
}

const API_SHAPE: Shape = {
  stars: "number",
  consumer: "object",
  createdAt: "text",
  title: "text?",
  text: "text?",
  companyReply: "object?",
};

export const trustpilotApi = jsonFormat({
  name: "Trustpilot API",
  names: {
    id: "id",
    author: "consumer.displayName",
    title: "title",
    text: "text",
    rating: "stars",
    written: "createdAt",
    updated: "updatedAt",
    reply_text: "companyReply.text",
    reply_written: "companyReply.createdAt",
  },
  shape: API_SHAPE,
  extent: ({ links }) => (hasNextPage(links) ? "page" : "whole"),
  find(value) {
    const records = located(members(value).reviews, "reviews");
    return areOfVendor(records, API_SHAPE) ? records : undefined;
  },
  read: (record) => ({
    source: "trustpilot",
    id: record.id,
    author: members(record.consumer).displayName,
    rating: record.stars,
    written: isoTime(record.createdAt),
    updated: record.updatedAt ? isoTime(record.updatedAt) : undefined,
    text: titledText(record.title, record.text),
    owner_reply: isObject(record.companyReply)
      ? { text: record.companyReply.text, written: isoTime(record.companyReply.createdAt) }
      : null,
  }),
});

function hasNextPage(links: unknown): boolean {
  return Array.isArray(links) && links.some((link) => members(link).rel === "next-page");
}

/** Parses a time from a column whose name declares UTC, even if the value has no offset. */
function utcTime(value: string | null | undefined): ReviewTime {
  return isoTime(
    typeof value === "string" && /\d:\d{2}(?::\d{2}(?:\.\d+)?)?$/.test(value.trim()) ? `${value.trim()}Z` : value,
  );
}
