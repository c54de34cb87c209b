import assert from "node:assert/strict";
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type NameServer, openNameServer } from "../../test/support/name-server.ts";
import { openNameResolution, parseHosts } from "./name-resolution.ts";

const { signal } = new AbortController();
let server: NameServer;
let onSilence = () => {};
before(async () => {
  server = await openNameServer((name) => {
    if (name === "two.example") return ["192.0.2.1", "192.0.2.2"];
    if (name === "broken.example") return "failure";
    if (name === "silent.example") {
      onSilence();
      return "silence";
    }
    return name === "empty.example" ? [] : "no such name";
  });
});
after(() => server.close());

describe("resolve()", () => {
  const open = (hostsFile = "/nowhere") =>
    openNameResolution({ servers: [server.address], hostsFile, timeoutMs: 60_000 });

  test("asks DNS for all addresses of a name", async () => {
    assert.deepEqual(await open().resolve("Two.Example", signal), ["192.0.2.1", "192.0.2.2"]);
  });

  test("takes an address for what it is", async () => {
    assert.deepEqual(await open().resolve("192.0.2.9", signal), ["192.0.2.9"]);
    assert.deepEqual(await open().resolve("2001:db8::1", signal), ["2001:db8::1"]);
  });

  test("knows localhost and all below it without asking (RFC 6761)", async () => {
    const asked = server.questions.length;
    assert.deepEqual(await open().resolve("localhost", signal), ["127.0.0.1", "::1"]);
    assert.deepEqual(await open().resolve("a.b.localhost", signal), ["127.0.0.1", "::1"]);
    assert.equal(server.questions.length, asked);
  });

  test("rejects names that do not exist, are empty or broken", async () => {
    await assert.rejects(open().resolve("no.example", signal), { code: "ENOTFOUND" });
    await assert.rejects(open().resolve("empty.example", signal), { code: "ENODATA" });
    await assert.rejects(open().resolve("broken.example", signal), { code: "ESERVFAIL" });
  });

  test("stops waiting for a name when told to", async () => {
    const aborter = new AbortController();
    onSilence = () => aborter.abort();
    await assert.rejects(open().resolve("silent.example", aborter.signal), { code: "ECANCELLED" });
    await assert.rejects(open().resolve("two.example", aborter.signal), { name: "AbortError" });
  });

  test("tells a resolver that answers from one that does not", async () => {
    assert.equal(await open().isAnswering(), true);
    const nobody = await openNameServer(() => "silence");
    await nobody.close();
    assert.equal(await openNameResolution({ servers: [nobody.address], timeoutMs: 200 }).isAnswering(), false);
  });

  test("the hosts file comes first, and is read again once it was written", async () => {
    const folder = mkdtempSync(join(tmpdir(), "goodword-"));
    const file = join(folder, "hosts");
    writeFileSync(file, "192.0.2.7 two.example");
    const resolution = open(file);
    assert.deepEqual(await resolution.resolve("two.example", signal), ["192.0.2.7"]);
    writeFileSync(file, "192.0.2.8 two.example");
    utimesSync(file, new Date(), new Date(Date.now() + 5000));
    assert.deepEqual(await resolution.resolve("two.example", signal), ["192.0.2.8"]);
    rmSync(folder, { recursive: true });
  });
});

test("parseHosts() reads lines with several names, comments and both families", () => {
  const hosts = parseHosts("# names\n::1 Box\t box.local # here\n127.0.1.1 box\nnonsense line\n\n10.0.0.1\r\n");
  assert.deepEqual(Object.fromEntries(hosts), { box: ["127.0.1.1", "::1"], "box.local": ["::1"] });
});
