/** The frame of the desk's pages, the requests that its pages answer, and what pages are made of. */
import { html } from "hono/html";
import { pageHeaders } from "../../http/page-headers.ts";
import { HTML_TYPE } from "../../page/part/page-frame.ts";
import { type DeskWords, deskWordsFor, hasDeskWords } from "../../page/text/desk-words.ts";
import { type Locale, localeOf } from "../../page/text/locale.ts";
import { type Markup, pageStart } from "../../page/text/markup.ts";
import { withoutForbiddenCharacters } from "../../page/text/printable.ts";
import type { ListPlace } from "../../store/list-page.ts";
import { ownerTime } from "../owner/owner-time.ts";
import { deskAdvice } from "./desk-advice.ts";
import { assetAddress, integrityOf } from "./desk-assets.ts";
import { type DeskForm, TOKEN_FIELD } from "./desk-form.ts";
import type { DeskSite } from "./desk-site.ts";
import { isQuestion, type Work, type WorkOutcome, type Works } from "./desk-work.ts";

/** A request that may use the desk. */
export interface DeskRequest {
  readonly isPost: boolean;
  /** The parts of its path below that of its page. */
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
  /** Empty for a GET. */
  readonly form: DeskForm;
  readonly site: DeskSite;
  /** The token of the session's forms. */
  readonly token: string;
  /** Whether forms have their token from the page's script, which sees first that no service worker reads it. */
  readonly guardsToken: boolean;
  /** Whether it may be shown a page: what a script reads holds no form, and no word of the business. */
  readonly isWindow: boolean;
  readonly locale: Locale;
  readonly words: DeskWords;
  /** The name of the business; undefined before there is one. */
  readonly business: string | undefined;
  /** The time zone of the business; UTC before there is one. */
  readonly timeZone: string;
  /** Whether there is a list of sites beside this one. */
  readonly hasSites: boolean;
}

/** Answers requests at and below its path; undefined for an address that is none. */
export type DeskHandler = (request: DeskRequest) => Promise<Response | undefined>;

/** The pages in the order of the navigation, by their paths. */
const NAVIGATION = [
  "import",
  "reviews",
  "findings",
  "business",
  "history",
  "sources",
  "notices",
  "subscribers",
  "online",
] as const;
/** `work`: what is under way, which is in no navigation. */
export type DeskEntry = (typeof NAVIGATION)[number] | "sites" | "under-way";

export interface DeskPage {
  readonly title: string;
  readonly content: Markup;
  readonly entry?: DeskEntry;
  readonly status?: number;
  /** The page is asked for again until it is another one: something is under way. */
  readonly isWaiting?: boolean;
  /** What was wrong with what was sent. */
  readonly faults?: readonly PageFault[];
}

/** Messages about what was sent: about a field of the page, or about the whole. */
export interface PageFault {
  readonly lines: readonly string[];
  readonly field?: { readonly id: string; readonly label: string };
}

/** On every answer: nothing of the desk is for another site, a cache, or the history. */
const PAGE_HEADERS = pageHeaders("/");
export const DESK_HEADERS: Readonly<Record<string, string>> = {
  ...PAGE_HEADERS,
  "Content-Security-Policy": `${PAGE_HEADERS["Content-Security-Policy"]}; worker-src 'none'`,
  "Referrer-Policy": "same-origin", // with none at all, browsers do not say the origin of a form
  "X-Frame-Options": "DENY",
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Opener-Policy": "noopener-allow-popups", // nor may a page that an earlier program at this port has left
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
};

/** The words and formats of a desk in a language. */
export function deskLocale(language: string): { readonly locale: Locale; readonly words: DeskWords } {
  const locale = localeOf(hasDeskWords(language) ? language : "en");
  return { locale, words: deskWordsFor(locale.tag) };
}

const REFRESH_SECONDS = 2;
/** An asset of the desk: its address, and what it must hold. */
function assetOf(name: string) {
  const path = `/assets/${name}`;
  return { address: assetAddress(path), integrity: integrityOf(path) };
}

