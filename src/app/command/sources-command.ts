/** `goodword sources`: lists the followed sources in business.yaml and the outcome of their last import. */
import { intervalSeconds } from "../../business.ts";
import { sourceKey } from "../../follow/follower.ts";
import { readFollowedSources } from "../../store/followed-source-rows.ts";
import { openStore, readBusiness } from "../../store/store.ts";

/** Prints a few lines per address, or the list as JSON. */
export async function sourcesCommand(databaseUrl: string, json: boolean): Promise<void> {
  const store = await openStore(databaseUrl);
  try {
    const sources = (await readBusiness(store.database))?.sources ?? [];
    const rows = await readFollowedSources(store);
    const list = sources.map((source) => {
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
    if (json) return void process.stdout.write(`${JSON.stringify(list)}\n`);
    for (const { url, source, last_at, outcome, next_at } of list) {
      const lines = [
        `${url}${source === null ? "" : ` (${source})`}`,
        `  last try  ${last_at === null ? "none yet: a running server fetches it" : `${last_at}, ${outcome}`}`,
        `  next try  ${next_at ?? "as soon as a server runs"}`,
      ];
      process.stdout.write(`${lines.join("\n")}\n`);
    }
    if (list.length === 0) {
      process.stdout.write(
        "No addresses are followed. Name them under sources in business.yaml, and import that file.\n",
      );
    }
  } finally {
    await store.close();
  }
}
