/** The desk's page of messages to the owner: where they go and what they tell, what waits, and what has vanished lately. */
import { html } from "hono/html";
import { type BusinessFile, NOTICE_SUBJECTS, UNNAMED_BUSINESS } from "../../business.ts";
import { parseBusinessFile } from "../../import/business-file.ts";
import { Invalid, type Issue } from "../../issue.ts";
import { type VanishedEntry, vanishedEntries } from "../../maintenance/vanished.ts";
import { sourceName } from "../../page/part/source-name.ts";
import { renderStars } from "../../page/part/stars.ts";
import { appealText } from "../../page/text/appeal.ts";
import type { DeskWords } from "../../page/text/desk-words.ts";
import type { Markup } from "../../page/text/markup.ts";
import { fill } from "../../page/text/words.ts";
import { isStoreThere } from "../../store/engine/store-url.ts";
import { countVanished } from "../../store/sighting-rows.ts";
import { openStore, type Store } from "../../store/store.ts";
import { baseUrlOf } from "../config.ts";
import { withNotice, withoutNotice } from "../owner/notice-form.ts";
import { type AddressLine, listNotices, sendTests } from "../owner/notice-listing.ts";
import { NAME, otherPublished, presentText, publishText, stampField } from "./desk-business-file.ts";
import {
  actionForm,
  type DeskRequest,
  deskTime,
  faults,
  fieldFaults,
  fieldState,
  leadTo,
  type PageFault,
  renderTable,
  showPage,
} from "./desk-frame.ts";
import type { DeskSite } from "./desk-site.ts";

const PATH = "/notices";
const MAX_VANISHED = 20;
const DIGESTS = ["weekly", "monthly"] as const;
const FORMATS = ["json", "slack", "discord", "teams", "ntfy"] as const;

/** Answers `/notices` and what is below it. */
export async function answerNotices(request: DeskRequest): Promise<Response | undefined> {
  const { isPost, rest, site } = request;
  const part = rest.join("/");
  if (!isPost) return part === "" ? await showNotices(request, await presentText(site)) : undefined;
  if (part === "test") return await test(request);
  if (part === "" || part === "remove") return await change(request, part === "remove");
  return undefined;
}

async function test(request: DeskRequest): Promise<Response> {
  const { site, words } = request;
  const keySetting = (name: string) => site.environment[name];
  const { business } = readText(await presentText(site));
  await using store = await openAnyStore(site);
  const failed = business === undefined ? 0 : await sendTests(site.config, store, { business, keySetting });
  return leadTo(request, PATH, [failed === 0 ? words.notices.tested : words.notices.testFailed]);
}

/** The site's store; while there is none, one in memory. */
async function openAnyStore({ config: { DATABASE_URL } }: DeskSite): Promise<Store> {
  return await openStore(isStoreThere(DATABASE_URL) ? DATABASE_URL : "sqlite:");
}

/** Changes, adds or removes an entry of business.yaml, and publishes the file. */
async function change(request: DeskRequest, isRemoval: boolean): Promise<Response> {
  const { form, site } = request;
  const before = await presentText(site);
  const field = (name: string) => (form.fields.get(name) ?? "").trim();
  const at = field("entry") === "" ? undefined : Number(field("entry"));
  const business = readText(before).business;
  if (before === undefined || business === undefined || (isRemoval && at === undefined))
    return await showNotices(request, before);
  if ((await otherPublished(site, business)) !== undefined)
    return await showNotices(request, before, { issues: [undecided(request)], at, to: field("to") });
  const to = field("to").replace(/^[^:/\s]+@/, "mailto:$&");
  const fields = {
    ...{ to, when: NOTICE_SUBJECTS.filter((subject) => form.fields.getAll("when").includes(subject)) },
    ...{ digest: field("digest"), format: field("format"), secret_env: field("secret_env") },
  };
  const text = isRemoval ? withoutNotice(before, Number(at)) : withNotice(before, at, fields);
  const published = await publishText(request, { text, before });
  if ("done" in published) return leadTo(request, PATH, published.done);
  return await showNotices(request, before, { issues: published.issues, at, to: field("to") });
}

/** The file says otherwise than what is published: writing it would publish that, too. */
function undecided({ words: { business } }: DeskRequest): Issue {
  return { code: "undecided", path: [], message: fill(business.decideFirst, { file: NAME }) };
}

/** What was wrong with a change that was not made: of an entry, or of a new one. */
interface Wrong {
  readonly issues: readonly Issue[];
  readonly at: number | undefined;
  readonly to: string;
}

