/** The desk's server: lets in whoever has its key, reads forms, and finds the page for a request. */
import { html } from "hono/html";
import type { Document } from "../../edition/document.ts";
import { type IncomingMessage, openServer, type RunningServer } from "../../http/server.ts";
import { Invalid } from "../../issue.ts";
import { MalformedForm } from "../../lib/multipart.ts";
import { errorCode } from "../../lib/own-words.ts";
import { unshared } from "../../lib/shared-memory.ts";
import type { DeskWords } from "../../page/text/desk-words.ts";
import { type Markup, pageStart } from "../../page/text/markup.ts";
import { APART, type DeskAccess, isTooLong, openDeskAccess } from "./desk-access.ts";
import { faultAdvice } from "./desk-advice.ts";
import { ANSWER, openFormAnswers } from "./desk-answers.ts";
import { DESK_ASSETS } from "./desk-assets.ts";
import { answerBusiness } from "./desk-business.ts";
import { answerFindings } from "./desk-findings.ts";
import { type DeskForm, RefusedForm, readDeskForm } from "./desk-form.ts";
import { DESK_HEADERS, type DeskHandler, type DeskRequest, deskLocale, faults, showPage } from "./desk-frame.ts";
import { answerHistory } from "./desk-history.ts";
import { answerImport } from "./desk-import.ts";
import { answerLook } from "./desk-look.ts";
import { answerNotices } from "./desk-notices.ts";
import { answerOnline } from "./desk-online.ts";
import { answerReviews } from "./desk-reviews.ts";
import { businessOf, type DeskSite } from "./desk-site.ts";
import { answerSites } from "./desk-site-list.ts";
import { answerSources } from "./desk-sources.ts";
import { answerStart } from "./desk-start.ts";
import { answerSubscribers } from "./desk-subscribers.ts";
import { answerWork } from "./desk-work-page.ts";
import { hasKeptConnections, isOwnUsers } from "./peer-user.ts";

/** Which businesses there are. */
export interface DeskSites extends AsyncDisposable {
  readonly hasSites: boolean;
  /** A site by its name, or the only one; undefined if there is none. @throws Error if its files or its store are not its own. */
  site(name: string | undefined): Promise<DeskSite | undefined>;
}

export interface Desk extends AsyncDisposable {
  /** The address with the key. */
  readonly url: string;
  readonly access: DeskAccess;
}

/** To `localhost`, browsers go by either. */
const [ADDRESS, ADDRESS_6] = ["127.0.0.1", "::1"];
/** How many ports are tried if any will do, until one is free at both addresses. */
const MAX_TRIES = 20;
/** A browser sends a host's cookies to all of its ports: 180 of 4 KB each. */
const MAX_HEADER_BYTES = 1024 * 1024;
/** A person has a few connections, and a browser six. */
const MAX_CONNECTIONS = 100;
/** Cached answers and service workers, but not the cookies of other ports. */
const CLEARED = '"cache", "storage"';
const UPLOAD_DEADLINE_MS = 3_600_000;
const DEADLINES = { headersMs: 15_000, requestMs: UPLOAD_DEADLINE_MS, checkedEveryMs: 2_000 };
const STOP_MS = 2_000;
const NO_FORM: DeskForm = { fields: new URLSearchParams(), files: [], [Symbol.asyncDispose]: async () => {} };

/** The pages of a site by the first part of their paths; the empty one is the start. */
const PAGES: Readonly<Record<string, DeskHandler>> = {
  "": answerStart,
  import: answerImport,
  reviews: answerReviews,
  findings: answerFindings,
  business: answerBusiness,
  history: answerHistory,
  online: answerOnline,
  look: answerLook,
  sources: answerSources,
  notices: answerNotices,
  subscribers: answerSubscribers,
  "under-way": answerWork,
};

/** The pages of a desk with sites that are no site's. */
const SITE_PAGES: Readonly<Record<string, DeskHandler>> = { "": answerSites };

