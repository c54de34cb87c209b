/**
 * A process with a hub, to be killed: store and hub are the real ones, and each topic's document says of which revision
 * of the store it is. Prints its port, then each event.
 */
import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { type Document, makeDocument } from "../../src/edition/document.ts";
import { TOPIC_PATHS } from "../../src/edition/topic.ts";
import { openClaims } from "../../src/store/claims.ts";
import { openDatabaseClock } from "../../src/store/database-clock.ts";
import { openStore, readRevision } from "../../src/store/store.ts";
import { openLoneHub } from "./lone-hub.ts";

const [url = "", baseUrl = ""] = process.argv.slice(2);
const store = await openStore(url);
const clock = await openDatabaseClock(store.database);
const listeners: (() => void)[] = [];
let edition: { revision: number; document: (path: string) => Document | undefined } | undefined;

async function print(): Promise<void> {
  const { number } = await readRevision(store.database);
  if (edition?.revision !== number) {
    const text = (path: string) => `${path} ${number} ${"x".repeat(2000)}`;
    const documents = new Map<string, Document>(
      TOPIC_PATHS.map((path) => [path, makeDocument(path, "text/plain", text(path))]),
    );
    edition = { revision: number, document: (path) => documents.get(path) };
    for (const listener of listeners) listener();
  }
  setTimeout(() => void print().catch(() => {}), 20);
}
await print();

const hub = openLoneHub({
  store,
  claims: openClaims(store),
  publisher: { confirmed: () => edition, onEdition: (listener) => void listeners.push(listener) },
  settings: {
    baseUrl,
    retrySeconds: [0.1, 0.1],
    timeoutSeconds: 5,
    lease: { shortest: 60, default: 864_000, longest: 2_592_000 },
    allowCallbacks: ["127.0.0.0/8"],
  },
  log: (event) => process.send?.(event.error === undefined ? event : { ...event, error: String(event.error) }),
  now: clock.now,
  randomBytes,
  limits: { intervalMs: 50 },
});
hub.start();
const server = createAdaptorServer({ fetch: (request) => hub.answer(request, "127.0.0.1") });
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