async function showNotices(request: DeskRequest, text: string | undefined, wrong?: Wrong): Promise<Response> {
  const { words, site } = request;
  const { notices: said, navigation } = words;
  const { business, issues } = readText(text);
  await using store = await openAnyStore(site);
  const lines = await listNotices(store, business ?? UNNAMED_BUSINESS);
  const baseUrl = baseUrlOf(site.config, site.config.PORT);
  const wish = { baseUrl, limit: MAX_VANISHED, isGone: true };
  const { rows: vanished } = await vanishedEntries(store.database, wish);
  const vanishedCount = await countVanished(store.database);
  const secrets = business?.notices?.map(({ secret_env }) => secret_env) ?? [];
  const form = (parts: Pick<FormParts, "line" | "at" | "secret">) =>
    renderForm(request, { ...parts, text, wrong: wrong?.at === parts.at ? wrong : undefined });
  const content = html`<div class="card"><p>${said.intro}</p>${
    lines.length === 0
      ? html`<p>${said.none}</p>`
      : html`<div class="actions">${actionForm(request, `${PATH}/test`, { label: said.test })}<span class="soft">${said.testHint}</span></div>`
  }</div>
${lines.map((line, at) => html`<section class="card"><h2 class="address">${line.to}</h2>${renderState(request, line)}${form({ line, at, secret: secrets[at] })}</section>`)}
${business === undefined ? html`<p><a class="button" href="${site.prefix}/business">${navigation.business}</a></p>` : html`<section class="card"><h2>${said.another}</h2>${form({})}</section>`}
${renderVanished(request, { gone: vanished, count: vanishedCount, business })}`;
  return showPage(request, {
    entry: "notices",
    title: navigation.notices,
    content,
    faults: [{ lines: issues.map(({ message }) => message) }, ...faultsOf(wrong, words)],
    status: wrong === undefined ? 200 : 400,
  });
}

/** The business of the file, or what is wrong with it. */
function readText(text: string | undefined): {
  readonly business?: BusinessFile;
  readonly issues: readonly Issue[];
} {
  try {
    return text === undefined ? { issues: [] } : { business: parseBusinessFile(NAME, text), issues: [] };
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    return { issues: error.issues };
  }
}

/** What was sent last, what waits, and when the next digest comes. */
function renderState(request: DeskRequest, line: AddressLine): Markup {
  const { words, locale } = request;
  const { notices: said } = words;
  const { last_at, last_type, outcome, waiting, next_at, next_digest_at } = line;
  const [, kind = "", reason = ""] = /^([a-z ]+): (.*)$/s.exec(outcome ?? "") ?? [];
  const isAccepted = kind === "" || kind === "sent";
  const [type, came] = [
    said.types[last_type as keyof typeof said.types],
    said.outcomes[kind as keyof typeof said.outcomes],
  ];
  const waits = () => fill(said.tried, { time: deskTime(request, next_at ?? "") });
  const rows = [
    [said.last, last_at === null ? said.noneYet : `${deskTime(request, last_at)}: ${type}, ${came}`],
    [said.waiting, waiting === 0 ? said.nothing : `${locale.counted(said.messages, waiting)}. ${waits()}`],
    ...(next_digest_at === null ? [] : [[said.nextDigest, deskTime(request, next_digest_at)]]),
  ];
  return html`${isAccepted ? "" : faults([`${said.notAccepted} ${reason}`])}<table class="counts"><tbody>${rows.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody></table>`;
}

/** The faults of the form that was sent, at its fields. */
function faultsOf(wrong: Wrong | undefined, { notices: said }: DeskWords): PageFault[] {
  const labels: Readonly<Record<string, string>> = {
    ...{ to: said.to, when: said.told, digest: said.digest, format: said.format, secret_env: said.secret },
  };
  return (wrong?.issues ?? []).map(({ path, message }) => {
    const name = path.findLast((part) => typeof part === "string") ?? "";
    const lines = [message.replace(/^business\.yaml:\d+: /, "")];
    const label = labels[name];
    const id = fieldId(name, wrong?.at);
    return label === undefined || (name === "to" && wrong?.at !== undefined)
      ? { lines }
      : { lines, field: { id, label } };
  });
}

/** The id of a field of an entry, or of the form for a new one. */
function fieldId(name: string, at: number | undefined): string {
  return name === "to" ? name : `${name.replace("secret_env", "secret")}-${at ?? "new"}`;
}

interface FormParts {
  readonly text: string | undefined;
  /** The entry that it changes; undefined for a new one. */
  readonly line?: AddressLine;
  readonly at?: number;
  readonly secret?: string | undefined;
  readonly wrong: Wrong | undefined;
}

