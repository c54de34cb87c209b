/**
 * The name of a followed source wherever others may read it: its host and a short key. The rest of the address may be
 * all that protects what it leads to.
 */
import { createHash, createHmac } from "node:crypto";
import type { FollowedSource } from "../business.ts";
import { hostOf, type OwnWords, ownWords } from "../lib/own-words.ts";

/** Identifies a followed source in the store. Another address, source or extent starts without validators. */
export function sourceKey({ url, source, complete }: FollowedSource): string {
  return createHash("sha256")
    .update(JSON.stringify([url, source ?? null, complete]))
    .digest("hex")
    .slice(0, 32);
}

const KEY_LENGTH = 8;

export interface SourceName {
  readonly host: OwnWords;
  readonly key: OwnWords;
}

/**
 * Names sources by a secret of the store. A plain hash as the key would let anybody try likely addresses.
 */
export function sourceNaming(secret: Uint8Array): (source: FollowedSource) => SourceName {
  return (source) => {
    const hash = createHmac("sha256", secret)
      .update(`followed source\0${sourceKey(source)}`)
      .digest("hex");
    return { host: hostOf(new URL(source.url)), key: hash.slice(0, KEY_LENGTH) as OwnWords };
  };
}

/** The name in one piece. */
export function nameText({ host, key }: SourceName): OwnWords {
  return ownWords`${host} (${key})`;
}
