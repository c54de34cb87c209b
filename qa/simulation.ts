/**
 * Runs histories of the hub in virtual time (test/support/simulation/hub-history.ts) and prints what was broken of
 * interface §4, with the seed that repeats it. One history alone is shown with its events.
 *
 *     node qa/simulation.ts [HISTORIES [SEED]]
 */
import { runHistory } from "../test/support/simulation/hub-history.ts";

const HISTORIES = Number(process.argv[2] ?? 10_000);
const SEED = Number(process.argv[3] ?? 1);
const PROGRESS_EVERY_MS = 10_000;

const startedAt = performance.now();
let shownAt = startedAt;
let violated = 0;
const sums = { deliveries: 0, repeated: 0, losses: 0 };
for (let index = 0; index < HISTORIES; index++) {
  const history = await runHistory(SEED + index, HISTORIES === 1 ? { show: console.log } : {});
  sums.deliveries += history.deliveries;
  sums.repeated += history.repeated;
  sums.losses += history.losses;
  if (history.violations.length > 0) {
    violated++;
    console.log(`seed ${SEED + index}: ${history.description}\n  ${history.violations.join("\n  ")}`);
  }
  if (performance.now() - shownAt < PROGRESS_EVERY_MS) continue;
  shownAt = performance.now();
  console.error(`${index + 1} histories in ${Math.round((shownAt - startedAt) / 1000)} s`);
}
const seconds = Math.round((performance.now() - startedAt) / 1000);
console.log(
  `${HISTORIES} histories from the seed ${SEED} in ${seconds} s: ${sums.deliveries} deliveries, ${sums.losses} losses of a process, ${sums.repeated} deliveries repeated; ${violated} histories with violations`,
);
process.exitCode = violated > 0 ? 1 : 0;
