/** The desk's page of subscribers, as `goodword subscriptions` lists them. */
import { html } from "hono/html";
import { listSubscriptions } from "../../store/subscription-rows.ts";
import { ownerTime } from "../owner/owner-time.ts";
import { type DeskRequest, renderTable, showPage } from "./desk-frame.ts";
import { withStore } from "./desk-site.ts";

const MAX_LINES = 500;

/** Answers `/subscribers`. */
export async function answerSubscribers(request: DeskRequest): Promise<Response | undefined> {
  const { isPost, rest, site, words, locale } = request;
  if (isPost || rest.length > 0) return undefined;
  const { subscribers } = words;
  const lines = (await withStore(site, (store) => listSubscriptions(store, new Date()))) ?? [];
  const time = (at: string | null) => (at === null ? "–" : ownerTime(at, locale.tag));
  const rows = lines
    .slice(0, MAX_LINES)
    .map((line) => [
      line.callback_host,
      line.topic,
      line.state,
      time(line.lease_ends_at),
      locale.number(line.failures),
      time(line.next_attempt_at),
    ]);
  const content = html`<div class="card"><p>${subscribers.intro}</p>${
    rows.length === 0
      ? html`<p>${subscribers.none}</p>`
      : html`<p>${locale.counted(subscribers.count, lines.length)}</p>${renderTable(words.navigation.subscribers, Object.values(subscribers.heads), rows)}`
  }</div>`;
  return showPage(request, { entry: "subscribers", title: words.navigation.subscribers, content });
}
