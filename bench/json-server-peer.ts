/**
 * json-server with the reviews of a bench, in a process of its own: the last line of versions that filters by text. It
 * reads its file as one string, so more reviews than fit into the longest string of V8 cannot be loaded.
 */
import { constants } from "node:buffer";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Filter } from "../src/filter.ts";
import type { Review } from "../src/review.ts";
import { freePort } from "../test/support/free-port.ts";
import { ask } from "../test/support/wire.ts";

export interface JsonServer extends Disposable {
  readonly url: string;
}

/** Starts json-server on a file in `folder`; or says why it cannot be. */
export async function openJsonServer(folder: string, reviews: readonly Review[]): Promise<JsonServer | string> {
  const records = reviews.values().map(({ id, rating, date, text }) => JSON.stringify({ id, rating, date, text }));
  const path = join(folder, "db.json");
  let length = 0;
  const kept: string[] = [];
  for (const record of records) {
    length += record.length + 1;
    if (length > constants.MAX_STRING_LENGTH)
      return `its file is longer than the ${Math.round(constants.MAX_STRING_LENGTH / 1e6)} MB that a string can have`;
    kept.push(record);
  }
  writeFileSync(path, `{"reviews":[${kept.join(",")}]}`);
  const bin = join(import.meta.dirname, "..", "node_modules", "json-server", "lib", "cli", "bin.js");
  const port = await freePort();
  const args = [bin, path, "--host", "127.0.0.1", "--port", String(port)];
  const child = spawn(process.execPath, [...args, "--quiet", "--read-only", "--no-cors", "--no-gzip"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await ask(`${url}/reviews/${reviews[0]?.id}`).catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error(`json-server ended with the status ${child.exitCode}`);
    await wait(100);
  }
  return { url, [Symbol.dispose]: () => void child.kill() };
}

/** The address of a search; the number of all matches is in the header `X-Total-Count`. */
export function jsonServerPath({ query = "", rating, since, limit }: Filter): string {
  const asked = new URLSearchParams({ text_like: query, _page: "1", _limit: String(limit) });
  if (rating !== undefined) asked.set("rating", String(rating));
  if (since !== undefined) asked.set("date_gte", since);
  return `/reviews?${asked}`;
}
