/** The desk's page of findings: what was found for each topic, in its review, and what the owner corrects of it. */
import { html } from "hono/html";
import { taxonomyOf } from "../../analysis/trade-taxonomy.ts";
import { verifiedSourcesOf } from "../../business.ts";
import { CORRECTED, type Correction } from "../../correction.ts";
import { languageOfText } from "../../insight/text/language.ts";
import { plainLine } from "../../lib/printable-text.ts";
import {
  correctedFindings,
  correctFinding,
  type ListedCorrection,
  takeBackCorrection,
} from "../../maintenance/corrections.ts";
import { type Finding, type FoundAspect, findMentions } from "../../maintenance/found-mentions.ts";
import { authorName, languageOf } from "../../page/part/review-card.ts";
import type { Markup } from "../../page/text/markup.ts";
import { beginning, segments } from "../../page/text/printable.ts";
import { aspectLabel } from "../../page/text/prose-language.ts";
import { fill } from "../../page/text/words.ts";
import type { Review } from "../../review.ts";
import { CORRECTION_PLACE } from "../../store/correction-rows.ts";
import { publishedAmong, REVIEW_PLACE } from "../../store/review-rows.ts";
import { readBusiness } from "../../store/store.ts";
import {
  actionForm,
  type DeskRequest,
  leadBack,
  leadTo,
  olderLink,
  readPlace,
  showPage,
  tokenField,
} from "./desk-frame.ts";
import { renderWho } from "./desk-reviews.ts";
import { withStore } from "./desk-site.ts";

/** How many findings of each topic the overview shows, and the page of one. */
const [OF_EACH, OF_ONE] = [3, 20];
const TEXT_LENGTH = 1_500;

/** Answers `/findings` and what is below it. */
export async function answerFindings(request: DeskRequest): Promise<Response | undefined> {
  const { isPost, rest, form, site, words } = request;
  const { fields } = form;
  const finding = { id: fields.get("id") ?? "", aspect: fields.get("aspect") ?? "" };
  switch (rest.join("/")) {
    case "":
      return isPost ? undefined : await showFindings(request);
    case "corrected":
      return isPost ? undefined : await showCorrected(request);
    case "correct": {
      const is = CORRECTED.find((each) => each === fields.get("is"));
      if (!isPost || is === undefined) return undefined;
      const topic = fields.get("topic") ?? "";
      return leadTo(request, topic === "" ? "/findings" : `/findings?${new URLSearchParams({ topic })}`, [
        await correct(request, { ...finding, is }),
      ]);
    }
    case "take-back":
      if (!isPost) return undefined;
      await withStore(site, (store) => takeBackCorrection(store, finding, new Date()));
      return leadBack(request, "/findings/corrected", [words.findings.takenBack]);
    default:
      return undefined;
  }
}

/** Corrects a finding, and says which. */
async function correct(request: DeskRequest, wish: Pick<Correction, "id" | "aspect" | "is">): Promise<string> {
  const { words, site, locale } = request;
  const { done, tones, notSaid } = words.findings;
  const [author = wish.id, label = wish.aspect] =
    (await withStore(site, async (store) => {
      const business = await readBusiness(store.database);
      const [review] = await publishedAmong(store.database, verifiedSourcesOf(business), [wish.id]);
      await correctFinding(store, wish, { now: new Date(), model: site.config.ANALYZER_MODEL || undefined });
      const aspect = taxonomyOf(business).aspects.find(({ id }) => id === wish.aspect);
      return [review && authorName(review.author, locale), aspect?.label] as const;
    })) ?? [];
  const values = { topic: aspectLabel(label, locale).text, is: wish.is === "none" ? notSaid : tones[wish.is] };
  return plainLine(fill(done, { ...values, author }));
}

async function showFindings(request: DeskRequest): Promise<Response> {
  const { words, site, query } = request;
  const { findings: said } = words;
  const topic = query.get("topic") || undefined;
  const wish = { aspect: topic, after: readPlace(query, REVIEW_PLACE), model: site.config.ANALYZER_MODEL || undefined };
  const found = await withStore(site, (store) =>
    findMentions(store, { ...wish, limit: topic === undefined ? OF_EACH : OF_ONE }),
  );
  const { aspects = [], last } = found ?? {};
  const shown = aspects.filter(({ findings }) => findings.length > 0);
  const older =
    topic === undefined
      ? ""
      : olderLink(request, "/findings", { last, columns: REVIEW_PLACE, label: said.older, fields: { topic } });
  const content = html`<div class="card"><p>${said.intro}</p><p id="public">${said.public}</p><p class="actions"><a href="${site.prefix}/findings/corrected">${said.corrected}</a>${topic === undefined ? "" : html` <a href="${site.prefix}/findings">${said.allTopics}</a>`}</p></div>
${shown.length === 0 ? html`<p class="card">${said.none}</p>` : shown.map((aspect) => renderAspect(request, aspect, topic))}
${older}`;
  return showPage(request, { entry: "findings", title: words.navigation.findings, content });
}

function renderAspect(request: DeskRequest, { id, label, findings }: FoundAspect, topic: string | undefined): Markup {
  const { words, locale, site } = request;
  const { text, lang } = aspectLabel(label, locale);
  return html`<section class="card" aria-labelledby="topic-${id}"><h2 id="topic-${id}"${lang}>${text}</h2>
${findings.map((finding) => renderFinding(request, finding, topic))}
${topic === undefined ? html`<p class="actions"><a href="${site.prefix}/findings?topic=${id}">${fill(words.findings.allOf, { topic: text })}</a></p>` : ""}</section>`;
}

