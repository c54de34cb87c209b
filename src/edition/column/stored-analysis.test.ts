import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SENTIMENTS } from "../../insights-document.ts";
import { type Names, readStored } from "./stored-analysis.ts";

const TRAPS = ['"', "\\", ',"problems":[', '"}', '","evidence":"', "]}", "{}", ",", "é", "\ud800", "\n", "[]"];
const trap = fc.array(fc.oneof(fc.constantFrom(...TRAPS), fc.string({ unit: "binary", maxLength: 4 })), {
  maxLength: 6,
});
const words = trap.map((parts) => parts.join(""));
const id = fc.oneof(fc.constantFrom("price", "on-time", "no-heat"), words);
const sentiment = fc.constantFrom(...SENTIMENTS);
const aspects = fc.array(fc.record({ id, sentiment, evidence: words }), { maxLength: 3 });
const ids = fc.array(id, { maxLength: 3 });
const stored = fc.record({
  sentiment,
  score: fc.constantFrom(0, -1, 1, 0.37, -0.05),
  aspects,
  problems: ids,
  topics: ids,
});
const named = fc.record({ technicians: ids, services: ids, service_areas: ids });

/** The analysis as it is published. */
function published(
  { sentiment, score, aspects, problems, topics }: typeof stored extends fc.Arbitrary<infer T> ? T : never,
  names: Names,
) {
  const { technicians, services, service_areas } = names;
  return { sentiment, score, aspects, technicians, services, problems, service_areas, topics };
}

test("a stored analysis is read as it would be parsed, and becomes the same JSON", () => {
  let read = 0;
  fc.assert(
    fc.property(stored, named, (analysis, names) => {
      const found = readStored(JSON.stringify(analysis), names);
      if (found === undefined) return; // ids that need escapes are left to the parser
      read++;
      const { json, ...rest } = found;
      const whole = published(analysis, names);
      assert.equal(json, JSON.stringify(whole));
      const said = whole.aspects.map(({ id: aspect, sentiment: mood }) => ({ id: aspect, sentiment: mood }));
      assert.deepEqual(rest, { ...whole, aspects: said });
    }),
    { numRuns: 500 },
  );
  assert.ok(read > 50, String(read));
});

test("a stored analysis that is written in another way is left to the parser", () => {
  const names = { technicians: [], services: [], service_areas: [] };
  const body =
    '{"sentiment":"positive","score":0.5,"aspects":[{"id":"a","sentiment":"neutral","evidence":"b"}],"problems":["c"],"topics":["d","e"]}';
  assert.ok(readStored(body, names) !== undefined);
  fc.assert(
    fc.property(fc.nat(body.length - 1), fc.constantFrom("", " ", '"', "]", "}", ",", "x"), (place, put) => {
      const other = body.slice(0, place) + put + body.slice(place + 1);
      const found = readStored(other, names);
      if (found === undefined) return;
      const { sentiment, score, aspects, problems, topics } = JSON.parse(other);
      assert.equal(found.json, JSON.stringify(published({ sentiment, score, aspects, problems, topics }, names)));
    }),
    { numRuns: 2_000 },
  );
});
