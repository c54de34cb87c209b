import assert from "node:assert/strict";
import { test } from "node:test";
import type { RenderedEdition } from "../edition/render-datasets.ts";
import type { Revision } from "../store/store.ts";
import { renderSample } from "./publication.ts";
import { openPublisher } from "./publisher.ts";

const sample = { ...(await renderSample("https://reviews.example")), sample: false };

/** An edition of a revision; `lacking` some of its documents. */
function editionOf(revision: number, { revisedAt = new Date(revision), lacking = "" } = {}): RenderedEdition {
  const documents = sample.documents.filter(({ path }) => path !== lacking);
  return { ...sample, revision, revisedAt, documents };
}

const stateOf = ({ revision, revisedAt }: RenderedEdition): Revision => ({ number: revision, revised_at: revisedAt });

/** A publisher whose store holds `states` in turn, the last one for good, and renders `rendered` in turn. */
function publisherOf(
  cached: RenderedEdition | undefined,
  states: readonly (Revision | Error)[],
  rendered: readonly (RenderedEdition | Error)[],
) {
  const [statesLeft, renderedLeft] = [[...states], [...rendered]];
  const faults: unknown[] = [];
  const published: string[] = [];
  const ended = Promise.withResolvers<void>();
  const publisher = openPublisher({
    cached,
    async readRevision() {
      const state = statesLeft.length > 1 ? statesLeft.shift() : statesLeft[0];
      if (state instanceof Error) throw state;
      if (renderedLeft.length === 0) ended.resolve();
      return state as Revision;
    },
    async render() {
      const next = renderedLeft.shift();
      if (next instanceof Error) throw next;
      return next ?? assert.fail("rendered too often");
    },
    isAway: (error) => (error as Error).message === "away",
    onFault: (error) => faults.push((error as Error).message),
    pollMs: () => 1,
  });
  publisher.onEdition(({ revision }) => published.push(`${revision} ${publisher.confirmed()?.revision}`));
  /** Resolves when all has been rendered and the store is looked at again. */
  return { ...publisher, faults, published, ended: ended.promise, [Symbol.dispose]: publisher.close };
}

test("a cached edition is current before the store has answered, and confirmed only then", async () => {
  const cached = editionOf(3);
  using parts = publisherOf(cached, [stateOf(cached)], [editionOf(3)]);
  assert.deepEqual([parts.current()?.revision, parts.confirmed()], [3, undefined]);
  await parts.ended;
  assert.deepEqual([parts.published, parts.confirmed()?.revision, parts.faults], [["3 3"], 3, []]);
});

for (const [what, state] of [
  ["another revision", { number: 4, revised_at: new Date(4) }],
  ["the same revision of another time", { number: 3, revised_at: new Date(4) }],
] as const) {
  test(`a cached edition gives way when the store holds ${what}, and is never confirmed`, async () => {
    const rendered = editionOf(state.number, { revisedAt: state.revised_at });
    using parts = publisherOf(editionOf(3), [state], [rendered]);
    await parts.ended;
    assert.deepEqual(
      [parts.published, parts.confirmed()?.revisedAt],
      [[`${state.number} ${state.number}`], new Date(4)],
    );
  });
}

test("a cached edition that differs from what the store gives is replaced, and that is reported", async () => {
  const cached = editionOf(3, { lacking: "/feed.xml" });
  using parts = publisherOf(cached, [stateOf(cached)], [editionOf(3)]);
  await parts.ended;
  assert.deepEqual(parts.published, ["3 3", "3 3"]);
  assert.match(String(parts.faults), /cache did not match the store/);
  assert.ok(parts.current()?.document("/feed.xml") !== undefined);
});

test("a change while the cached edition is rendered again is published, and is no fault of the cache", async () => {
  const cached = editionOf(3);
  using parts = publisherOf(cached, [stateOf(cached), stateOf(editionOf(4))], [editionOf(4, { lacking: "/feed.xml" })]);
  await parts.ended;
  assert.deepEqual([parts.published, parts.faults], [["3 3", "4 4"], []]);
});

test("without a cached edition there is none until the first is rendered", async () => {
  using parts = publisherOf(undefined, [stateOf(editionOf(1))], [editionOf(1)]);
  assert.equal(parts.current(), undefined);
  await parts.ended;
  assert.deepEqual(parts.published, ["1 1"]);
});

test("a fault is reported and the step repeated; a store that is away is no fault of an edition", async () => {
  const state = stateOf(editionOf(1));
  using parts = publisherOf(undefined, [new Error("away"), state, state], [new Error("no memory"), editionOf(1)]);
  await parts.ended;
  assert.deepEqual(parts.faults, ["away", "no memory"]);
  const { published, faults, secondsBehind } = parts.figures();
  assert.deepEqual([published, faults, secondsBehind, parts.isStoreAway()], [1, 1, 0, false]);
});
