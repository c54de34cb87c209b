import assert from "node:assert/strict";
import { test } from "node:test";
import { findMojibake } from "./mojibake.ts";

/** A text whose bytes in UTF-8 are taken for Windows-1252. */
const damaged = (text: string) => new TextDecoder("windows-1252").decode(new TextEncoder().encode(text));

test("findMojibake() finds words that were read in a wrong encoding, and says what they were", () => {
  const cases: [string, string][] = [
    ["François fixed it", "François"],
    ["Sehr gründlich", "gründlich"],
    ["It’s fine", "It’s"],
    ["pay 20 €", "€"],
    ["Thanks 😀", "😀"],
    ["Zażółć", "Zażółć"],
    ["Österreich", "Österreich"],
    ["привет всем", "привет"],
    ["బాగుంది", "బాగుంది"],
  ];
  for (const [text, meant] of cases) {
    assert.deepEqual(findMojibake(damaged(text)), { found: damaged(meant), meant }, text);
  }
});

test("findMojibake() leaves sound text alone", () => {
  for (const text of [
    "François",
    "Ça va",
    "ÂGE",
    "naïve café – 20 €",
    "São Paulo",
    "Île",
    "బాగుంది",
    "😀",
    "Â “quoted”",
    "„MENÜ“",
    "QUALITÉ…",
    "AMANHÃ…",
    "«Ã» e «É»",
    "MENÜ“ und MENÜ“",
    "",
    "plain",
  ]) {
    assert.equal(findMojibake(text), undefined, text);
  }
});

test("findMojibake() finds characters that are lost", () => {
  assert.deepEqual(findMojibake("a caf\uFFFD here"), { found: "caf\uFFFD", meant: undefined });
});

test("findMojibake() reads hostile texts in time that grows with the text", () => {
  for (const part of ["a+", "a%27", "a%27+", "a+A", "a+AAAA", "a_x000", "&amp", "\\303", "a√", "b'"]) {
    const startedAt = process.threadCpuUsage().user;
    findMojibake(part.repeat(1_000_000 / part.length));
    assert.ok(process.threadCpuUsage().user - startedAt < 2_000_000, JSON.stringify(part));
  }
});
