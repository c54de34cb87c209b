import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, test } from "node:test";
import fc from "../../../test/support/properties.ts";
import { makeSecretSealing } from "./secret-sealing.ts";

const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const make = (...keys: readonly Uint8Array[]) => makeSecretSealing(keys, randomBytes);

describe("makeSecretSealing()", () => {
  test("opens what it sealed, with and without a key", () => {
    const secrets = fc.oneof(fc.string(), fc.constantFrom("sealed:x", "plain:x", "plain:sealed:"));
    fc.assert(
      fc.property(secrets, fc.boolean(), (secret, keyed) => {
        const sealing = keyed ? make(first) : make();
        assert.equal(sealing.open(sealing.seal(secret, "id"), "id"), secret);
      }),
    );
  });

  test("seals with the first key, and opens with any", () => {
    const old = make(first).seal("a secret", "id");
    assert.ok(!old.includes("secret"));
    assert.equal(make(second, first).open(old, "id"), "a secret");
    assert.equal(make(first).open(make(second, first).seal("a secret", "id"), "id"), undefined);
  });

  test("opens nothing without the key, for another subscription, or when it was changed", () => {
    const sealed = make(first).seal("a secret", "id");
    assert.deepEqual([make().open(sealed, "id"), make(first).open(sealed, "other")], [undefined, undefined]);
    for (const broken of ["sealed:", "sealed:AAAA", `${sealed.slice(0, -2)}AA`]) {
      assert.equal(make(first).open(broken, "id"), undefined, broken);
    }
  });

  test("reads a secret that was stored before there was a key", () => {
    assert.equal(make(first).open("an old secret", "id"), "an old secret");
  });
});
