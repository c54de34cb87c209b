/**
 * `goodword sources`: lists the followed sources in business.yaml and the outcome of their last import, and fetches them
 * now if asked to.
 */
import { intervalSeconds } from "../../business.ts";
import { sourceKey } from "../../follow/follower.ts";
import { readFollowedSources } from "../../store/followed-source-rows.ts";
import { openStore, readBusiness, type Store } from "../../store/store.ts";
import type { Config } from "../config.ts";
import { openFollowing } from "../followed-sources.ts";
import { localTime } from "../terminal/local-time.ts";
import { asTyped } from "../terminal/typed-command.ts";

/**
 * Prints a few lines per address, or the list as JSON.
 * @throws Error if an address that was fetched now could not be imported, or another process fetches at the moment.
 */
export async function sourcesCommand(
  config: Config,
  { fetch = false, json = false }: { readonly fetch?: boolean; readonly json?: boolean },
): Promise<void> {
  const store = await openStore(config.DATABASE_URL);
  try {
    const failed = fetch ? await fetchNow(config, store) : 0;
    await list(store, json);
    if (failed > 0)
      throw new Error(
        `${failed === 1 ? "1 address" : `${failed} addresses`} could not be imported now, for the reason above. The list shows the last recorded try; this one is not recorded.`,
      );
  } finally {
    await store.close();
  }
}

/** Fetches and imports every address. Returns how many failed. */
async function fetchNow(config: Config, store: Store): Promise<number> {
  let failed = 0;
  const follower = openFollowing(config, { store, now: () => new Date() }, (event) => {
    if (event.event === "failed") {
      failed += 1;
      process.stderr.write(asTyped(`error: ${event.url}: ${event.reason}\n`));
    }
    if (event.event !== "imported") return;
    for (const warning of event.warnings) process.stderr.write(asTyped(`warning: ${event.url}: ${warning}\n`));
  });
  try {
    if (await follower.round({ isForced: true })) return failed;
    throw new Error("A server fetches these addresses at the moment. Run it again when that has ended.");
  } finally {
    await follower.close();
  }
}

async function list(store: Store, json: boolean): Promise<void> {
  const sources = (await readBusiness(store.database))?.sources ?? [];
  const rows = await readFollowedSources(store);
  const lines = sources.map((source) => {
    const row = rows.get(sourceKey(source));
    return {
      url: source.url,
      source: source.source ?? null,
      every_seconds: intervalSeconds(source.every) ?? null,
      last_at: row?.last_at ?? null,
      outcome: row?.outcome ?? null,
      next_at: row?.next_at ?? null,
    };
  });
  if (json) return void process.stdout.write(`${JSON.stringify(lines)}\n`);
  for (const { url, source, last_at, outcome, next_at } of lines) {
    const tried = last_at === null ? "none yet: a running server fetches it" : `${localTime(last_at)}, ${outcome}`;
    const next = next_at === null ? "as soon as a server runs" : `${localTime(next_at)}, if a server runs`;
    process.stdout.write(`${url}${source === null ? "" : ` (${source})`}\n  last try  ${tried}\n  next try  ${next}\n`);
  }
  if (lines.length === 0) {
    process.stdout.write(
      "No addresses are followed. Name them under sources in business.yaml, and import that file.\n",
    );
  }
}
