import assert from "node:assert/strict";
import { test } from "node:test";
import { type Edition, openEdition } from "../edition/edition.ts";
import { renderStore } from "../publication/publication.ts";
import { openStore, raiseRevision } from "../store/store.ts";
import { lastModifiedOf } from "./answer-document.ts";

test("lastModifiedOf() gives no date in the future, however far a clock was ahead when the change was committed", async () => {
  const committed = new Date("2027-11-22T10:00:00Z");
  const store = await openStore("sqlite::memory:");
  await raiseRevision(store.database, committed);
  const rendered = await renderStore(store, { baseUrl: "http://localhost:8080" });
  const [first, second] = [openEdition(rendered), openEdition(rendered)];
  await store.close();
  const dateAt = (edition: Edition, now: string) => lastModifiedOf(edition, () => new Date(now)).toISOString();
  assert.equal(dateAt(first, "2026-11-22T10:05:00Z"), "2026-11-22T10:05:00.000Z");
  assert.equal(dateAt(first, "2026-11-22T11:00:00Z"), "2026-11-22T10:05:00.000Z", "one date for one edition");
  assert.equal(dateAt(second, "2027-11-22T11:00:00Z"), committed.toISOString());
});
