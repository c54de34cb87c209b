/**
 * Measures how the cost of merging duplicates grows with their number: N reviews in two versions each, settled to one.
 * `node bench/staging.ts`. Linear growth doubles the processor time with each line; a scan a review quadruples it.
 */
import { openStaging } from "../src/store/staging/staging.ts";

const SIZES = [5_000, 10_000, 20_000, 40_000, 80_000];

/** Processor milliseconds for taking, gathering and settling so many reviews. */
function settle(reviews: number): number {
  const staging = openStaging();
  const start = process.cpuUsage();
  for (let index = 0; index < 2 * reviews; index += 1) {
    const key = `key ${index % reviews}`;
    const body = JSON.stringify({ author: key, text: `Version ${index < reviews ? 1 : 2} of ${key}` });
    staging.add({
      ...{ id: key, source_key: key, natural_key: key, source: "google", basis: "own id" },
      ...{ place: `line ${index}`, body },
    });
  }
  staging.groupVersions();
  for (const versions of staging.duplicates()) staging.replace(versions, versions[0]);
  const { user, system } = process.cpuUsage(start);
  staging.close();
  return (user + system) / 1000;
}

settle(1_000);
let before: number | undefined;
for (const size of SIZES) {
  const milliseconds = settle(size);
  const growth = before === undefined ? "" : `, ${(milliseconds / before).toFixed(2)} times the line before`;
  process.stdout.write(`${size} reviews: ${milliseconds.toFixed(0)} ms of processor time${growth}\n`);
  before = milliseconds;
}
