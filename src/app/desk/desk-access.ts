/**
 * Who may use the desk: whoever has opened it once with its key, in that browser and on this machine. The origin is
 * checked before a form's body is read, its token before the form does anything. What a script asks for is refused, but
 * for what the desk's own one needs: another program may have had this port before, and left a script in the browser that
 * counts as the desk's. So does a page that it left open: a browser keeps that beside the windows that it opened or that
 * opened it, and lets it read them. Each window of the desk therefore comes by a detour that leaves all others behind.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { type HostedRequest, requestHost } from "../../http/request-host.ts";

interface AccessRequest extends HostedRequest {
  readonly method?: string | undefined;
}

/**
 * What becomes of a request. `forget`: the key is right, and a browser forgets first what others have left in it, and goes
 * there. `begin`: it begins a session, whose cookie it gives. `detour`: where the window goes to be apart from all others
 * first. `isWindow`: the request shows its answer in a window of its own; anything
 * else may be a script that reads it.
 */
type Admission =
  | {
      readonly token: string;
      readonly isWindow: boolean;
      /** Whether a browser says that it is for a window. */
      readonly isOfBrowser: boolean;
      readonly isOfWebKit: boolean;
    }
  | { readonly forget: string }
  | { readonly begin: () => string; readonly hasForgotten: boolean }
  | { readonly detour: string }
  | { readonly refused: "host" | "browser" | "script" | "session" | "origin" };

export interface DeskAccess {
  readonly key: string;
  admit(request: AccessRequest): Admission;
  /** Addresses that count once do so no more: a request was not read, and a page may know the address that it had. */
  forgetOnce(): void;
}

/** Names of this machine. Any other one may be a stranger's that resolves here (DNS rebinding). */
const OWN_HOSTS = new Set(["127.0.0.1", "localhost", "[::1]"]);
/** What pages load, and what their script asks for. Any address may end so: what is answered is judged as well. */
const PART_OF_PAGE = /\/(?:progress|assets\/[^/]+)$/;
/**
 * What a page or its worker has fetched ahead says that a person has opened it, and a socket says nothing. Such an answer
 * clears nothing of the browser, and a worker reads it.
 */
const AHEAD = ["sec-purpose", "purpose", "x-purpose", "x-moz", "service-worker-navigation-preload", "upgrade"];
const SESSION_IDLE_MS = 12 * 3_600_000;
const MAX_SESSIONS = 32;
const SECRET_BYTES = 32;
/** The parameter of an address to which only a detour leads, once; and how many detours of a session wait at most. */
export const APART = "apart";
const MAX_DETOURS = 32;
/** A browser follows a redirect at once; one that takes longer is sent on another detour. */
const DETOUR_MS = 5_000;

/**
 * The parameter of the address to which a browser goes when it has forgotten, once. It forgets twice: what the first time
 * has found under way, such as a service worker that is being installed, is there the second time, and the cache, from
 * which it would be installed anew, is empty by then.
 */
const FORGOTTEN = "forgotten";
const FORGET_TIMES = 2;
const MAX_ENTERING = 32;
/** A browser goes on when it has forgotten, for which a service worker can make it wait. */
const ENTERING_MS = 10 * 60_000;

/** A visit with the key, whose browser is forgetting: how often it still must, and since when. */
interface Entering {
  readonly left: number;
  readonly since: number;
}

interface Session {
  readonly token: string;
  /**
   * Whether its browser is of WebKit: that says of each window that it is one, but of a synchronous request nothing, and puts
   * no service worker away.
   */
  readonly isOfWebKit: boolean;
  /** The detours that no window has come back from: their parts of an address, the address, and since when. */
  readonly detours: Map<string, { readonly address: string; readonly since: number }>;
  lastUse: number;
}

