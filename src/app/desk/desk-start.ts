/** The desk's first page: what the business is, then its reviews, then that its page is ready, and what to do each month. */
import { html } from "hono/html";
import { fill } from "../../page/text/words.ts";
import { folderLine } from "./desk-advice.ts";
import { actionForm, type DeskRequest, leadTo, showPage } from "./desk-frame.ts";
import { figuresOf, unverifiedOf, writtenFolder } from "./desk-site.ts";
import { doWork } from "./desk-work-page.ts";

/** Answers `/`. */
export async function answerStart(request: DeskRequest): Promise<Response | undefined> {
  const { site, isPost, rest, business, words, locale } = request;
  if (rest.length > 0) return undefined;
  if (isPost) return await doWork(request, { kind: "digest" }, "/");
  if (business === undefined) return leadTo(request, "/business");
  const { start } = words;
  const { reviews: count = 0, newestReview: newest } = (await figuresOf(site)) ?? {};
  const written = await writtenFolder(site);
  const path = (name: string) => `${site.prefix}/${name}`;
  const unverified = count === 0 ? [...((await unverifiedOf(site)) ?? [])] : [];
  if (unverified.length > 0) {
    const stored = unverified.map(([source, reviews]) => `${source} (${locale.number(reviews)})`).join(", ");
    const sources = unverified.map(([source]) => source).join(", ");
    return showPage(request, {
      title: start.nextSources,
      content: html`<div class="card"><p>${fill(start.allUnverified, { stored })}</p><p>${fill(start.vouch, { sources })}</p><p class="actions"><a class="button" href="${path("business")}#verified_sources">${start.chooseSources}</a> <a class="button quiet" href="${path("import")}">${start.chooseFiles}</a></p></div>`,
    });
  }
  if (count === 0)
    return showPage(request, {
      title: start.nextReviews,
      content: html`<div class="card"><p>${fill(start.businessIs, { name: business })}</p><p>${start.whereFrom}</p><p class="actions"><a class="button" href="${path("import")}">${start.chooseFiles}</a></p></div>`,
    });
  const steps = [
    { name: "import", text: start.monthly },
    { name: "reviews", text: start.reviews },
    { name: "findings", text: start.findings },
    { name: "business", text: start.business },
    { name: "history", text: start.history },
    { name: "online", text: start.again },
  ] as const;
  const content = html`<div class="card"><p>${locale.counted(start.published, count)}${newest === undefined ? "" : ` ${fill(start.newest, { date: locale.date(newest) })}`}</p>
<p>${written === undefined ? start.online : folderLine(request.words, written)}</p><p class="actions"><a class="button" href="${path("online")}">${written === undefined ? start.howOnline : start.writeAgain}</a> <a class="button quiet" href="${path("look")}/" target="_blank">${words.importing.openPreview}</a></p></div>
<section class="card"><h2>${start.monthlyTitle}</h2><dl class="steps">${steps.map(
    ({ name, text }) => html`<div><dt>${words.navigation[name]}</dt><dd>${text}</dd></div>`,
  )}</dl><div class="actions">${actionForm(request, "/", { label: start.digest, kind: "quiet" })}</div></section>`;
  return showPage(request, { title: start.ready, content });
}
