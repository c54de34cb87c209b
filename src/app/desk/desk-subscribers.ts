/** The desk's page of subscribers, as `goodword subscriptions` lists them. */
import { html } from "hono/html";
import { countSubscriptions, SUBSCRIPTION_PLACE, subscriptionPage } from "../../store/subscription-rows.ts";
import { type DeskRequest, deskTime, olderLink, readPlace, renderTable, showPage } from "./desk-frame.ts";
import { withStore } from "./desk-site.ts";

const PAGE_LENGTH = 100;

/** Answers `/subscribers`. */
export async function answerSubscribers(request: DeskRequest): Promise<Response | undefined> {
  const { isPost, rest, site, words, locale, query } = request;
  if (isPost || rest.length > 0) return undefined;
  const { subscribers } = words;
  const [now, wish] = [new Date(), { limit: PAGE_LENGTH, after: readPlace(query, SUBSCRIPTION_PLACE) }];
  const found = await withStore(site, async (store) => ({
    count: await countSubscriptions(store, now),
    page: await subscriptionPage(store, now, wish),
  }));
  const time = (at: string | null) => (at === null ? "–" : deskTime(request, at));
  const rows = (found?.page.rows ?? []).map((line) => [
    line.callback_host,
    line.topic,
    line.state,
    time(line.lease_ends_at),
    locale.number(line.failures),
    time(line.next_attempt_at),
    line.id,
  ]);
  const content = html`<div class="card"><p>${subscribers.intro}</p>${
    rows.length === 0
      ? html`<p>${subscribers.none}</p>`
      : html`<p>${locale.counted(subscribers.count, found?.count ?? 0)}</p>${renderTable(words.navigation.subscribers, Object.values(subscribers.heads), rows)}${olderLink(request, "/subscribers", { last: found?.page.last, columns: SUBSCRIPTION_PLACE, label: subscribers.more })}`
  }</div>`;
  return showPage(request, { entry: "subscribers", title: words.navigation.subscribers, content });
}