/** Opens the access to a desk that listens on the port. Its key and its sessions end with the process. `onEntered`: a session began. */
export function openDeskAccess(
  port: () => number,
  { now = Date.now, onEntered = () => {} }: { readonly now?: () => number; readonly onEntered?: () => void } = {},
): DeskAccess {
  const key = secret();
  const cookieName = () => `goodword_desk_${port()}`; // browsers send a host's cookies to all of its ports
  const sessions = new Map<string, Session>();
  const entering = new Map<string, Entering>();

  /** Where a browser goes on when it has forgotten. */
  function forget(left: number): string {
    const [oldest] = entering.keys();
    if (entering.size >= MAX_ENTERING && oldest !== undefined) entering.delete(oldest);
    const id = secret();
    entering.set(id, { left, since: now() });
    return `/?${FORGOTTEN}=${id}`;
  }

  /** How often the browser that asks still has to forget; undefined for any other address than one with the key. */
  function timesLeft({ pathname, searchParams }: URL): number | undefined {
    if (pathname !== "/") return undefined;
    if (isSame(searchParams.get("key") ?? "", key)) return FORGET_TIMES;
    const id = searchParams.get(FORGOTTEN) ?? "";
    const found = entering.get(id);
    entering.delete(id);
    return found === undefined || now() - found.since > ENTERING_MS ? undefined : found.left;
  }

  function begin(isOfWebKit: boolean): string {
    const [oldest] = [...sessions].toSorted(([, a], [, b]) => a.lastUse - b.lastUse);
    if (sessions.size >= MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest[0]);
    const id = secret();
    sessions.set(id, { token: secret(), isOfWebKit, detours: new Map(), lastUse: now() });
    onEntered();
    return `${cookieName()}=${id}; Path=/; HttpOnly; SameSite=Strict`;
  }

  function sessionOf(cookies: string): Session | undefined {
    let found: Session | undefined;
    for (const [, id = ""] of cookies.matchAll(new RegExp(`(?:^|;) *${cookieName()}=([^;]*)`, "g")))
      found ??= sessions.get(id.trim());
    if (found === undefined || now() - found.lastUse > SESSION_IDLE_MS) return undefined;
    found.lastUse = now();
    return found;
  }

  /** The same address with a part that counts once, there alone. */
  function detourOf({ detours }: Session, asked: URL): string {
    const [oldest] = detours.keys();
    if (detours.size >= MAX_DETOURS && oldest !== undefined) detours.delete(oldest);
    const apart = secret();
    detours.set(apart, { address: addressOf(asked), since: now() });
    const { searchParams } = new URL(asked);
    searchParams.set(APART, apart);
    return `${asked.pathname}?${searchParams}`;
  }

  /** The session whose detour leads to this address. It counts no more, whatever becomes of the request. */
  function detouredSession(asked: URL): Session | undefined {
    const apart = asked.searchParams.get(APART);
    if (apart === null) return undefined;
    const session = sessions.values().find(({ detours }) => detours.has(apart));
    const found = session?.detours.get(apart);
    session?.detours.delete(apart);
    const isIts = found !== undefined && found.address === addressOf(asked);
    return isIts && now() - found.since <= DETOUR_MS ? session : undefined;
  }

  return {
    key,
    forgetOnce() {
      entering.clear();
      for (const { detours } of sessions.values()) detours.clear();
    },
    admit(request) {
      const asked = URL.parse(request.url ?? "/", "http://desk");
      const detoured = asked === null ? undefined : detouredSession(asked);
      const host = requestHost(request, []);
      // A dot behind the name makes it no secure origin for some browsers, which then say less of what they ask for.
      if (/\.(?::\d+)?$/.test(String(request.headers.host))) return { refused: "host" };
      if (host === undefined || !OWN_HOSTS.has(host.name)) return { refused: "host" };
      const { headers, method = "GET", url = "/" } = request;
      const site = String(headers["sec-fetch-site"] ?? "");
      const given = URL.parse(url, "http://desk") ?? new URL("http://desk");
      // What follows two slashes is a host, here or for the browser that is sent there.
      if ((url.startsWith("/") && given.host !== "desk") || given.pathname.startsWith("//")) return { refused: "host" };
      if (isOldWebKit(String(headers["user-agent"] ?? ""))) return { refused: "browser" };
      const isReading = method === "GET" || method === "HEAD";
      const use = String(headers["sec-fetch-dest"] ?? "");
      const isAhead = AHEAD.some((name) => name in headers);
      const isWorker = "service-worker" in headers || use.endsWith("worker") || isSilentBrowser(headers);
      const isWindow = /^(?:document)?$/.test(use);
      if (isAhead || isWorker || (!isWindow && !(isReading && PART_OF_PAGE.test(given.pathname))))
        return { refused: "script" };
      const isOwnOrigin = headers.origin === `http://${String(headers.host)}`;
      const times = isReading ? timesLeft(given) : undefined;
      if (times !== undefined && headers.origin !== undefined && !isOwnOrigin) return { refused: "origin" };
      if (times !== undefined && !/^(?:none)?$/.test(site)) return { refused: "session" };
      // Only a browser has anything to forget.
      if (times !== undefined && use === "document" && times > 0) return { forget: forget(times - 1) };
      const isOfWebKit = use === "document" && isWebKit(String(headers["user-agent"] ?? ""));
      if (times !== undefined) return { begin: () => begin(isOfWebKit), hasForgotten: times === 0 };
      const session = sessionOf(String(headers.cookie ?? ""));
      // Other programs of this machine are the same site for a browser, whatever their port.
      if (session === undefined || !/^(?:same-origin|none)?$/.test(site)) return { refused: "session" };
      if (session.isOfWebKit && use === "") return { refused: "script" };
      if (!isOwnOrigin && !(isReading && headers.origin === undefined)) return { refused: "origin" };
      if (use === "document" && method === "GET" && detoured !== session) return { detour: detourOf(session, given) };
      return { token: session.token, isWindow, isOfBrowser: use === "document", isOfWebKit: session.isOfWebKit };
    },
  };
}

