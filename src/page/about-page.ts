/** `/about`: how the reviews were gathered, a sentence for each question of consumer law, with figures of the history. */
import { html } from "hono/html";
import { dayInZone } from "../calendar-date.ts";
import type { Document } from "../edition/document.ts";
import type { Edition } from "../edition/edition.ts";
import type { Provenance } from "../edition/provenance.ts";
import { ABOUT_PATH, PROVENANCE_PATH } from "../interface.ts";
import { renderPage } from "./part/page-frame.ts";
import { sourceName } from "./part/source-name.ts";
import { type Locale, localeOf } from "./text/locale.ts";
import { type Markup, withName } from "./text/markup.ts";
import { fill } from "./text/words.ts";

/** The newest changes are on the page, all of them in the data. */
const MAX_CHANGES = 20;

type Change = Provenance["changes"][number];
type Source = Provenance["sources"][number];

/** Renders `/about`. */
export function renderAboutPage(edition: Edition): Document {
  const { business, language, provenance } = edition;
  const locale = localeOf(language);
  const { about, verifiedMeaning } = locale.words;
  const { sources, removals, changes, corrections } = provenance;
  const total = (figure: "withheld" | "withdrawn" | "removed") =>
    sources.reduce((sum, source) => sum + source[figure], 0);
  const day = (instant: string) => locale.date(dayInZone(new Date(instant), business.time_zone));
  const redactions = removals.reduce((sum, each) => sum + each.redacted_author + each.redacted_text, 0);
  const counted = (words: "withheld" | "withdrawn" | "removed" | "redacted" | "duplicates", count: number) =>
    count === 0 ? [] : [locale.counted(about[words], count)];
  const leftOut = (["withheld", "withdrawn", "removed"] as const).flatMap((figure) => counted(figure, total(figure)));
  const answers: readonly Answer[] = [
    { id: "gathered", text: [about.gathered, about.notWrittenHere], more: renderSources(sources, locale, day) },
    { id: "genuine", text: [verifiedMeaning, about.genuine] },
    { id: "rewarded", text: [about.rewarded] },
    { id: "complete", text: [about.complete, ...(leftOut.length > 0 ? leftOut : [about.nothingLeftOut])] },
    {
      id: "moderated",
      text: [about.moderated, ...counted("redacted", redactions)],
      more: renderRemovals(removals, locale),
    },
    { id: "fake", text: [about.fake] },
    { id: "replies", text: [about.replies] },
    { id: "twice", text: [about.shownOnce, ...counted("duplicates", provenance.duplicates)] },
    { id: "rating", text: [about.rating] },
    { id: "summaries", text: [edition.isSummaryOwn ? about.ownSummary : about.summary, about.analysis] },
    {
      id: "corrected",
      text: [
        about.corrections,
        fill(about.correctionFigures, {
          criticism: locale.number(corrections.hidden_criticism),
          praise: locale.number(corrections.hidden_praise),
          changed: locale.number(corrections.changed),
        }),
      ],
    },
    {
      id: "changes",
      text: [changes.length === 0 ? about.noChanges : about.changes],
      more: renderChanges(changes, locale, day),
    },
  ];
  const content = html`<h1>${about.title}</h1><p>${withName(about.intro, business.name)}</p>
${answers.map(({ id, text, more = "" }) => {
  return html`<section class="card" aria-labelledby="${id}"><h2 id="${id}">${about.questions[id]}</h2><p>${text.join(" ")}</p>${more}</section>\n`;
})}
<p class="soft">${about.asData}${locale.colon} <a href="${PROVENANCE_PATH}">provenance.json</a></p>`;
  return renderPage(edition, {
    path: ABOUT_PATH,
    title: `${about.title} – ${business.name}`,
    description: fill(about.intro, { name: business.name }),
    content,
    dataPaths: [PROVENANCE_PATH],
    explainsVerified: true,
  });
}

interface Answer {
  readonly id: keyof Locale["words"]["about"]["questions"];
  readonly text: readonly string[];
  readonly more?: Markup;
}

function renderList(items: readonly Markup[]): Markup {
  return items.length === 0 ? html`` : html`<ul class="plain">${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

function renderSources(sources: readonly Source[], locale: Locale, day: (instant: string) => string): Markup {
  const { about } = locale.words;
  return renderList(
    sources.map((source) => {
      const { published, withheld, withdrawn, removed, verified_by, newest_review } = source;
      const { first_imported_at: first, last_imported_at: last } = source;
      const counts = figures({ published, withheld, withdrawn, removed }, locale);
      const [from, to] = first === null || last === null ? ["", ""] : [day(first), day(last)];
      const imported = fill(from === to ? about.importedOnce : about.imported, { first: from, last: to });
      const newest = newest_review === null ? "" : fill(about.newest, { date: locale.date(newest_review) });
      return html`<strong><bdi>${locale.atStart(sourceName(source.source, locale))}</bdi></strong>${locale.colon} ${[`${counts}.`, newest, from === "" ? "" : imported, about.verifiedBy[verified_by]].join(" ")}`;
    }),
  );
}

function renderRemovals(removals: Provenance["removals"], locale: Locale): Markup {
  return renderList(
    removals.map(({ year, rating, ...counts }) => {
      return html`${year}, ${locale.counted(locale.words.starsName, rating)}${locale.colon} ${figures(counts, locale)}`;
    }),
  );
}

function renderChanges(changes: readonly Change[], locale: Locale, day: (instant: string) => string): Markup {
  const { about } = locale.words;
  return renderList(
    changes.slice(0, MAX_CHANGES).map(({ at, kind, ...counts }) => {
      const said = figures(counts, locale);
      return html`<time datetime="${at}">${day(at)}</time>, ${about.kinds[kind]}${said === "" ? "" : `${locale.colon} ${said}`}`;
    }),
  );
}

/** The figures that are not zero, in words. */
function figures(counts: Partial<Record<keyof Locale["words"]["about"]["figures"], number>>, locale: Locale): string {
  const names = Object.entries(counts).filter(([name, count]) => count > 0 || name === "published");
  const { figures: words } = locale.words.about;
  return names.map(([name, count]) => locale.counted(words[name as keyof typeof words], count)).join(", ");
}
