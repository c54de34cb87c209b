import assert from "node:assert/strict";
import { test } from "node:test";
import type { Candidate } from "../review/candidate.ts";
import { type Contradiction, mergeVersions } from "./deduplication.ts";

const REVIEW: Candidate = { source: "google", source_id: "a", rating: 5, date: "2024-05-06", written_at: null };
const reply = (text: string, date: string, replied_at: string | null = null) => ({
  owner_reply: { text, date, replied_at },
});

/** Settles the versions in both orders, which must not matter. */
function merged(...others: readonly Partial<Candidate>[]): Candidate | Contradiction {
  const versions = others.map((other, index) => ({ candidate: { ...REVIEW, ...other }, place: `line ${index + 1}` }));
  const forwards = mergeVersions(versions);
  const backwards = mergeVersions(versions.toReversed());
  assert.deepEqual(JSON.parse(JSON.stringify(forwards)), JSON.parse(JSON.stringify(backwards)));
  return forwards;
}

function candidate(...others: readonly Partial<Candidate>[]): Candidate {
  const result = merged(...others);
  assert.ok(!("field" in result), JSON.stringify(result));
  return result;
}

function contradiction(...others: readonly Partial<Candidate>[]): string {
  const result = merged(...others);
  assert.ok("field" in result, JSON.stringify(result));
  return result.field;
}

test("mergeVersions() completes one version from another", () => {
  const one = { author: "Dana", written_at: "2024-05-06T07:08:09Z" };
  const two = { text: null, source_url: "https://example.com/a", written_at: "2024-05-06T07:08:09.123Z" };
  const { author, text, source_url, written_at } = candidate(one, two, { source_id: null });
  assert.deepEqual(
    [author, text, source_url, written_at],
    ["Dana", null, "https://example.com/a", "2024-05-06T07:08:09.123Z"],
  );
});

test("mergeVersions() takes the newest edit, completed from older ones", () => {
  const old = { text: "Old", rating: 1, updated_at: "2024-06-01T00:00:00Z", source_url: "https://example.com/a" };
  const { text, rating, source_url } = candidate(old, { text: "New", updated_at: "2024-06-01T00:00:01Z" });
  assert.deepEqual([text, rating, source_url], ["New", 5, "https://example.com/a"]);
});

test("mergeVersions() lets a copy of a superseded edit go, and refuses what nobody else says", () => {
  const old = { text: "Old", updated_at: "2024-06-01T00:00:00Z" };
  const edit = { text: "New", updated_at: "2024-07-01T00:00:00Z" };
  assert.equal(candidate(old, edit, { text: "Old" }).text, "New");
  assert.equal(contradiction(edit, { text: "Old" }), "text");
});

test("mergeVersions() refuses versions of the same moment that differ", () => {
  assert.equal(contradiction({ rating: 5 }, { rating: 4 }), "rating");
  assert.equal(contradiction({ text: "A" }, { text: null }), "text");
  assert.equal(contradiction({ author: "A" }, { author: "B" }), "author");
  assert.equal(contradiction({ date: "2024-05-06" }, { date: "2024-05-07" }), "date");
  assert.equal(contradiction({ row_verified: 1 }, { row_verified: 0 }), "verified");
  assert.equal(contradiction(reply("A", "2024-05-07"), reply("B", "2024-05-07")), "owner_reply");
  const updated_at = "2024-06-01T00:00:00.5Z";
  assert.equal(contradiction({ text: "A", updated_at }, { text: "B", updated_at: "2024-06-01T00:00:00Z" }), "text");
});

test("mergeVersions() lets an instant overrule the day of another time zone, but not another week", () => {
  const exact = { date: "2024-05-06", written_at: "2024-05-06T23:00:00Z" };
  assert.equal(candidate(exact, { date: "2024-05-07" }).date, "2024-05-06");
  assert.equal(contradiction(exact, { date: "2024-05-13" }), "date");
});

test("mergeVersions() takes the newest reply, and a reply rather than none", () => {
  const old = reply("Old", "2024-05-07", "2024-05-07T10:00:00Z");
  const edit = reply("New", "2024-05-07", "2024-05-07T11:00:00Z");
  assert.equal(candidate(old, edit, { owner_reply: null }, {}).owner_reply?.text, "New");
  assert.equal(candidate(reply("Old", "2024-05-07"), reply("New", "2024-05-09")).owner_reply?.text, "New");
  assert.equal(candidate({ owner_reply: null }, {}).owner_reply, null);
});

test("mergeVersions() takes always the same of two pictures", () => {
  const [a, b] = ["https://example.com/a", "https://example.com/b"];
  assert.equal(
    candidate({ author_avatar_url: b }, { author_avatar_url: a }, { author_avatar_url: null }).author_avatar_url,
    a,
  );
});
