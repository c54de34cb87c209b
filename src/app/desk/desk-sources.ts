/** The desk's page of followed sources: their state, and fetching them now. */
import { html } from "hono/html";
import type { FollowEvent } from "../../follow/follower.ts";
import type { Markup } from "../../page/text/markup.ts";
import { faultLines } from "../fault-message.ts";
import { type FollowedLine, fetchFollowed, listFollowed } from "../owner/followed-listing.ts";
import { deskAdvice } from "./desk-advice.ts";
import { actionForm, type DeskRequest, deskTime, faults, leadTo, showPage, showProgress } from "./desk-frame.ts";
import { type DeskSite, type Fetching, settled, withStore } from "./desk-site.ts";

/** A fetch that is short is shown as a whole, a longer one as it goes on. */
const PATIENCE_MS = 3_000;

/** Answers `/sources`. */
export async function answerSources(request: DeskRequest): Promise<Response | undefined> {
  const { isPost, rest, site } = request;
  if (rest.join("/") === "progress" && !isPost) return showProgress(site.fetching?.isEnded === false);
  if (rest.length > 0) return undefined;
  if (!isPost) return await showSources(request);
  site.fetching ??= startFetching(site);
  await settled(site.fetching.ended, PATIENCE_MS);
  return leadTo(request, "/sources");
}

function startFetching(site: DeskSite): Fetching {
  const { config, environment } = site;
  const events: FollowEvent[] = [];
  const keySetting = (name: string) => environment[name];
  const onEvent = (event: FollowEvent) => void events.push(event);
  const running = withStore(site, async (store) => await fetchFollowed(config, store, { keySetting, onEvent }));
  const fetching: Fetching = {
    events,
    isEnded: false,
    faults: [],
    ended: running.then(
      () => {
        fetching.isEnded = true;
      },
      (error: unknown) => {
        Object.assign(fetching, { isEnded: true, faults: faultLines(error) });
      },
    ),
  };
  return fetching;
}

async function showSources(request: DeskRequest): Promise<Response> {
  const { words, site } = request;
  const { sources } = words;
  const { lines = [], advice = [] } = (await withStore(site, listFollowed)) ?? {};
  const { fetching } = site;
  const isWaiting = fetching !== undefined && !fetching.isEnded;
  if (!isWaiting) site.fetching = undefined; // the next page has forgotten it
  const wrong = (fetching?.faults ?? []).map((line) => deskAdvice(line, words));
  const content = html`<div class="card"><p>${sources.intro}</p>${
    lines.length === 0
      ? html`<p>${sources.none}</p>`
      : isWaiting
        ? html`<p role="status">${sources.fetching}</p><progress></progress>`
        : actionForm(request, "/sources", { label: sources.fetchNow })
  }</div>
${lines.map((line, at) => renderSource(request, line, { advice: advice[at] ?? "", event: fetching?.events[at] }))}`;
  return showPage(request, {
    entry: "sources",
    title: words.navigation.sources,
    content,
    isWaiting,
    faults: [{ lines: wrong }],
  });
}

function renderSource(
  request: DeskRequest,
  { url, source, last_at, outcome, next_at }: FollowedLine,
  { advice, event }: { readonly advice: string; readonly event: FollowEvent | undefined },
): Markup {
  const { words } = request;
  const { sources } = words;
  const rows = [
    [sources.source, source ?? sources.inFile],
    [
      sources.lastTry,
      last_at === null ? sources.noTry : `${deskTime(request, last_at)}: ${deskAdvice(outcome ?? "", words)}`,
    ],
    [sources.nextTry, next_at === null ? sources.withServer : deskTime(request, next_at)],
  ] as const;
  const now =
    event === undefined
      ? ""
      : event.event === "failed"
        ? faults([`${sources.justNow}: ${deskAdvice(event.quoting, words)}`])
        : html`<p>${sources.justNow}: ${sources.events[event.event]}</p>`;
  return html`<section class="card"><h2 class="address">${url}</h2>${now}<table class="counts"><tbody>${rows.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody></table>${advice === "" ? "" : html`<p>${deskAdvice(advice, words)}</p>`}</section>`;
}
