import assert from "node:assert/strict";
import { test } from "node:test";
import { isNotModified, type Preconditions } from "./conditional.ts";

const REVISED = new Date("2026-03-01T10:00:00.500Z");
const NOW = new Date("2026-06-01T00:00:00Z");

const CASES: readonly [string, Preconditions, boolean][] = [
  ["nothing asked", none(), false],
  ["the same tag", tag('"abc"'), true],
  ["another tag", tag('"abd"'), false],
  ["the tag compared weakly", tag('W/"abc"'), true],
  ["a list with the tag in it", tag('"x", W/"y","abc"'), true],
  ["a tag that holds a comma", tag('"x,"abc"'), false],
  ["a list after a tag that holds a comma", tag('"x,y", "abc"'), true],
  ["any tag", tag("*"), true],
  ["any tag, with space around", tag("  * "), true],
  ["the tag of the br coding", tag('"abc-br"'), true],
  ["the tag of a coding that does not exist", tag('"abc-lzma"'), false],
  ["an unquoted tag", tag("abc"), false],
  ["an empty If-None-Match", tag(""), false],
  ["the second of the revision", since("Sun, 01 Mar 2026 10:00:00 GMT"), true],
  ["a second before", since("Sun, 01 Mar 2026 09:59:59 GMT"), false],
  ["a time that is still to come", since("Tue, 01 Jun 2027 00:00:00 GMT"), true],
  ["a date that is none", since("2026-03-02"), false],
  ["another tag although the date is fresh", { ...tag('"x"'), ...date("Mon, 02 Mar 2026 10:00:00 GMT") }, false],
  ["the tag although the date is old", { ...tag('"abc"'), ...date("Mon, 02 Mar 2020 10:00:00 GMT") }, true],
];

for (const [name, preconditions, held] of CASES) {
  test(`isNotModified() is ${held} for ${name}`, () => {
    assert.equal(
      isNotModified(preconditions, "abc", REVISED, () => NOW),
      held,
    );
  });
}

function none(): Preconditions {
  return { ifNoneMatch: null, ifModifiedSince: null };
}

function tag(ifNoneMatch: string): Preconditions {
  return { ifNoneMatch, ifModifiedSince: null };
}

function date(ifModifiedSince: string): { ifModifiedSince: string } {
  return { ifModifiedSince };
}

function since(text: string): Preconditions {
  return { ...none(), ...date(text) };
}
