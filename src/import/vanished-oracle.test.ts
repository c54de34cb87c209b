/**
 * Which reviews have vanished, over random sequences of mutated exports, against a model that keeps every export.
 * GOODWORD_TEST_EXPORTS=1000 mutates a thousand; GOODWORD_TEST_SEED chooses others.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openSandbox, type Sandbox, takeoutPage, takeoutReview } from "../../test/support/import-sandbox.ts";
import { seededRandom } from "../../test/support/seeded-random.ts";
import { changeToUndo, undoChange } from "../maintenance/undo.ts";
import { listVanishedRows } from "../store/sighting-rows.ts";
import type { ImportReport } from "./importer.ts";

const EXPORTS = Number(process.env.GOODWORD_TEST_EXPORTS ?? 30);
const SEED = Number(process.env.GOODWORD_TEST_SEED ?? 1);
const EXPORTS_OF_A_STORE = 12;
const REVIEWS = 70;
const PAGE = 20;

const KINDS = [
  "whole",
  "whole",
  "whole",
  "lost page",
  "one page",
  "skipping",
  "table",
  "complete table",
  "complete",
] as const;

/** An export: what it has, each review with the time of its last edit, in the order of the pages. */
interface Export {
  readonly kind: (typeof KINDS)[number];
  readonly at: string;
  readonly has: ReadonlyMap<number, string>;
}

/** What is listed of a review: when it was had last, lacked first, and back. */
type Listed = [had: string, lacked: string, returned: string | null];

/** The reviews that have vanished after these exports, by the sentences of the interface alone. */
function model(exports: readonly Export[]): Map<number, Listed> {
  const listed = new Map<number, Listed>();
  const seen = new Map<number, { at: string; isPlaced: boolean }[]>();
  const [stored, edits] = [new Set<number>(), new Map<number, string>()];
  for (const { kind, at, has } of exports) {
    const isPlaced = !kind.endsWith("table");
    const isComplete = kind.startsWith("complete");
    const isGone = (review: number) => listed.get(review)?.[2] === null;
    const lacked = [...stored].filter((review) => !has.has(review));
    for (const [review, time] of has) {
      if (isGone(review)) seen.delete(review);
      if (isGone(review)) listed.set(review, [...(listed.get(review) as Listed).slice(0, 2), at] as unknown as Listed);
      if (!stored.has(review)) for (const each of [seen, edits]) each.delete(review);
      stored.add(review);
      seen.set(review, [...(seen.get(review) ?? []), { at, isPlaced }]);
      if (isPlaced) edits.set(review, [time, edits.get(review) ?? ""].toSorted()[1] ?? "");
      else if (!edits.has(review)) edits.set(review, time.slice(0, 10));
    }
    const hadLast = (review: number) =>
      seen.get(review)?.findLast((one) => isComplete || (isPlaced && one.isPlaced))?.at;
    const missing = lacked.filter((review) => !isGone(review) && hadLast(review) !== undefined);
    const order = [...has.keys(), ...missing].toSorted((a, b) =>
      (edits.get(a) ?? "") < (edits.get(b) ?? "") ? -1 : 1,
    );
    const runs = order
      .map((review) => (has.has(review) ? " " : "x"))
      .join("")
      .split(/ +/);
    const mayLackLast = has.size % PAGE === 0 && (runs[0] !== "" || runs.at(-1) !== "");
    const isDoubted = mayLackLast || runs.some((run) => run.length >= PAGE);
    const isWhole = isComplete || ((kind === "whole" || kind === "lost page") && !isDoubted);
    for (const review of isWhole ? missing : []) listed.set(review, [hadLast(review) ?? "", at, null]);
    for (const review of isComplete ? lacked : []) stored.delete(review);
  }
  return listed;
}

const dayOf = (number: number) => new Date(Date.UTC(2020, 0, 1) + (number - 1) * 86_400_000).toISOString();

