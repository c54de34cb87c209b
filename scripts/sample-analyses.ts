/** Makes models/sample-analyses.jsonl: the analyses of the sample's reviews, by the analyser as it is now. */
import { writeFileSync } from "node:fs";
import { readSample, SAMPLE_ANALYSES } from "../src/publication/sample.ts";

const { analyses } = await readSample([]);
const lines = [...analyses]
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([key, body]) => JSON.stringify({ key, body }));
writeFileSync(SAMPLE_ANALYSES, `${lines.join("\n")}\n`);
