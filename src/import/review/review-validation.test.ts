import assert from "node:assert/strict";
import { test } from "node:test";
import type { RawReview } from "./candidate.ts";
import { type FieldFault, MAX_TEXT_BYTES, validateReview } from "./review-validation.ts";

const RAW: RawReview = { rating: 4, written: { day: "2024-05-06" } };
const judged = (others: Partial<RawReview>, source?: string) =>
  validateReview({ ...RAW, ...others }, {}, { zone: "America/Chicago", ...(source !== undefined && { source }) });

function candidate(others: Partial<RawReview>, source?: string) {
  const result = judged(others, source);
  assert.ok(!Array.isArray(result), JSON.stringify(result));
  return result;
}

function fault(others: Partial<RawReview>): string {
  const result = judged(others);
  assert.ok(Array.isArray(result), JSON.stringify(result));
  return result.map(({ field, message }) => `${field} ${message}`).join("; ");
}

test("validateReview() dates by the business's clock", () => {
  const { date, written_at } = candidate({ written: { instant: "2024-05-06T03:00:00.5Z" } });
  assert.deepEqual([date, written_at], ["2024-05-05", "2024-05-06T03:00:00.5Z"]);
});

test("validateReview() tells what is not carried from what is empty", () => {
  const bare = candidate({});
  assert.deepEqual(
    [bare.text, bare.source_url, bare.owner_reply, bare.author],
    [undefined, undefined, undefined, undefined],
  );
  const empty = candidate({ text: " ", source_url: "", owner_reply: null, author_avatar_url: null });
  assert.deepEqual(
    [empty.text, empty.source_url, empty.owner_reply, empty.author_avatar_url],
    [null, null, null, null],
  );
});

test("validateReview() names the source: the export's, else the run's, else our own", () => {
  assert.equal(candidate({}).source, "first_party");
  assert.equal(candidate({ source: "Google" }).source, "google");
  assert.equal(candidate({ source: "Booking.com" }).source, "booking.com");
  assert.equal(candidate({ source: "Angi Leads" }).source, "angi_leads");
  assert.equal(candidate({ source: "yelp" }, "google").source, "yelp");
  assert.equal(candidate({}, "google").source, "google");
  assert.equal(candidate({ source: "a/b" }).source, "a_b");
});

test("validateReview() takes an id as text or whole number, and none for none", () => {
  assert.equal(candidate({ id: 12 }).source_id, "12");
  assert.equal(candidate({ id: " x " }).source_id, "x");
  for (const id of [undefined, null, "", " "]) assert.equal(candidate({ id }).source_id, null);
  assert.equal(candidate({ id: 2 ** 60 }).source_id, null, "left out: another id could be rounded to the same");
});

test("validateReview() takes a reply apart", () => {
  const written = { instant: "2024-05-07T03:00:00Z" };
  const { owner_reply } = candidate({
    owner_reply: { text: "(Translated by Google) Thanks\n\n(Original)\nDanke", written },
  });
  assert.deepEqual(owner_reply, { text: "Danke", date: "2024-05-06", replied_at: "2024-05-07T03:00:00Z" });
  assert.equal(candidate({ owner_reply: { text: " ", written: { fault: "is nothing" } } }).owner_reply, null);
  for (const undated of [{ fault: "is nothing" }, null]) {
    const reply = candidate({ owner_reply: { text: "Thanks", written: undated } }).owner_reply;
    assert.deepEqual(reply, { text: "Thanks", date: null, replied_at: null });
  }
});

test("validateReview() takes web addresses only, and leaves out what is none", () => {
  assert.equal(candidate({ source_url: "//example.com/a" }).source_url, "https://example.com/a");
  for (const address of [
    "javascript:alert(1)",
    "example.com",
    "/img/a.png",
    "ftp://example.com/",
    5,
    "http://a b/",
    `https://a.example/${"a".repeat(8_192)}`,
  ]) {
    const leftOut: string[] = [];
    const review = { rating: 4, written: { day: "2024-05-06" }, source_url: address, author_avatar_url: address };
    const onLeftOut = ({ field, message }: FieldFault) => leftOut.push(`${field} ${message}`);
    const taken = validateReview(review, { author_avatar_url: "photo" }, { zone: "UTC", onLeftOut });
    assert.ok(!Array.isArray(taken));
    assert.deepEqual([taken.source_url, taken.author_avatar_url], [undefined, undefined]);
    assert.deepEqual(
      leftOut.map(
        (sentence) =>
          /^\w+ (is .*must be an http or https address|has 8210 characters, but must have no more than 8192)$/.exec(
            sentence,
          ) !== null,
      ),
      [true, true],
    );
    assert.match(leftOut[0] ?? "", /^photo /);
  }
});

test("validateReview() reads truth in the usual words", () => {
  for (const verified of [true, 1, "true", "Yes", "1", "TRUE"]) assert.equal(candidate({ verified }).row_verified, 1);
  for (const verified of [false, 0, "false", "no", "0"]) assert.equal(candidate({ verified }).row_verified, 0);
  for (const verified of [undefined, null, ""]) assert.equal(candidate({ verified }).row_verified, undefined);
  assert.equal(candidate({ verified: "maybe" }).row_verified, undefined);
});

test("validateReview() refuses a text above 1 MB and takes one of exactly that", () => {
  assert.equal(candidate({ text: "a".repeat(MAX_TEXT_BYTES) }).text?.length, MAX_TEXT_BYTES);
  assert.match(fault({ text: "é".repeat(MAX_TEXT_BYTES / 2 + 1) }), /^text has 1000002 bytes/);
});

test("validateReview() tells all faults of a review at once", () => {
  const all = fault({ rating: 6, written: { day: "2199-01-01" }, text: "a".repeat(MAX_TEXT_BYTES + 1) });
  for (const field of ["rating is", "written is", "text has"]) assert.match(all, new RegExp(`\\b${field}`));
});

test("validateReview() never refuses a review for an optional field, and names what it leaves out", () => {
  const leftOut: string[] = [];
  const odd = { id: {}, author: [], text: {}, verified: "?", source: 5, source_url: "x", author_avatar_url: 1 };
  const updated = { fault: "is nothing" };
  const owner_reply = { text: {}, written: null };
  const onLeftOut = ({ field }: FieldFault) => leftOut.push(field);
  const taken = validateReview({ ...RAW, ...odd, updated, owner_reply }, {}, { zone: "UTC", onLeftOut });
  assert.ok(!Array.isArray(taken), JSON.stringify(taken));
  const named = ["author", "author_avatar_url", "id", "reply_text", "source_url", "text", "updated", "verified"];
  assert.deepEqual(leftOut.toSorted(), named);
});
