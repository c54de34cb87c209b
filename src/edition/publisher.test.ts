import assert from "node:assert/strict";
import { test } from "node:test";
import type { Edition } from "./edition.ts";
import { openPublisher } from "./publisher.ts";

const at = (revision: number, revisedAt = new Date(revision)) => ({ revision, revisedAt, sample: false }) as Edition;
const stateOf = ({ revision, revisedAt }: Edition) => ({ number: revision, revised_at: revisedAt });
const onFault = (error: unknown) => assert.fail(String(error));

/** A publisher whose store answers when told to, with the editions that came out. */
function publisherOf(kept: Edition | undefined, rendered: Edition) {
  const asked = Promise.withResolvers<{ number: number; revised_at: Date }>();
  const publisher = openPublisher({ kept, revision: () => asked.promise, render: async () => rendered, onFault });
  const published = new Promise<Edition>((resolve) => publisher.onEdition(resolve));
  return { publisher, published, answer: asked.resolve, [Symbol.dispose]: publisher.close };
}

test("a kept edition is current before the store has answered, but confirmed only then", async () => {
  const kept = at(3);
  using parts = publisherOf(kept, at(4));
  assert.equal(parts.publisher.current(), kept);
  assert.equal(parts.publisher.confirmed(), undefined);
  parts.answer(stateOf(kept));
  assert.equal(await parts.published, kept);
  assert.equal(parts.publisher.confirmed(), kept);
});

for (const [what, state] of [
  ["another revision", { number: 4, revised_at: new Date(4) }],
  ["the same revision of another time", { number: 3, revised_at: new Date(4) }],
] as const) {
  test(`a kept edition gives way when the store holds ${what}, and is never confirmed`, async () => {
    const rendered = at(4);
    using parts = publisherOf(at(3), rendered);
    parts.answer(state);
    assert.equal(await parts.published, rendered);
    assert.equal(parts.publisher.confirmed(), rendered);
  });
}

test("without a kept edition there is none until the first is rendered", async () => {
  const rendered = at(1);
  using parts = publisherOf(undefined, rendered);
  assert.equal(parts.publisher.current(), undefined);
  assert.equal(await parts.published, rendered);
});

test("a hint has the store looked at long before the interval is over", async () => {
  let state = stateOf(at(1));
  using publisher = disposable(
    openPublisher({
      kept: at(1),
      revision: async () => state,
      render: async () => at(2),
      onFault,
      intervalMs: 3_600_000,
    }),
  );
  const { promise: confirmed, resolve: confirm } = Promise.withResolvers<void>();
  const published = new Promise<Edition>((resolve) => {
    publisher.onEdition((edition) => (edition.revision === 1 ? confirm() : resolve(edition)));
  });
  await confirmed;
  state = stateOf(at(2));
  publisher.lookSoon();
  assert.equal((await published).revision, 2);
});

function disposable<T extends { close(): void }>(opened: T): T & Disposable {
  return { ...opened, [Symbol.dispose]: opened.close };
}
