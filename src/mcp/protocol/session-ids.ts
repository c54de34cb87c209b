/**
 * Session ids for the protocol with sessions. A session has no state; its id consists of random bits, the time of
 * issue, and a signature over both. Any process that has the keys accepts it, also after a restart.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { lru } from "tiny-lru";
import type { SessionKey } from "../../store/session-keys.ts";

/** Official clients do not open a new session when theirs is refused, so ids have a long lifetime. */
export const SESSION_DAYS = 30;

const LIFETIME_SECONDS = SESSION_DAYS * 24 * 60 * 60;
/** Cached ids with a valid signature, so that it is not computed for each message. */
const MAX_CACHED_IDS = 1000;
const SHAPE = /^[\w-]{16}\.([0-9a-z]{1,9})\.[\w-]{32}$/;

export interface Sessions {
  /** A new id, visible ASCII only (MCP 2025-11-25, session management). */
  open(): string;
  /** Whether the id was issued with one of the keys within the last thirty days. */
  accepts(id: string): boolean;
}

export interface SessionParts {
  /** The newest key signs, all of them verify. */
  readonly keys: readonly SessionKey[];
  readonly now: () => Date;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** Makes sessions from `keys`. @throws Error if there is no key. */
export function makeSessions({ keys, now, randomBytes }: SessionParts): Sessions {
  const newest = keys.toSorted((a, b) => b.made_at.getTime() - a.made_at.getTime())[0];
  if (newest === undefined) throw new Error("Cannot sign session ids: there is no key");
  const nowSeconds = () => Math.floor(now().getTime() / 1000);
  const validIds = lru<true>(MAX_CACHED_IDS);
  return {
    open: () => {
      const claim = `${Buffer.from(randomBytes(12)).toString("base64url")}.${nowSeconds().toString(36)}`;
      return `${claim}.${signature(newest, claim)}`;
    },
    accepts: (id) => {
      const issued = SHAPE.exec(id)?.[1];
      if (issued === undefined || nowSeconds() - Number.parseInt(issued, 36) > LIFETIME_SECONDS) return false;
      if (validIds.get(id) === true) return true;
      const cut = id.lastIndexOf(".");
      const given = Buffer.from(id.slice(cut + 1));
      const isSigned = keys.some((key) => timingSafeEqual(given, Buffer.from(signature(key, id.slice(0, cut)))));
      if (isSigned) validIds.set(id, true);
      return isSigned;
    },
  };
}

/** 192 bits of HMAC-SHA256. */
function signature(key: SessionKey, claim: string): string {
  return createHmac("sha256", key.secret).update(claim).digest("base64url").slice(0, 32);
}
