/**
 * Asks a server: for some seconds a cheap document, one after the other, and then the same beside one connection that
 * searches without a break. Prints the milliseconds of each as JSON. `bench/search.ts` starts it.
 *
 *     node bench/search-load.ts URL DOCUMENT SECONDS < searches, one path a line
 */
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";

const [url, path = "", seconds] = process.argv.slice(2);
const searches = (await text(process.stdin)).split("\n");
const PAUSE_MS = 5;

async function ask(path: string, agent: Agent): Promise<number> {
  const startedAt = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const asked = request(`${url}${path}`, { agent }, (answer) => {
    if (answer.statusCode !== 200) reject(new Error(`${path}: ${answer.statusCode}`));
    answer.resume().on("end", resolve);
  });
  asked.on("error", reject).end();
  await promise;
  return performance.now() - startedAt;
}

async function askUntil(end: number, next: (count: number) => string, pauseMs: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  while (performance.now() < end) {
    times.push(await ask(next(times.length), agent));
    if (pauseMs > 0) await wait(pauseMs);
  }
  agent.destroy();
  return times;
}

const during = (from: number) => from + Number(seconds) * 1000;
const cheap = (end: number) => askUntil(end, () => path, PAUSE_MS);
const alone = await cheap(during(performance.now()));
const end = during(performance.now());
const [beside, searching] = await Promise.all([
  cheap(end),
  askUntil(end, (count) => searches[count % searches.length] ?? "", 0),
]);
console.log(JSON.stringify({ alone, beside, searching }));