/** Writes an export and imports it. */
async function take(box: Sandbox, { kind, at, has }: Export): Promise<ImportReport> {
  const name = `e${at}`.replaceAll(/\W/g, "");
  const now = new Date(at);
  const sorted = [...has].toSorted(([, a], [, b]) => (a < b ? -1 : 1));
  if (kind.endsWith("table")) {
    const rows = sorted.map(
      ([review]) => `${review},Customer ${review},5,${dayOf(review).slice(0, 10)},Words of ${review}`,
    );
    const table = box.write(`${name}.csv`, ["id,author,rating,date,text", ...rows].join("\n"));
    return await box.take(table, {
      now,
      source: "google",
      ...(kind === "complete table" && { complete: true, yes: true }),
    });
  }
  const records = sorted.map(([review, updateTime]) =>
    takeoutReview(String(review), { createTime: dayOf(review), updateTime, comment: `Words of ${review}` }),
  );
  if (kind === "one page") return await box.take(box.write(`${name}/reviews-x.json`, takeoutPage(...records)), { now });
  const other = takeoutReview("1", { name: "accounts/1/locations/3/reviews/1" });
  box.write(`${name}/location-3/reviews.json`, takeoutPage(other));
  for (let from = 0; from < records.length; from += PAGE)
    box.write(`${name}/location-2/reviews-${from}.json`, takeoutPage(...records.slice(from, from + PAGE)));
  const options =
    kind === "skipping" ? { skipInvalid: true } : kind === "complete" ? { complete: true, yes: true } : {};
  return await box.take(`${box.folder}/${name}`, { now, location: "2", ...options });
}

/** A mutation of what the source has: some are new, some edited, some gone or back. */
function mutate(random: () => number, all: Map<number, string>, kind: Export["kind"]): ReadonlyMap<number, string> {
  const gone = random() ** 3;
  for (const [review] of all) if (random() < 0.03) all.set(review, dayOf(1000 + random() * 1000));
  const kept = [...all].filter(() => random() >= gone);
  const has = new Map(kept.length > 0 ? kept : [...all].slice(0, 1));
  if (kind === "one page") return new Map([...has].slice(0, 1 + Math.floor(random() * 15)));
  if (kind !== "lost page") return has;
  const sorted = [...all].toSorted(([, a], [, b]) => (a < b ? -1 : 1));
  const from = PAGE * Math.floor(random() * 4);
  const lost = new Set(sorted.slice(from, from + PAGE).map(([review]) => review));
  return new Map(sorted.filter(([review]) => !lost.has(review)));
}

/** The list of the store, by the numbers of the reviews. */
async function listedIn(box: Sandbox, names: Map<string, number>): Promise<Map<number, Listed>> {
  for (const { id, source_id } of await box.rows()) names.set(id, Number(source_id));
  const rows = (await listVanishedRows(box.store.database)).toReversed(); // the latest one of a review counts
  return new Map(rows.map((row) => [names.get(row.id) ?? 0, [row.had_last_at, row.lacked_first_at, row.returned_at]]));
}

test(`${EXPORTS} mutated exports give exactly the vanished reviews that a model gives`, async () => {
  let [found, back, undone] = [0, 0, 0];
  for (let done = 0; done < EXPORTS; done += EXPORTS_OF_A_STORE) {
    const random = seededRandom(SEED * 1_000_003 + done);
    await using box = await openSandbox();
    const names = new Map<string, number>();
    const all = new Map(Array.from({ length: REVIEWS }, (_, index) => [index + 1, dayOf(index + 1)]));
    const exports: Export[] = [];
    for (let step = 0; step < EXPORTS_OF_A_STORE; step++) {
      const kind = KINDS[Math.floor(random() * KINDS.length)] ?? "whole";
      const at = new Date(Date.UTC(2026, 0, 1, step)).toISOString();
      const next = { kind, at, has: mutate(random, all, kind) };
      const { revised, vanished, returned } = await take(box, next);
      exports.push(next);
      const isUndone = random() < 0.15 && (revised || vanished + returned > 0);
      if (isUndone) {
        await listedIn(box, names);
        await undoChange(box.store, (await changeToUndo(box.store)).number, new Date(at));
        exports.pop();
        undone += 1;
      }
      const [actual, expected] = [await listedIn(box, names), model(exports)];
      const sorted = (one: Map<number, Listed>) => [...one].toSorted(([a], [b]) => a - b);
      assert.deepEqual(
        sorted(actual),
        sorted(expected),
        `store ${done}, step ${step}: ${kind}${isUndone ? ", undone" : ""}`,
      );
      found = Math.max(found, actual.size);
      back += returned;
    }
  }
  assert.ok(found > 3 && back > 0 && undone > 0, "the exports have vanished and returned reviews");
});
