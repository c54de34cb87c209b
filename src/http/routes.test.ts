import assert from "node:assert/strict";
import { test } from "node:test";
import { routesTo } from "../../test/support/test-routes.ts";
import { assembleDocument, makeDocument } from "../edition/document.ts";
import { type Edition, openEdition } from "../edition/edition.ts";
import { sharedBytes } from "../lib/shared-memory.ts";
import { renderStore } from "../publication/publication.ts";
import { openStore } from "../store/store.ts";
import { makeLoadShedding } from "./load-shedding.ts";

const store = await openStore("sqlite::memory:");
const edition = openEdition(await renderStore(store, { baseUrl: "http://localhost:8080" }));
await store.close();

test("makeRoutes() answers HEAD with the status of GET, also where a browser gets an error page", async () => {
  for (const current of [edition, undefined]) {
    const routes = routesTo(current);
    for (const path of ["/", "/nothing", "/reviews/none", "/reviews?rating=9", "/api/nothing", "/mcp"]) {
      for (const accept of ["text/html", "application/json"]) {
        const ask = async (method: string) =>
          await routes(new Request(`http://localhost:8080${path}`, { method, headers: { Accept: accept } }));
        const [get, head] = [await ask("GET"), await ask("HEAD")];
        assert.equal(head.status, get.status, `${path} ${accept}`);
        assert.equal(head.headers.get("Content-Type"), get.headers.get("Content-Type"));
        assert.equal(await head.text(), "");
      }
    }
  }
});

test("makeRoutes() counts costly requests by network, so that one household of IPv6 addresses is one client", async () => {
  const counted: string[] = [];
  const shedding = makeLoadShedding({ clock: () => 0, work: () => 0, nextTurn: (run) => void setImmediate(run) });
  let peer = "";
  const routes = routesTo(edition, {
    clientAddress: () => peer,
    shedding: {
      ...shedding,
      admit(client) {
        counted.push(client);
        return true;
      },
      holdBody(client) {
        counted.push(client);
        return () => {};
      },
    },
  });
  for (const address of ["2001:db8:1:2:3::4", "2001:db8:1:2:ffff::1", "::ffff:192.0.2.1", "192.0.2.1"]) {
    peer = address;
    for (const path of ["/api/reviews/search?query=a", "/reviews?rating=5"]) {
      assert.equal((await routes(new Request(`http://localhost:8080${path}`))).status, 200);
    }
    await routes(new Request("http://localhost:8080/mcp", { method: "POST", body: "{}" }));
  }
  assert.equal(counted.length, 12);
  assert.equal(new Set(counted).size, 2);
});

test("makeRoutes() sends the bytes of an edition without a copy", async () => {
  const [first, second] = [sharedBytes(1_000_000), sharedBytes(10)];
  const current: Edition = {
    ...edition,
    document: (path) => makeDocument(path, "application/json", first),
    since: () => assembleDocument("application/json", [first, second]),
  };
  const routes = routesTo(current);
  for (const [path, pieces] of [
    ["/reviews.json?x", [first]],
    ["/api/reviews/since/2026-01-01?x", [first, second]],
  ] as const) {
    const { body } = await routes(new Request(`http://localhost:8080${path}`));
    const sent: Uint8Array[] = await Array.fromAsync(body ?? []);
    assert.equal(sent.length, pieces.length);
    for (const [index, { buffer }] of sent.entries()) assert.ok(buffer === pieces[index]?.buffer);
  }
});