/** Opens the desk on this machine's own addresses, where nobody else reaches it. */
export async function openDesk(
  sites: DeskSites,
  {
    port,
    onFault,
    onEntered,
  }: { readonly port: number; readonly onFault: (error: unknown) => void; readonly onEntered?: () => void },
): Promise<Desk> {
  const answers = openFormAnswers();
  const access = openDeskAccess(() => ownPort, { ...(onEntered && { onEntered }) });
  let ownPort = port;

  async function answer(request: Request, incoming: IncomingMessage): Promise<Response> {
    if (isTooLong(incoming.url ?? "")) return plainAnswer(414, "The address is too long"); // no detour leads there
    const admission = access.admit(incoming);
    const asked = languageAsked(incoming);
    if ("refused" in admission) return refused(admission.refused, asked);
    if (!isOwnUsers(incoming.socket)) return refused("user", asked); // before a session begins
    if ("forget" in admission) return enter({ address: admission.forget, isForgetting: true });
    if ("begin" in admission) return enter({ cookie: admission.begin(), isForgetting: !admission.hasForgotten });
    if ("detour" in admission) return apart(admission.detour);
    const { pathname, searchParams: query } = new URL(request.url);
    query.delete(APART);
    // A form comes by no detour, and is answered by no page.
    const isFetched = request.method === "GET" && admission.isOfBrowser;
    const kept = isFetched ? answers.take(query, { path: pathname, token: admission.token }) : undefined;
    query.delete(ANSWER);
    if (kept !== undefined) return kept;
    const asset = DESK_ASSETS.get(pathname);
    if (asset !== undefined) return showAsset(asset);
    if (!["GET", "HEAD", "POST"].includes(request.method))
      return plainAnswer(405, "Only GET, HEAD and POST", { Allow: "GET, HEAD, POST" });
    return await answerPage(incoming, { path: pathname, query, isPost: request.method === "POST", ...admission });
  }

  async function answerPage(incoming: IncomingMessage, given: Asked): Promise<Response> {
    const { path, query, isPost, token, isWindow, isOfBrowser, isOfWebKit: guardsToken } = given;
    const [, name, below] = (sites.hasSites ? /^\/sites\/([a-z\d-]{1,63})(\/.*)?$/.exec(path) : null) ?? [];
    const site = await sites.site(name).catch((error: unknown) => {
      onFault(error);
      const { words } = deskLocale(languageAsked(incoming));
      return faultAdvice(error, words);
    });
    if (Array.isArray(site) && isWindow) {
      // What it says names files, and a form comes by no detour: only one of the desk's own gets it.
      const isRefused = isPost && !(await isOwnForm(incoming, token));
      return isRefused ? plainAnswer(403, "The form is not taken") : plainAnswer(500, site.join("\n"));
    }
    if (site === undefined || Array.isArray(site)) return plainAnswer(404, "There is no such page");
    const isList = sites.hasSites && name === undefined;
    const business = isList ? undefined : await businessOf(site).catch(() => undefined);
    const language = business?.language ?? languageAsked(incoming);
    const [first = "", ...rest] = (name === undefined ? path : (below ?? "/")).split("/").slice(1);
    const common = { isPost, rest, query, site, token, guardsToken, isWindow, ...deskLocale(language) };
    const asked = {
      ...common,
      business: business?.name,
      timeZone: business?.time_zone ?? "UTC",
      hasSites: sites.hasSites,
      form: NO_FORM,
    };
    const shown = (page: Response) => (isPost && isOfBrowser ? answers.keep(page, { path, token }) : page);
    try {
      const contentType = String(incoming.headers["content-type"] ?? "");
      await using form = isPost ? await readDeskForm(incoming, { contentType, token }) : NO_FORM;
      const pages = isList ? SITE_PAGES : PAGES;
      const answered = Object.hasOwn(pages, first) ? await pages[first]?.({ ...asked, form }) : undefined;
      return shown(answered ?? missing(asked));
    } catch (error) {
      if (error === incoming.errored) return plainAnswer(400, "The form ended early"); // its sender is gone
      if (error instanceof RefusedForm || error instanceof MalformedForm) return refusedForm(asked, error);
      return shown(await failed(asked, error, onFault));
    }
  }

  async function answerWhole(request: Request, bindings: object): Promise<Response> {
    const { incoming } = bindings as { readonly incoming: IncomingMessage };
    try {
      const answered = await answer(request, incoming);
      if (request.method !== "HEAD") return answered;
      await answered.body?.cancel();
      return new Response(null, answered);
    } catch (error) {
      onFault(error);
      return plainAnswer(500, "Something went wrong; the terminal says what");
    }
  }

  const servers = await listenOnLoopback(port, async (host, at) => {
    const server = await openServer(answerWhole, {
      host,
      port: at,
      onFault,
      maxConnections: MAX_CONNECTIONS,
      maxHeaderBytes: MAX_HEADER_BYTES,
      onUnread: access.forgetOnce,
      deadlines: DEADLINES,
      commonHeaders: DESK_HEADERS, // those of public answers would tell any web page that a desk is open here
    });
    ownPort = server.port;
    return server;
  });
  return {
    url: `http://${ADDRESS}:${ownPort}/?key=${access.key}`,
    access,
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.close(STOP_MS)));
      await sites[Symbol.asyncDispose]();
    },
  };
}

/**
 * Listens at both of this machine's own addresses, so that nobody else is found by `localhost` at this port. A machine
 * without IPv6 has one. @throws KeptPort
 */
async function listenOnLoopback(
  port: number,
  open: (host: string, port: number) => Promise<RunningServer>,
  tries = MAX_TRIES,
): Promise<RunningServer[]> {
  const wereKept = port !== 0 && hasKeptConnections(port, false);
  const server = await open(ADDRESS, port);
  const servers = [server];
  try {
    servers.push(await open(ADDRESS_6, server.port));
  } catch (error) {
    const code = errorCode(error);
    if (code !== "EADDRNOTAVAIL" && code !== "EAFNOSUPPORT") {
      await server.close(0);
      if (port === 0 && tries > 1 && code === "EADDRINUSE") return await listenOnLoopback(port, open, tries - 1);
      throw error;
    }
  }
  if (!wereKept && !hasKeptConnections(server.port, true)) return servers;
  await Promise.all(servers.map((each) => each.close(0)));
  if (port === 0 && tries > 1) return await listenOnLoopback(port, open, tries - 1);
  throw new KeptPort(server.port);
}

