import assert from "node:assert/strict";
import { test } from "node:test";
import { mergeTexts } from "./worker-metrics.ts";

test("mergeTexts() puts the samples of all workers below one heading for each metric", () => {
  const told = (worker: number, count: number) =>
    `# HELP a_total What\n# TYPE a_total counter\na_total{worker="${worker}"} ${count}\n\n# HELP b Empty\n# TYPE b gauge\n`;
  assert.equal(
    mergeTexts([told(1, 3), told(2, 4), ""]),
    '# HELP a_total What\n# TYPE a_total counter\na_total{worker="1"} 3\na_total{worker="2"} 4\n\n# HELP b Empty\n# TYPE b gauge\n',
  );
  assert.equal(mergeTexts([]), "");
});
