/** SIGHUP replaces the workers one after the other, and no client notices. */
import assert from "node:assert/strict";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { run, serveProgram, temporaryFolder } from "../support/program.ts";
import { until } from "../support/within.ts";

/**
 * Has the next process in `folder` make its first edition, as after an update of the program or with PostgreSQL: waits
 * until the present one is saved, which is later than it is served, and deletes it.
 */
async function forgetKeptEdition(folder: string): Promise<void> {
  const kept = () => readdirSync(folder).filter((name) => name.endsWith(".edition"));
  await until(() => kept().length > 0);
  for (const name of kept()) rmSync(join(folder, name));
}

/** Reads a document over and over, each answer to its end, until told to stop. Gives how many answers there were. */
async function readOn(url: string, agent: Agent, isOver: () => boolean): Promise<number> {
  let answers = 0;
  while (!isOver()) {
    const status = await new Promise((resolve, reject) => {
      get(`${url}/reviews.json`, { agent }, (response) => {
        response
          .resume()
          .on("end", () => resolve(response.statusCode))
          .on("error", reject);
      }).on("error", reject);
    });
    assert.equal(status, 200);
    answers += 1;
  }
  return answers;
}

test("a rolling restart refuses no request, on connections that are kept and on new ones", async (t) => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "reviews.csv"), "id,rating,date,text,source\na,4,2025-12-31,Good,google\n");
  assert.equal((await run(folder.path, ["import", "reviews.csv"])).code, 0);
  await using program = await serveProgram(folder.path, {}, ["--workers", "2"]);
  const served = () => new Set(program.log.filter(({ reviews }) => reviews !== undefined).map(({ pid }) => pid));
  await program.logged(() => served().size === 2);
  await holdCounters(program.url);
  const kept = new Agent({ keepAlive: true, maxSockets: 2 });
  const fresh = new Agent({ keepAlive: false, maxSockets: 2 });
  t.after(() => kept.destroy());
  let isOver = false;
  const reading = Promise.all([kept, kept, fresh, fresh].map((agent) => readOn(program.url, agent, () => isOver)));
  reading.catch(() => {});
  await forgetKeptEdition(folder.path);
  program.process.kill("SIGHUP");
  program.process.kill("SIGHUP"); // one more while it is under way changes nothing
  await Promise.race([program.logged(({ msg }) => msg === "All workers were replaced"), reading]);
  isOver = true;
  const answers = await reading;
  t.diagnostic(`${answers.join(" + ")} answers`);
  assert.ok(answers.every((count) => count > 0));
  assert.equal(served().size, 4, "both workers are new");
  assert.equal((await fetch(`${program.url}/readyz`)).status, 200);
  assert.equal(await program.stop(), 0);
});

/** Whichever worker is asked for the figures tells those of both: what was counted is all there, and stays. */
async function holdCounters(url: string): Promise<void> {
  const headers = { Connection: "close" };
  for (let read = 0; read < 10; read++) await (await fetch(`${url}/reviews.json`, { headers })).arrayBuffer();
  for (let scrape = 0; scrape < 6; scrape++) {
    const text = await (await fetch(`${url}/metrics`, { headers })).text();
    const counters = [...text.matchAll(/^goodword_http_requests_total\{(.*)\} (\d+)$/gm)];
    const reads = counters.filter(([, labels = ""]) => labels.includes('route="/reviews.json"'));
    assert.equal(
      reads.reduce((sum, [, , count]) => sum + Number(count), 0),
      10,
    );
    const workers = [...text.matchAll(/^process_start_time_seconds\{worker="(\d)"\}/gm)].map(([, place]) => place);
    assert.deepEqual(workers, ["1", "2"]);
    assert.equal(text.match(/^# TYPE goodword_http_requests_total /gm)?.length, 1);
  }
}
