/** The desk's list of sites, each a link to its own desk, and a form for a new one. */
import { existsSync, mkdirSync } from "node:fs";
import { html } from "hono/html";
import type { Markup } from "../../page/text/markup.ts";
import { fill } from "../../page/text/words.ts";
import { isSiteName, namesOfSites, siteFolder } from "../sites/site-folder.ts";
import { addressedSites } from "../sites/site-list.ts";
import { readSiteStatus, type SiteStatus } from "../sites/site-survey.ts";
import { deskAdvice } from "./desk-advice.ts";
import {
  type DeskRequest,
  fieldFaults,
  fieldState,
  leadTo,
  olderLink,
  readPlace,
  renderTable,
  showPage,
  tokenField,
} from "./desk-frame.ts";

/** Each site is opened to be looked at. */
const PAGE_LENGTH = 50;
const SITE_PLACE = ["name"] as const;

/** Answers `/` of a desk with sites. */
export async function answerSites(request: DeskRequest): Promise<Response | undefined> {
  const { isPost, form, site } = request;
  const folder = site.config.SITES;
  if (!isPost) return await showSites(request);
  const name = (form.fields.get("name") ?? "").trim().toLowerCase();
  const { sites } = request.words;
  if (!isSiteName(name)) return await showSites(request, { name, wrong: sites.noName });
  const made = siteFolder(folder, name).folder;
  if (existsSync(made)) return await showSites(request, { name, wrong: fill(sites.taken, { name }) });
  mkdirSync(made);
  return leadTo(request, `/sites/${name}/business`);
}

interface Wrong {
  readonly name: string;
  readonly wrong: string;
}

async function showSites(request: DeskRequest, { name, wrong }: Wrong = { name: "", wrong: "" }): Promise<Response> {
  const { site, words, query } = request;
  const { sites } = words;
  const lines = wrong === "" ? [] : [wrong];
  const statuses: SiteStatus[] = [];
  const after = readPlace(query, SITE_PLACE)?.name ?? "";
  const all = addressedSites(site.config.SITES, namesOfSites(site.config.SITES), site.environment);
  const later = all.filter((each) => each.name > after);
  const listed = later.slice(0, PAGE_LENGTH);
  for (const each of listed)
    statuses.push(await readSiteStatus(each, site.environment, (sentence) => deskAdvice(sentence, words)));
  const heads = [sites.name, sites.state, sites.reviews, sites.newest, sites.address];
  const content = html`<div class="card">${
    statuses.length === 0
      ? html`<p>${sites.none}</p>`
      : renderTable(
          words.navigation.sites,
          heads,
          statuses.map((status) => rowOf(request, status)),
        )
  }${olderLink(request, "/", { last: later.length > listed.length ? { name: listed.at(-1)?.name ?? "" } : undefined, columns: SITE_PLACE, label: sites.more })}</div>
<section class="card"><h2>${sites.newSite}</h2><form method="post" action="/" class="fields-form" aria-label="${sites.newSite}">${tokenField(request)}<p><label for="name">${sites.name}</label><input id="name" name="name" value="${name}" required pattern="[a-z0-9\\-]{1,63}"${fieldState("name", lines, "name-hint")}><span class="soft" id="name-hint">${sites.nameHint}</span></p>${fieldFaults("name", lines)}<p class="actions"><button class="button">${sites.make}</button></p></form></section>`;
  return showPage(request, {
    entry: "sites",
    title: words.navigation.sites,
    content,
    faults: [{ lines, field: { id: "name", label: sites.name } }],
    status: wrong === "" ? 200 : 400,
  });
}

function rowOf({ words: { sites }, locale }: DeskRequest, status: SiteStatus): (Markup | string)[] {
  const { name, state, reviews, newest_review, base_url, problem } = status;
  const trouble = problem === null ? "" : html` <span class="soft">${problem}</span>`;
  return [
    html`<a href="/sites/${name}/">${name}</a>`,
    html`${sites.states[state]}${trouble}`,
    locale.number(reviews),
    newest_review === null ? "–" : locale.shortDate(newest_review),
    base_url ?? "–",
  ];
}
