/**
 * `goodword sources`: lists the followed sources in business.yaml and the outcome of their last import, and fetches them
 * now with `--fetch`.
 */
import { randomBytes } from "node:crypto";
import { intervalSeconds } from "../../business.ts";
import type { FollowEvent } from "../../follow/follower.ts";
import { sourceKey, sourceNaming } from "../../follow/shown-source.ts";
import { ASSUMED_SOURCE } from "../../import/review/review-source.ts";
import { openClaims } from "../../store/claims.ts";
import { readFollowedSources } from "../../store/followed-source-rows.ts";
import { countUnverified } from "../../store/review-rows.ts";
import { type SessionKey, sessionKeys, sourceSecret } from "../../store/session-keys.ts";
import { openStore, readBusiness, type Store } from "../../store/store.ts";
import type { Config } from "../config.ts";
import { openFollowing } from "../followed-sources.ts";
import { localTime } from "../terminal/terminal-text.ts";
import { asTyped } from "../terminal/typed-command.ts";

/**
 * Prints a few lines per address, or the list as JSON.
 * @throws Error if an address that was fetched now could not be imported, or another process is fetching.
 */
export async function sourcesCommand(
  config: Config,
  { fetch = false, json = false }: { readonly fetch?: boolean; readonly json?: boolean },
): Promise<void> {
  const store = await openStore(config.DATABASE_URL);
  try {
    const keys = await sessionKeys(store, new Date(), randomBytes);
    const tries = fetch ? await fetchNow(config, store, keys) : [];
    await list(store, tries, { keys, json });
    const failed = tries.filter(({ event }) => event === "failed").length;
    if (failed > 0)
      throw new Error(
        `${failed === 1 ? "1 address" : `${failed} addresses`} could not be imported now, for the reason above. This try is not recorded.`,
      );
  } finally {
    await store.close();
  }
}

/** Fetches and imports every address. Returns how each went, in the order of business.yaml. */
async function fetchNow(config: Config, store: Store, keys: readonly SessionKey[]): Promise<readonly FollowEvent[]> {
  const tries: FollowEvent[] = [];
  const claims = openClaims(store);
  const follower = openFollowing(
    config,
    { store, claims, now: () => new Date(), keys, keySetting: (name) => process.env[name] },
    (event) => {
      tries.push(event);
      if (event.event === "failed") process.stderr.write(asTyped(`error: ${event.source.url}: ${event.quoting}\n`));
      if (event.event !== "imported") return;
      for (const warning of event.warnings) process.stderr.write(asTyped(`warning: ${event.source.url}: ${warning}\n`));
    },
  );
  try {
    if (await follower.round({ isForced: true })) return tries;
    throw new Error("A server is fetching these addresses now. Run this again when it has finished.");
  } finally {
    await follower.close();
    await claims.close();
  }
}

async function list(
  store: Store,
  tries: readonly FollowEvent[],
  { keys, json }: { readonly keys: readonly SessionKey[]; readonly json: boolean },
): Promise<void> {
  const { sources = [], verified_sources: verified = [] } = (await readBusiness(store.database)) ?? {};
  const nameOf = sourceNaming(sourceSecret(keys));
  const rows = await readFollowedSources(store);
  const unpublished = await countUnverified(store.database, verified);
  const lines = sources.map((source) => {
    const row = rows.get(sourceKey(source));
    return {
      url: source.url,
      key: nameOf(source).key,
      source: source.source ?? null,
      every_seconds: intervalSeconds(source.every) ?? null,
      last_at: row?.last_at ?? null,
      outcome: row?.outcome ?? null,
      next_at: row?.next_at ?? null,
    };
  });
  if (json) return void process.stdout.write(`${JSON.stringify(lines)}\n`);
  for (const [index, { url, key, source, last_at, outcome, next_at }] of lines.entries()) {
    const now = tries[index];
    const failure = now?.event === "failed" ? `  just now  failed: ${now.quoting}\n` : "";
    const tried = last_at === null ? "none yet: a running server fetches it" : `${localTime(last_at)}, ${outcome}`;
    const next = next_at === null ? "as soon as a server runs" : `${localTime(next_at)}, if a server runs`;
    const withheld = unpublished.get(source ?? ASSUMED_SOURCE) ?? 0;
    const advice = withheld === 0 ? "" : `  warning   ${unpublishedAdvice(withheld, source)}\n`;
    const last = failure === "" ? "last try" : "recorded";
    process.stdout.write(
      asTyped(
        `${url}${source === null ? "" : ` (${source})`}\n  key       ${key}\n${failure}  ${last}  ${tried}\n  next try  ${next}\n${advice}`,
      ),
    );
  }
  if (lines.length === 0) {
    process.stdout.write(
      "No addresses are followed. Name them under sources in business.yaml, and import that file.\n",
    );
  }
}

/** Says why a followed source's reviews are not published, and how to publish them. */
function unpublishedAdvice(withheld: number, source: string | null): string {
  const start = `${withheld} kept, not published`;
  if (source !== null && source !== ASSUMED_SOURCE)
    return `${start}: add ${source} to verified_sources in business.yaml, then import business.yaml`;
  const direct = `first_party under verified_sources, for reviews that customers gave you directly`;
  return source === null
    ? `${start}: add "source: google" (the site where they were written) to this address in business.yaml, or ${direct}, then import business.yaml`
    : `${start}: name ${direct}, then import business.yaml`;
}
