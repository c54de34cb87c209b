/** The followed sources with the outcome of their last try, and fetching them now, as the command and the desk do it. */
import { randomBytes } from "node:crypto";
import { intervalSeconds } from "../../business.ts";
import type { FollowEvent } from "../../follow/follower.ts";
import { sourceKey, sourceNaming } from "../../follow/shown-source.ts";
import { ASSUMED_SOURCE } from "../../import/review/review-source.ts";
import { openClaims } from "../../store/claims.ts";
import { readFollowedSources } from "../../store/followed-source-rows.ts";
import { countUnverified } from "../../store/review-rows.ts";
import { sessionKeys, sourceSecret } from "../../store/session-keys.ts";
import { readBusiness, type Store } from "../../store/store.ts";
import type { Config } from "../config.ts";
import { openFollowing } from "../followed-sources.ts";

/** A followed source, as `--json` lists it. */
export interface FollowedLine {
  readonly url: string;
  readonly key: string;
  readonly source: string | null;
  readonly every_seconds: number | null;
  readonly last_at: string | null;
  readonly outcome: string | null;
  readonly next_at: string | null;
}

export interface FollowedList {
  readonly lines: readonly FollowedLine[];
  /** Why reviews of a source are not published, and how they are; one for each line, empty where all are. */
  readonly advice: readonly string[];
}

/** The sources in the order of business.yaml. */
export async function listFollowed(store: Store): Promise<FollowedList> {
  const { sources = [], verified_sources: verified = [] } = (await readBusiness(store.database)) ?? {};
  const nameOf = sourceNaming(sourceSecret(await sessionKeys(store, new Date(), randomBytes)));
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
  const advice = lines.map(({ source }) => {
    const withheld = unpublished.get(source ?? ASSUMED_SOURCE) ?? 0;
    return withheld === 0 ? "" : unpublishedAdvice(withheld, source);
  });
  return { lines, advice };
}

/**
 * Fetches and imports every address, also those that are not due. Returns how each went, in the order of business.yaml.
 * @throws Error if another process is fetching.
 */
export async function fetchFollowed(
  config: Config,
  store: Store,
  { keySetting, onEvent = () => {} }: FetchParts,
): Promise<readonly FollowEvent[]> {
  const tries: FollowEvent[] = [];
  const keys = await sessionKeys(store, new Date(), randomBytes);
  const claims = openClaims(store);
  const follower = openFollowing(config, { store, claims, now: () => new Date(), keys, keySetting }, (event) => {
    tries.push(event);
    onEvent(event);
  });
  try {
    if (await follower.round({ isForced: true })) return tries;
    throw new Error("A server is fetching these addresses now. Run this again when it has finished.");
  } finally {
    await follower.close();
    await claims.close();
  }
}

interface FetchParts {
  /** The value of a setting that holds a key. */
  readonly keySetting: (name: string) => string | undefined;
  readonly onEvent?: (event: FollowEvent) => void;
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