/** What is asked for by each button. */
const BUTTONS = { none: "notSaid", positive: "praise", negative: "criticism" } as const satisfies Record<
  Correction["is"],
  string
>;

function renderFinding(request: DeskRequest, { review, mention }: Finding, topic = ""): Markup {
  const { words, locale, site } = request;
  const { findings: said } = words;
  const { id: aspect, sentiment, evidence, corrected } = mention;
  const key = `${review.id}-${aspect}`;
  const tone = { positive: "good", neutral: "even", negative: "bad" }[sentiment];
  const shown = beginning(review.text ?? "", TEXT_LENGTH).text;
  const settings = { locale, language: locale.tag, businessName: "", tellLanguage: languageOfText };
  const marked = segments(shown, [{ span: evidence, mark: sentiment }]).map(({ text, marks: [mark] }) =>
    mark === undefined ? text : html`<mark class="${mark}">${text}</mark>`,
  );
  return html`<article class="finding">${renderWho(request, review, { id: `who-${key}`, level: 3 })}<p><span class="chip ${tone}">${said.tones[sentiment]}</span>${corrected === true ? html` <span class="soft">${locale.words.corrected}</span>` : ""}</p>
<blockquote class="words" dir="auto"${languageOf(settings, review.text)}>${marked}</blockquote>
<form class="actions" method="post" action="${site.prefix}/findings/correct">${tokenField(request)}<input type="hidden" name="id" value="${review.id}"><input type="hidden" name="aspect" value="${aspect}"><input type="hidden" name="topic" value="${topic}">${CORRECTED.map(
    (is) =>
      html`<button class="button quiet small" name="is" value="${is}" aria-describedby="who-${key}"${is === sentiment ? html` disabled` : ""}>${said[BUTTONS[is]]}</button>`,
  )}</form></article>`;
}

async function showCorrected(request: DeskRequest): Promise<Response> {
  const { words, site, query } = request;
  const { findings: said } = words;
  const wish = { limit: OF_ONE, after: readPlace(query, CORRECTION_PLACE) };
  const corrected = await withStore(site, async (store) => {
    const { rows, last } = await correctedFindings(store, wish);
    const business = await readBusiness(store.database);
    const ids = rows.map(({ correction }) => correction.id);
    const published = await publishedAmong(store.database, verifiedSourcesOf(business), ids);
    return {
      rows,
      last,
      reviews: new Map(published.map((review) => [review.id, review])),
      taxonomy: taxonomyOf(business),
    };
  });
  const { rows: all = [], last, reviews, taxonomy } = corrected ?? {};
  const labels = new Map(taxonomy?.aspects.map(({ id, label }) => [id, label]));
  const content = html`<div class="card"><p>${said.public}</p>${all.length === 0 ? html`<p>${said.nothingCorrected}</p>` : ""}<p class="actions"><a href="${site.prefix}/findings">${said.allTopics}</a></p></div>
${all.map((each) => renderCorrected(request, each, { label: labels.get(each.correction.aspect), review: reviews?.get(each.correction.id) }))}
${olderLink(request, "/findings/corrected", { last, columns: CORRECTION_PLACE, label: said.older })}`;
  return showPage(request, { entry: "findings", title: said.corrected, content });
}

interface Corrected {
  readonly label: string | undefined;
  readonly review: Review | undefined;
}

function renderCorrected(
  request: DeskRequest,
  { correction, evidence: [from, to], isInForce }: ListedCorrection,
  { label, review }: Corrected,
): Markup {
  const { words, locale, site } = request;
  const { findings: said } = words;
  const { id, aspect, was, is, at, note } = correction;
  const topic = aspectLabel(label ?? aspect, locale);
  const text = review?.text ?? "";
  const shown = beginning(text, TEXT_LENGTH).text;
  const evidence = isInForce ? text.slice(from, to) : "";
  const settings = { locale, language: locale.tag, businessName: "", tellLanguage: languageOfText };
  const marked = segments(shown, [{ span: evidence, mark: was }]).map(({ text: part, marks: [each] }) =>
    each === undefined ? part : html`<mark class="${each}">${part}</mark>`,
  );
  const what = html`<span${topic.lang}>${topic.text}</span>: ${said.tones[was]} → ${is === "none" ? said.notSaid : said.tones[is]}`;
  return html`<article class="card finding">${
    review === undefined
      ? html`<h2 class="byline" id="who-${id}-${aspect}"><a href="${site.prefix}/reviews?search=${id}"><code>${id}</code></a></h2>`
      : renderWho(request, review, { id: `who-${id}-${aspect}`, level: 2 })
  }<p><strong>${what}</strong> <time class="soft" datetime="${at}">${locale.shortDate(at.slice(0, 10))}</time>${isInForce ? "" : html` <span class="soft">${said.rests}</span>`}${note === null ? "" : html` <span class="soft">${said.note}: ${note}</span>`}</p>
${review === undefined ? "" : html`<blockquote class="words" dir="auto"${languageOf(settings, review.text)}>${marked}</blockquote>`}
${actionForm(request, "/findings/take-back", { label: said.takeBack, fields: { id, aspect, after: request.query.get("after") ?? "" }, kind: "quiet" })}</article>`;
}