const [STYLE, DESK_STYLE, SCRIPT, ICON] = [
  assetOf("style.css"),
  assetOf("desk.css"),
  assetOf("desk.js"),
  assetOf("icon.svg"),
] as const;

/** A page, for a window alone. */
export function showPage(
  request: DeskRequest,
  { title, content, entry, status = 200, isWaiting = false, faults: given = [] }: DeskPage,
) {
  const wrong = given.filter(({ lines }) => lines.length > 0);
  const { locale, words, site, business, isWindow } = request;
  if (!isWindow) return new Response("There is no such part of a page", { status: 404, headers: DESK_HEADERS });
  const done = site.notice ?? [];
  if (done.length > 0) forgetOlder(site.works); // what was done before is not the news any more
  if (!isWaiting) site.notice = undefined; // the page that follows by itself says it again
  const markup = html`${pageStart(locale.tag)}
<meta name="robots" content="noindex">
<title>${wrong.length > 0 ? `${words.fault}: ` : ""}${title} – ${words.desk}</title>
<link rel="stylesheet" href="${STYLE.address}" ${STYLE.integrity}>
<link rel="stylesheet" href="${DESK_STYLE.address}" ${DESK_STYLE.integrity}>
<link rel="icon" href="${ICON.address}" type="image/svg+xml">
<script type="module" src="${SCRIPT.address}" ${SCRIPT.integrity}></script>
${isWaiting ? html`<noscript><meta http-equiv="refresh" content="${REFRESH_SECONDS}"></noscript>` : ""}
</head>
<body${isWaiting ? html` data-waiting="${site.prefix}/${entry}/progress"` : ""}>
<a class="skip" href="#content">${locale.words.skip}</a>
<header class="top"><div class="inner">
<p class="brand"><img src="${ICON.address}" alt="" width="28" height="28"><bdi>${business ?? words.desk}</bdi></p>
${renderNavigation(request, entry)}
</div></header>
<main id="content" tabindex="-1">
<h1>${title}</h1>
${faultSummary(request, wrong)}${notice(done)}
${isWaiting ? "" : renderWorkNote(request, entry)}
${content}
</main>
<template id="drop"><form method="post" action="${site.prefix}/import" enctype="multipart/form-data">${tokenField(request)}<input type="file" name="files" multiple></form></template>
</body>
</html>
`;
  return new Response(withoutForbiddenCharacters(String(markup)), {
    status,
    headers: { ...DESK_HEADERS, "Content-Type": HTML_TYPE },
  });
}

/** What the script asks for while something is under way. */
export function showProgress(isWaiting: boolean, text = ""): Response {
  const headers = { ...DESK_HEADERS, "Content-Type": "application/json" };
  return new Response(JSON.stringify({ isWaiting, text }), { headers });
}

function renderNavigation({ words, site, hasSites }: DeskRequest, entry: DeskEntry | undefined): Markup {
  const link = (name: Exclude<DeskEntry, "under-way">, path: string) =>
    html`<li><a href="${path}"${name === entry ? html` aria-current="page"` : ""}>${words.navigation[name]}</a></li>`;
  const isOfSite = !hasSites || site.name !== undefined;
  return html`<nav aria-label="${words.pages}"><ul>${hasSites ? link("sites", "/") : ""}${
    isOfSite ? html`<li><a href="${site.prefix}/">${words.navigation.start}</a></li>` : ""
  }${isOfSite ? NAVIGATION.map((name) => link(name, `${site.prefix}/${name}`)) : ""}</ul></nav>`;
}

/** An ISO instant in the time zone of the business. */
export function deskTime({ locale, timeZone }: Pick<DeskRequest, "locale" | "timeZone">, instant: string): string {
  return ownerTime(instant, locale.tag, timeZone);
}

/** The field by which a form shows that it is of this desk. It comes first. */
export function tokenField({ token, guardsToken }: Pick<DeskRequest, "token" | "guardsToken">): Markup {
  const field = html`<input type="hidden" name="${TOKEN_FIELD}" value="${token}">`;
  return guardsToken ? html`<noscript>${field}</noscript>` : field;
}