/** Another program has had the port before, and keeps the connections of a browser. */
class KeptPort extends Error {
  constructor(port: number) {
    super(
      `Another program had port ${port} before and keeps connections there, which a browser would use for the desk: end that program, or goodword desk --port 0`,
    );
  }
}

interface Asked {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly isPost: boolean;
  readonly token: string;
  readonly isWindow: boolean;
  readonly isOfBrowser: boolean;
  readonly isOfWebKit: boolean;
}

/** German if the browser asks for it before English. */
function languageAsked({ headers }: IncomingMessage): string {
  return /^[^,]*\bde\b/i.test(headers["accept-language"] ?? "") ? "de" : "en";
}

/**
 * A step of the visit with the key. The browser forgets what another program, which had this port before, has left in it,
 * and then gets its cookie: it would take one at once, while a service worker goes on until it has been put away.
 */
function enter({
  address = "/",
  cookie,
  isForgetting,
}: {
  readonly address?: string;
  readonly cookie?: string;
  readonly isForgetting: boolean;
}): Response {
  const headers = new Headers({ ...DESK_HEADERS, "Referrer-Policy": "no-referrer", Location: address });
  if (cookie !== undefined) headers.set("Set-Cookie", cookie);
  if (isForgetting) headers.set("Clear-Site-Data", CLEARED);
  return new Response(null, { status: 303, headers });
}

/**
 * Takes a window from all others that read it: a browser does so where an answer wants to be with other windows than the
 * page before it, and whatever that one wants, this answer and the one that follows cannot both want the same.
 */
function apart(address: string): Response {
  const headers = { ...DESK_HEADERS, "Cross-Origin-Opener-Policy": "same-origin", Location: address };
  return new Response(null, { status: 303, headers });
}

/** Whether a form has the desk's token. It is read and forgotten. */
async function isOwnForm(incoming: IncomingMessage, token: string): Promise<boolean> {
  try {
    const contentType = String(incoming.headers["content-type"] ?? "");
    await using _form = await readDeskForm(incoming, { contentType, token });
    return true;
  } catch {
    return false;
  }
}

/**
 * Says why a form is not taken, and nothing else: it may be of a page that an earlier program has left, and a form comes by
 * no detour.
 */
function refusedForm(request: DeskRequest, error: RefusedForm | MalformedForm): Response {
  const { words, site } = request;
  const status = error instanceof RefusedForm ? error.status : 400;
  const history = html`<p>${words.lastChange} <a href="${site.prefix}/history">${words.navigation.history}</a></p>`;
  return barePage(request, {
    status,
    content: html`<h1>${words.didNotWork}</h1>
${faults(faultAdvice(error, words))}${status === 403 ? history : ""}
<p><a href="${site.prefix}/">${words.back}</a></p>`,
  });
}

/** It loads nothing and names nobody. A link of its own origin takes the cookie that one from elsewhere does not. */
function refused(why: keyof DeskWords["refusals"], language: string): Response {
  const { locale, words } = deskLocale(language);
  const content = html`<h1>${words.desk}</h1>
<p>${words.refusals[why]}</p>
${why === "session" ? html`<p>${words.openedBefore} <a href="/">${words.openDesk}</a></p>` : ""}`;
  return barePage({ locale, words }, { status: 403, content });
}

function barePage(
  { locale, words }: Pick<DeskRequest, "locale" | "words">,
  { status, content }: { readonly status: number; readonly content: Markup },
): Response {
  const body = html`${pageStart(locale.tag)}
<meta name="color-scheme" content="light dark">
<title>${words.desk}</title>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
  return new Response(String(body), {
    status,
    // Nothing of a body is waited for, so that it holds no connection.
    headers: { ...DESK_HEADERS, "Content-Type": "text/html; charset=utf-8", Connection: "close" },
  });
}

function plainAnswer(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(text, {
    status,
    headers: { ...DESK_HEADERS, "Content-Type": "text/plain; charset=utf-8", ...headers },
  });
}

function showAsset({ body, mediaType }: Document): Response {
  return new Response(unshared(body), { headers: { ...DESK_HEADERS, "Content-Type": mediaType } });
}

function missing(request: DeskRequest): Response {
  const { notFound, back } = request.words;
  return showPage(request, {
    title: notFound,
    status: 404,
    content: html`<p><a class="button" href="${request.site.prefix}/">${back}</a></p>`,
  });
}

/** A page with what was wrong. Faults of the program itself are on the terminal, too. */
async function failed(request: DeskRequest, error: unknown, onFault: (error: unknown) => void): Promise<Response> {
  if (!(error instanceof Invalid)) onFault(error);
  return showPage(request, {
    title: request.words.didNotWork,
    status: error instanceof Invalid ? 400 : 500,
    faults: [{ lines: faultAdvice(error, request.words) }],
    content: html`<p><a class="button" href="${request.site.prefix}/">${request.words.back}</a></p>`,
  });
}
