/** The desk's page of subscribers, as `goodword subscriptions` lists them. */
import { html } from "hono/html";
import { listSubscriptions } from "../../store/subscription-rows.ts";
import { localTime } from "../terminal/terminal-text.ts";
import { type DeskRequest, showPage } from "./desk-frame.ts";
import { withStore } from "./desk-site.ts";

const MAX_LINES = 500;

/** Answers `/subscribers`. */
export async function answerSubscribers(request: DeskRequest): Promise<Response | undefined> {
  const { isPost, rest, site, words, locale } = request;
  if (isPost || rest.length > 0) return undefined;
  const { subscribers } = words;
  const lines = (await withStore(site, (store) => listSubscriptions(store, new Date()))) ?? [];
  const rows = lines
    .slice(0, MAX_LINES)
    .map(
      (line) =>
        html`<tr><th scope="row">${line.callback_host}</th><td>${line.topic}</td><td>${line.state}</td><td>${line.lease_ends_at === null ? "–" : localTime(line.lease_ends_at)}</td><td>${locale.number(line.failures)}</td><td>${line.next_attempt_at === null ? "–" : localTime(line.next_attempt_at)}</td></tr>`,
    );
  const content = html`<div class="card"><p>${subscribers.intro}</p>${
    rows.length === 0
      ? html`<p>${subscribers.none}</p>`
      : html`<p>${locale.counted(subscribers.count, lines.length)}</p><div class="scroll" tabindex="0" role="region" aria-label="${words.navigation.subscribers}"><table><thead><tr>${Object.values(subscribers.heads).map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`
  }</div>`;
  return showPage(request, { entry: "subscribers", title: words.navigation.subscribers, content });
}