function renderForm(request: DeskRequest, { text, line, at, secret = "", wrong }: FormParts): Markup {
  const { words, site } = request;
  const { notices: said } = words;
  const id = (name: string) => fieldId(name, at);
  const wrongAt = (name: string) =>
    faultsOf(wrong, words).flatMap(({ field, lines }) => (field?.id === id(name) ? lines : []));
  const state = (name: string, hint?: string) => fieldState(id(name), wrongAt(name), hint);
  const beside = (name: string) => fieldFaults(id(name), wrongAt(name));
  const options = (given: readonly (readonly [string, string])[], chosen: string) =>
    given.map(
      ([value, label]) => html`<option value="${value}"${value === chosen ? html` selected` : ""}>${label}</option>`,
    );
  const isMail = line !== undefined && line.format === null;
  const checks = NOTICE_SUBJECTS.map((subject) => {
    const isChecked = line === undefined || line.when.includes(subject);
    return html`<label class="check"><input type="checkbox" name="when" value="${subject}"${isChecked ? html` checked` : ""}> ${said.subjects[subject]}</label>`;
  });
  const address =
    line === undefined
      ? html`<div class="wide"><label for="to">${said.to}</label><input id="to" name="to" value="${wrong?.to}" required${state("to", "to-hint")}><span class="soft" id="to-hint">${said.toHint}</span>${beside("to")}</div>`
      : "";
  const service = isMail
    ? ""
    : html`<div><label for="${id("format")}">${said.format}</label><select id="${id("format")}" name="format"${state("format")}>${options(
        FORMATS.map((format) => [format, said.formats[format]]),
        line?.format ?? "json",
      )}</select>${beside("format")}</div>
<div class="wide"><label for="${id("secret")}">${said.secret}</label><input id="${id("secret")}" name="secret_env" value="${secret}" placeholder="KEY_OFFICE"${state("secret", id("secret-hint"))}><span class="soft" id="${id("secret-hint")}">${said.secretHint}</span>${beside("secret")}</div>`;
  const digest = html`<div><label for="${id("digest")}">${said.digest}</label><select id="${id("digest")}" name="digest"${state("digest")}>${options([["", said.noDigest], ...DIGESTS.map((each) => [each, said.digests[each]] as const)], line?.digest ?? "")}</select>${beside("digest")}</div>`;
  const fields = html`<div class="fields">${address}${digest}${service}</div><fieldset id="${id("when")}"><legend>${said.told}</legend><div class="steps">${checks}</div>${beside("when")}</fieldset>`;
  const remove =
    line === undefined
      ? ""
      : html`<button class="button quiet" formaction="${site.prefix}${PATH}/remove" formnovalidate>${said.remove}</button>`;
  const form = html`<form method="post" action="${site.prefix}${PATH}" class="fields-form">${stampField(request, text)}<input type="hidden" name="entry" value="${at ?? ""}">${fields}<p class="actions"><button class="button">${line === undefined ? said.add : said.save}</button>${remove}</p></form>`;
  if (line === undefined) return form;
  return html`<details${wrong === undefined ? "" : html` open`}><summary>${said.change}</summary>${form}</details>`;
}

interface Vanished {
  /** The newest of those that are missing. */
  readonly gone: readonly VanishedEntry[];
  /** How many are missing. */
  readonly count: number;
  readonly business: BusinessFile | undefined;
}

/** The newest of those that are missing, the text of an appeal about them, and a link to all. */
function renderVanished(request: DeskRequest, { gone, count, business }: Vanished): Markup {
  const { words, locale, site } = request;
  const { notices: said } = words;
  const rows = gone.map(({ date, rating, author, source, url, had_last_at, lacked_first_at }) => [
    locale.date(date),
    renderStars(rating, locale),
    url === null ? (author ?? "–") : html`<a href="${url}">${author ?? "–"}</a>`,
    sourceName(source, locale),
    deskTime(request, had_last_at),
    deskTime(request, lacked_first_at),
  ]);
  const list =
    gone.length === 0
      ? html`<p>${said.noVanished}</p>`
      : html`<p>${locale.counted(said.vanishedCount, count)}</p>${renderTable(said.vanished, Object.values(said.heads), rows)}
${count > gone.length ? html`<p><a href="${site.prefix}/reviews/vanished">${said.allVanished}</a></p>` : ""}
<details><summary>${said.appeal}</summary><label for="appeal">${said.appealHint}</label><textarea id="appeal" rows="14" readonly>${business === undefined ? "" : appealText(gone, business)}</textarea></details>`;
  return html`<section class="card"><h2>${said.vanished}</h2>${list}</section>`;
}
