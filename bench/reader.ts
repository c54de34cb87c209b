/**
 * Readers, one for each address: each asks for its document again and again, on a new connection each time, until the
 * standard input ends, as it also does when the bench is killed. Then their answers are printed as JSON: for each address,
 * when they were asked for (milliseconds of the machine's clock) and how long they took. `bench/change.ts` starts it, so
 * that what else the bench does is not waited for.
 *
 *     node bench/reader.ts URL …
 */
import { setTimeout as wait } from "node:timers/promises";
import { ask } from "../test/wire.ts";

const urls = process.argv.slice(2);
/** So that each address is asked some 150 times a second. */
const PAUSE_MS = 6;

let isOver = false;
process.stdin.resume().once("end", () => {
  isOver = true;
});

async function read(url: string): Promise<[number, number][]> {
  const answers: [number, number][] = [];
  while (!isOver) {
    const before = performance.now();
    await ask(url);
    answers.push([performance.timeOrigin + before, performance.now() - before]);
    await wait(PAUSE_MS);
  }
  return answers;
}

console.log(JSON.stringify(await Promise.all(urls.map(read))));