/** What a browser puts on each request, and lets no script take away. */
const OF_BROWSERS = ["user-agent", "accept-encoding", "accept-language"];

/**
 * Whether a browser does not say at all what it asks for (Fetch Metadata Request Headers): WebKit does so for what a script
 * waits for, and browsers before 2023 do so always.
 */
function isSilentBrowser(headers: AccessRequest["headers"]): boolean {
  return OF_BROWSERS.every((name) => name in headers) && !Object.keys(headers).some((name) => /^sec-fetch-/.test(name));
}

/** Browsers of Chromium call themselves so, too. */
function isWebKit(userAgent: string): boolean {
  return userAgent.includes("AppleWebKit/") && !/Chrom(?:e|ium)\//.test(userAgent);
}

/**
 * Whether a browser of WebKit is from before Safari 18.4, or does not say. It keeps a service worker that another program has
 * left, which sees an address that counts once before it is used, and does not know the policy (`noopener-allow-popups`) by
 * which a window that is led there is kept apart.
 */
function isOldWebKit(userAgent: string): boolean {
  const [, major = "0", minor = "0"] = /\bVersion\/(\d{1,4})(?:\.(\d{1,4}))?/.exec(userAgent) ?? [];
  return isWebKit(userAgent) && (Number(major) < 18 || (Number(major) === 18 && Number(minor) < 4));
}

/** No page of the desk has a longer address. */
const MAX_ADDRESS = 8 * 1024;

/**
 * Whether an address is longer than those of the desk, as it is or as a detour spells it (`(` as `%28`): the way there is
 * not given where the way back would be refused.
 */
export function isTooLong(url: string): boolean {
  if (url.length > MAX_ADDRESS + 100) return true; // with the part that counts once
  const asked = URL.parse(url, "http://desk");
  return asked !== null && addressOf(asked).length > MAX_ADDRESS;
}

/** An address without the part that counts once. */
function addressOf(asked: URL): string {
  const { searchParams } = new URL(asked);
  searchParams.delete(APART);
  return `${asked.pathname}?${searchParams}`;
}

/** Compares in a time that tells nothing of either text. */
export function isSame(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => createHash("sha256").update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}

function secret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}
