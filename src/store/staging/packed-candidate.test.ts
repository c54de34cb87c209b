import assert from "node:assert/strict";
import { test } from "node:test";
import { type Candidate, packCandidate, unpackCandidate } from "./packed-candidate.ts";

const least = { source: "google", source_id: null, rating: 4, date: "2024-05-06", written_at: null };
const identity = { id: "01HX", source_key: "ab", natural_key: "cd" };
const CANDIDATES: readonly Candidate[] = [
  least,
  { ...least, source_id: "x", text: null, author_avatar_url: null, source_url: null, owner_reply: null },
  {
    ...least,
    text: "",
    author: "Zoë \u{1F600}",
    row_verified: 0,
    owner_reply: { text: "a", date: "b", replied_at: null },
  },
  {
    ...{ source: "yelp", source_id: "null", published_id: "01HY", author: "undefined", author_avatar_url: "https://a" },
    ...{
      rating: 1,
      date: "2024-05-06",
      written_at: "2024-05-06T07:08:09.1Z",
      text: "two\n\tlines \u2028",
      source_url: "",
    },
    owner_reply: { text: "a", date: "2024-05-07", replied_at: "2024-05-07T00:00:00Z" },
    ...{ row_verified: 1, updated_at: "2024-05-08T00:00:00Z", redacted: identity },
  },
];

test("unpackCandidate() gives the candidate that was packed, and two of them have the same text only if they are equal", () => {
  for (const candidate of CANDIDATES) {
    assert.equal(JSON.stringify(unpackCandidate(packCandidate(candidate))), JSON.stringify({ ...SHAPE, ...candidate }));
  }
  assert.equal(new Set(CANDIDATES.map(packCandidate)).size, CANDIDATES.length);
});

/** The members in their order, which decides between versions that contradict each other. */
const SHAPE = {
  ...{ source: "", source_id: null, published_id: undefined, author: undefined, author_avatar_url: undefined },
  ...{ rating: 0, date: "", written_at: null, text: undefined, source_url: undefined, owner_reply: undefined },
  ...{ row_verified: undefined, updated_at: undefined, redacted: undefined },
};

test("unpackCandidate() refuses a text that is no candidate", () => {
  const broken = packCandidate({ ...least, author: "a\u0001b" });
  assert.throws(() => unpackCandidate(broken), /has 19 fields instead of 18/);
});