/** A form of one button that changes something. `fields` are sent with it. */
export function actionForm(
  request: DeskRequest,
  path: string,
  { label, fields = {}, kind = "", describedBy }: ActionButton,
): Markup {
  return html`<form method="post" action="${request.site.prefix}${path}">${tokenField(request)}${Object.entries(
    fields,
  ).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button class="button ${kind}"${describedBy === undefined ? "" : html` aria-describedby="${describedBy}"`}>${label}</button></form>`;
}

interface ActionButton {
  readonly label: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly kind?: "" | "quiet" | "danger";
  readonly describedBy?: string;
}

interface ConfirmAction extends Pick<ActionButton, "fields"> {
  readonly path: string;
  readonly yes: string;
  readonly back: string;
  /** Where not going on is told, if something waits for the answer. */
  readonly cancelPath?: string;
}

/** A page that says what will happen, and asks. */
export function confirmPage(
  request: DeskRequest,
  given: {
    readonly entry: DeskEntry;
    readonly title: string;
    readonly lines: readonly string[];
    readonly shown?: Markup;
  },
  action: ConfirmAction,
): Response {
  const { path, yes, back, cancelPath, fields = {} } = action;
  const { entry, title, lines, shown = "" } = given;
  return showPage(request, {
    entry,
    title,
    content: html`<div class="card">${shown}<div class="said">${lines.map((line) => html`<p>${line}</p>`)}</div>
<div class="actions">${actionForm(request, path, { label: yes, fields, kind: "danger" })}${
      cancelPath === undefined
        ? html`<a class="button quiet" href="${request.site.prefix}${back}">${request.words.cancel}</a>`
        : actionForm(request, cancelPath, { label: request.words.cancel, fields, kind: "quiet" })
    }</div></div>`,
  });
}

/** Leads to a page after a change, so that loading it again repeats nothing. `done`: what was done, for that page to say. */
export function leadTo({ site }: Pick<DeskRequest, "site">, path: string, done?: readonly string[]): Response {
  site.notice = done;
  return new Response(null, { status: 303, headers: { ...DESK_HEADERS, Location: `${site.prefix}${path}` } });
}

/** What was done, above a page. */
function notice(lines: readonly string[]): Markup {
  return lines.length === 0
    ? ""
    : html`<div class="card done" role="status">${lines.map((line) => html`<p>${line}</p>`)}</div>`;
}

/** Forgets what came of work, but for a question and for what a killed desk has left. */
function forgetOlder(works: Works): void {
  const { id, kind, outcome } = works.current() ?? {};
  if (id !== undefined && outcome !== undefined && kind !== "finish" && !isQuestion(outcome)) works.seen(id);
}

/** What a page says of work that is under way, and the start and the work's own page of what came of it. */
function renderWorkNote(request: DeskRequest, entry: DeskEntry | undefined): Markup {
  const { site, words } = request;
  const work = site.works.current();
  if (work === undefined) return "";
  const { outcome, kind, back } = work;
  if (outcome !== undefined) {
    const isShown = !isQuestion(outcome) && (kind === "finish" || entry === undefined || back === `/${entry}`);
    return isShown ? renderWorkOutcome(request, work, outcome) : "";
  }
  return html`<p class="card" role="status">${words.work.kinds[kind]} … <a href="${site.prefix}/under-way">${words.work.look}</a></p>`;
}

/** What came of work, until it was seen. */
function renderWorkOutcome(request: DeskRequest, { id, kind }: Work, outcome: WorkOutcome): Markup {
  const { words } = request;
  const isUnfinished = kind === "finish" && "issues" in outcome;
  const label = isUnfinished ? words.work.again : words.work.seen;
  return html`${
    "lines" in outcome ? notice(outcome.lines) : faults(outcome.issues.map(({ message }) => deskAdvice(message, words)))
  }<div class="actions">${actionForm(request, "/under-way/seen", { label, fields: { id }, kind: "quiet" })}</div>`;
}

/**
 * A table with a row for each of many things. Where it has no room, each row is a card with the heads at its values.
 * `caption` stands above rows without a head of their own.
 */
