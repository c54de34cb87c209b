import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "../../test/support/properties.ts";
import { chooseCoding, refusesIdentity } from "./accept-encoding.ts";

test("refusesIdentity() is true for identity;q=0, and for *;q=0 unless identity is named", () => {
  for (const header of ["identity;q=0", "br, identity;q=0", "*;q=0", "br, *;q=0.000", "identity;q=0, *"]) {
    assert.equal(refusesIdentity(header), true, header);
  }
  for (const header of [null, "", "br", "*", "identity;q=0.1", "*;q=0, identity", "identity;q=0.5, *;q=0"]) {
    assert.equal(refusesIdentity(header), false, String(header));
  }
});

test("chooseCoding() chooses the coding with the highest weight, and the first in our order among equals", () => {
  const weight = fc.integer({ min: 0, max: 1000 });
  const weights = fc.record({ br: weight, zstd: weight, gzip: weight, identity: weight, deflate: weight });
  fc.assert(
    fc.property(weights, (given) => {
      const header = Object.entries(given).map(([name, q]) => `${name};q=${(q / 1000).toFixed(3)}`);
      const ours = (["br", "zstd", "gzip", "identity"] as const).map((name) => ({ name, q: given[name] }));
      const [best] = ours.filter(({ q }) => q > 0).toSorted((a, b) => b.q - a.q);
      assert.equal(chooseCoding(header.join(", ")), best?.name ?? "identity");
    }),
  );
});

test("chooseCoding() accepts any text, and chooses no coding that the text does not name", () => {
  const token = fc.constantFrom("br", "zstd", "gzip", "deflate", "identity", ";q=0", ";q=1", ";q=", ",", ";", " ", "=");
  const malformed = fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join(""));
  fc.assert(
    fc.property(fc.oneof(fc.string(), malformed), (text) => {
      const choice = chooseCoding(text);
      const isNamed = text.includes("*") || text.toLowerCase().includes(choice);
      assert.ok(choice === "identity" || isNamed, choice);
    }),
  );
});

test("chooseCoding() keeps no memory of what clients send", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const heapAfter = (requests: number) => {
    for (let number = 0; number < 10 * requests; number++) chooseCoding(`gzip, br;q=0.${number}`);
    for (let number = 0; number < requests; number++) chooseCoding(Buffer.alloc(15_000, `gzip, ${number}`).toString());
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = heapAfter(10);
  const growth = Math.max(...[2_500, 2_550].map(heapAfter)) - before; // twice, as a memo may just have been emptied
  assert.ok(growth < 500_000, `${growth} bytes`);
});
