/**
 * Asks a server, one question after the other on one connection, and prints the milliseconds of each as JSON. Without a
 * document each path is asked once, and `counts` are the matches that the answers tell. With one, the paths are searched
 * for some seconds without a break, and beside them the document is asked for on a connection of its own; with no path
 * it is asked for alone. `bench/search.ts` starts it.
 *
 *     node bench/search-load.ts URL [DOCUMENT SECONDS] < searches, one path a line
 */
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";

const [url, path, seconds] = process.argv.slice(2);
const searches = (await text(process.stdin)).split("\n").filter((line) => line !== "");
const PAUSE_MS = 5;
/** Questions that are asked first and not measured. */
const WARM_UP = 30;

async function ask(path: string, agent: Agent): Promise<{ readonly ms: number; readonly count: number }> {
  const startedAt = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<{ body: string; total: unknown }>();
  const asked = request(`${url}${path}`, { agent }, (answer) => {
    if (answer.statusCode !== 200) reject(new Error(`${path}: ${answer.statusCode}`));
    text(answer).then((body) => resolve({ body, total: answer.headers["x-total-count"] }), reject);
  });
  asked.on("error", reject).end();
  const { body, total } = await promise;
  const ms = performance.now() - startedAt;
  return { ms, count: Number(total ?? JSON.parse(body).matched) };
}

async function askUntil(end: number, next: (count: number) => string, pauseMs: number): Promise<number[]> {
  using agent = oneConnection();
  const times: number[] = [];
  while (performance.now() < end) {
    times.push((await ask(next(times.length), agent)).ms);
    if (pauseMs > 0) await wait(pauseMs);
  }
  return times;
}

async function askEach(paths: readonly string[]) {
  using agent = oneConnection();
  const answers: Awaited<ReturnType<typeof ask>>[] = [];
  for (const path of paths) answers.push(await ask(path, agent));
  return { times: answers.map(({ ms }) => ms), counts: answers.map(({ count }) => count) };
}

function oneConnection(): Agent & Disposable {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return Object.assign(agent, { [Symbol.dispose]: () => agent.destroy() });
}

if (path === undefined) {
  await askEach(searches.slice(0, WARM_UP));
  console.log(JSON.stringify(await askEach(searches)));
} else {
  const end = performance.now() + Number(seconds) * 1000;
  const [cheap, searching] = await Promise.all([
    askUntil(end, () => path, PAUSE_MS),
    searches.length === 0 ? [] : askUntil(end, (count) => searches[count % searches.length] ?? "", 0),
  ]);
  console.log(JSON.stringify({ cheap, searching }));
}