export function renderTable(
  label: string,
  heads: readonly string[],
  rows: readonly (readonly (Markup | string)[])[],
  caption?: string,
): Markup {
  const cell = (value: Markup | string, head = "", isHead = false) =>
    isHead ? html`<th scope="row" data-head="${head}">${value}</th>` : html`<td data-head="${head}">${value}</td>`;
  return html`<div class="scroll stacked" tabindex="0" role="region" aria-label="${label}"><table>${caption === undefined ? "" : html`<caption>${caption}</caption>`}<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows.map(
    (row) => html`<tr>${row.map((value, at) => cell(value, heads[at], at === 0 && caption === undefined))}</tr>`,
  )}</tbody></table></div>`;
}

/** The row after which a page of a list begins, from its address: the values of these columns. */
export function readPlace<Column extends string>(
  query: URLSearchParams,
  columns: readonly Column[],
): ListPlace<Column> | undefined {
  const parts = query.get("after")?.split("_") ?? [];
  if (parts.length < columns.length) return undefined;
  const values = [...parts.slice(0, columns.length - 1), parts.slice(columns.length - 1).join("_")];
  return Object.fromEntries(columns.map((column, at) => [column, values[at]])) as ListPlace<Column>;
}

/** The link to the page that begins after the last row of this one, which `readPlace` reads; nothing on the last page. */
export function olderLink<Column extends string>(
  { site }: DeskRequest,
  path: string,
  { last, columns, label, fields = {} }: OlderPage<Column>,
): Markup {
  if (last === undefined) return "";
  const query = new URLSearchParams({ ...fields, after: columns.map((column) => last[column]).join("_") });
  return html`<p class="actions"><a class="button quiet" rel="next" href="${site.prefix}${path}?${query}">${label}</a></p>`;
}

/** Leads back to the page of a list on which a form was, as its field `after` says, and tells what was done. */
export function leadBack(request: DeskRequest, path: string, done: readonly string[]): Response {
  const after = request.form.fields.get("after") ?? "";
  return leadTo(request, after === "" ? path : `${path}?${new URLSearchParams({ after })}`, done);
}

interface OlderPage<Column extends string> {
  readonly last: ListPlace<Column> | undefined;
  readonly columns: readonly Column[];
  readonly label: string;
  readonly fields?: Readonly<Record<string, string>>;
}

/** The faults of a form at the top of its page, with a link to each field: the field itself may be below the window. */
function faultSummary({ words, isPost }: DeskRequest, wrong: readonly PageFault[]): Markup {
  if (wrong.length === 0) return "";
  const general = wrong.filter(({ field }) => field === undefined).flatMap(({ lines }) => lines);
  const atFields = wrong.flatMap(({ field, lines }) =>
    field === undefined ? [] : [html`<li><a href="#${field.id}">${field.label}</a>: ${lines.join(" ")}</li>`],
  );
  const list =
    atFields.length === 0
      ? ""
      : html`${isPost ? html`<p><strong>${words.notSaved}</strong></p>` : ""}<ul>${atFields}</ul>`;
  return html`<div class="faults" role="alert">${general.map((line) => html`<p>${line}</p>`)}${list}</div>
`;
}

/** A field's attributes: what describes it, and whether it is at fault. */
export function fieldState(id: string, said: readonly string[], hint?: string, isWrong = said.length > 0): Markup {
  const described = [said.length > 0 ? `fault-${id}` : [], hint ?? []].flat().join(" ");
  return html`${isWrong ? html` aria-invalid="true"` : ""}${described === "" ? "" : html` aria-describedby="${described}"`}`;
}

/** The faults beside a field. They are announced by the summary above the page. */
export function fieldFaults(id: string, wrong: readonly string[]): Markup {
  return wrong.length === 0
    ? ""
    : html`<div class="faults" id="fault-${id}">${wrong.map((line) => html`<p>${line}</p>`)}</div>`;
}

/** Faults within a page. */
export function faults(lines: readonly string[]): Markup {
  return lines.length === 0
    ? ""
    : html`<div class="faults" role="alert">${lines.map((line) => html`<p>${line}</p>`)}</div>`;
}
