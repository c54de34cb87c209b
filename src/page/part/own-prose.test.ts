import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { html } from "hono/html";
import { editionOf } from "../../../test/support/real-edition.ts";
import type { Edition } from "../../edition/edition.ts";
import { renderFrontPage } from "../front-page.ts";
import { localeOf } from "../text/locale.ts";
import { proseFor } from "../text/page-prose.ts";
import { ownQuestions, ownSummary } from "./own-prose.ts";

const folder = mkdtempSync(join(tmpdir(), "goodword-"));
after(() => rmSync(folder, { recursive: true }));

async function editionWith(
  rows: readonly (readonly [number, string | null])[],
  { owned = "", language = "de" } = {},
): Promise<Edition> {
  const [business, reviews] = [join(folder, "business.yaml"), join(folder, "reviews.jsonl")];
  writeFileSync(
    business,
    `name: <Ada>\ntime_zone: UTC\nlanguage: ${language}\ncategory: Plumber\ntechnicians: [{ id: dana, name: Dana Reyes }]\n${owned}`,
  );
  const lines = rows.map(([rating, text], index) => {
    const date = `2026-0${1 + (index % 3)}-0${1 + (index % 9)}`;
    return `${JSON.stringify({ id: `r${index}`, author: `A ${index}`, rating, date, text, source: "google" })}\n`;
  });
  writeFileSync(reviews, lines.join(""));
  return (await editionOf(business, reviews)).edition;
}

const ROWS = [
  [5, "They arrived on time."],
  [5, "Dana Reyes arrived on time, very punctual."],
  [5, "Arrived right on time. Dana Reyes is great."],
  [1, "Much too expensive."],
  [2, "Far too expensive for what it was."],
  [1, "Way too expensive, overpriced."],
  [1, null],
] as const;

const german = localeOf("de");
const prose = proseFor("de");
const plain = (markup: unknown) =>
  String(markup)
    .replaceAll(/<[^>]+>/g, "")
    .trim();

test("a German page has its summary and its questions in German, with the statistics of the insights", async () => {
  const edition = await editionWith(ROWS);
  assert.ok(prose);
  assert.equal(
    plain(ownSummary(edition, german, prose)),
    "&lt;Ada&gt; hat im Durchschnitt 2,86 Sterne aus 7 Bewertungen, geschrieben von Januar 2026 bis März 2026. Am häufigsten gelobt: Pünktlichkeit (3 Bewertungen). Am häufigsten kritisiert: Preise (3 Bewertungen). Am häufigsten genannt: Dana Reyes (2 Bewertungen).",
  );
  const questions = ownQuestions(edition, german, prose).map(({ question, answer }) => [
    plain(question),
    plain(answer),
  ]);
  assert.deepEqual(questions, [
    ["Was sagt die Kundschaft zum Thema Pünktlichkeit?", "In etwa 3 Bewertungen gibt es Lob."],
    ["Was sagt die Kundschaft zum Thema Preise?", "In mindestens 3 Bewertungen gibt es Kritik."],
    [
      "Worüber beschwert sich die Kundschaft?",
      "Am häufigsten kritisiert: Preise (3 Bewertungen). 4 Bewertungen haben nur einen oder zwei Sterne.",
    ],
  ]);
  for (const { reviewIds } of ownQuestions(edition, german, prose)) {
    assert.ok(reviewIds.length > 0);
    for (const id of reviewIds) assert.ok(edition.review(id));
  }
  const page = Buffer.from(renderFrontPage(edition).body).toString();
  assert.doesNotMatch(page, /<p dir="auto" lang="en">|<summary lang="en">/);
});

test("a German page tells of praise and of criticism from three reviews on", async () => {
  const edition = await editionWith(ROWS.slice(0, 5));
  assert.ok(prose);
  const told = [
    ownSummary(edition, german, prose),
    ...ownQuestions(edition, german, prose).map(({ answer }) => answer),
  ];
  assert.match(told.map(plain).join(" "), /In etwa 3 Bewertungen gibt es Lob\./);
  assert.doesNotMatch(told.map(plain).join(" "), /[Kk]riti/);
});

const WRITTEN = {
  es: [
    "Lo más elogiado: puntualidad (3 reseñas). Lo más criticado: precios (3 reseñas). Con más menciones: Dana Reyes (2 reseñas).",
    "&lt;Ada&gt; tiene una media de 2,86 estrellas en 7 reseñas, escritas entre enero de 2026 y marzo de 2026.",
    "&lt;Ada&gt; tiene por ahora una sola reseña (5 de 5 estrellas), escrita en enero de 2026.",
    "Puntualidad: ¿qué dicen los clientes? Hay elogios en unas 3 reseñas.",
    "Precios: ¿qué dicen los clientes? Hay críticas en al menos 3 reseñas.",
    "¿De qué se quejan los clientes? Lo más criticado: precios (3 reseñas). 4 reseñas tienen una o dos estrellas.",
  ],
  fr: [
    "Points les plus appréciés : ponctualité (3 avis). Points les plus critiqués : tarifs (3 avis). Mentions les plus fréquentes : Dana Reyes (2 avis).",
    "&lt;Ada&gt; obtient une note moyenne de 2,86 sur 5 pour 7 avis, écrits entre janvier 2026 et mars 2026.",
    "&lt;Ada&gt; compte pour l’instant un seul avis (note de 5 sur 5), écrit en janvier 2026.",
    "Ponctualité : qu’en disent les clients ? Environ 3 avis en disent du bien.",
    "Tarifs : qu’en disent les clients ? Au moins 3 avis s’en plaignent.",
    "De quoi les clients se plaignent-ils ? Points les plus critiqués : tarifs (3 avis). 4 avis n’ont qu’une ou deux étoiles.",
  ],
  nl: [
    "Het vaakst geprezen: stiptheid (3 reviews). Het vaakst bekritiseerd: prijzen (3 reviews). Het vaakst genoemd: Dana Reyes (2 reviews).",
    "&lt;Ada&gt; krijgt gemiddeld 2,86 sterren in 7 reviews, geschreven tussen januari 2026 en maart 2026.",
    "&lt;Ada&gt; heeft tot nu toe één review (5 van de 5 sterren), geschreven in januari 2026.",
    "Stiptheid: wat zeggen klanten daarover? Ongeveer 3 reviews zijn er lovend over.",
    "Prijzen: wat zeggen klanten daarover? Minstens 3 reviews zijn er kritisch over.",
    "Waarover klagen klanten? Het vaakst bekritiseerd: prijzen (3 reviews). 4 reviews hebben maar één of twee sterren.",
  ],
} as const;

for (const [language, [judged, several, one, ...answers]] of Object.entries(WRITTEN)) {
  test(`a page in ${language} has its summary and its questions in its language, for one review and for several`, async () => {
    const locale = localeOf(language);
    const own = proseFor(language);
    assert.ok(own);
    const spoken = (markup: unknown) => plain(markup).replaceAll(/\s/g, " ");
    const edition = await editionWith(ROWS, { language });
    assert.equal(spoken(ownSummary(edition, locale, own)), `${several} ${judged}`);
    const asked = ownQuestions(edition, locale, own).map(({ question, answer }) => spoken(html`${question} ${answer}`));
    assert.deepEqual(asked, answers);
    assert.equal(spoken(ownSummary(await editionWith(ROWS.slice(0, 1), { language }), locale, own)), one);
    const page = Buffer.from(renderFrontPage(edition).body).toString();
    assert.match(page, new RegExp(`<html lang="${language}">`));
    assert.doesNotMatch(page, /<body lang|<p dir="auto" lang="en">|<summary lang="en">/);
    assert.match(page, /<p class="words" dir="auto" lang="en">They arrived on time\./);
  });
}

const BUDGETS = {
  es: [
    [1, "El presupuesto es carísimo."],
    [1, "Un presupuesto carísimo, un abuso."],
    [2, "El presupuesto era demasiado caro."],
    [1, "Nos dieron un presupuesto demasiado caro."],
  ],
  fr: [
    [1, "Le devis est beaucoup trop cher."],
    [1, "Un devis trop cher, c'est abusif."],
    [2, "Le devis était trop cher."],
    [1, "On nous a fait un devis beaucoup trop cher."],
  ],
} as const;

for (const [language, said] of [
  ["es", "Lo más criticado: precios (4 reseñas, que nombran presupuesto 4)."],
  ["fr", "Points les plus critiqués : tarifs (3 avis, qui citent devis 3)."],
] as const) {
  test(`a page in ${language} names what the criticism is of as a word, which needs no article`, async () => {
    const own = proseFor(language);
    assert.ok(own);
    const edition = await editionWith([...BUDGETS[language], ...ROWS.slice(0, 3)], { language });
    const summary = plain(ownSummary(edition, localeOf(language), own)).replaceAll(/\s/g, " ");
    assert.ok(summary.includes(said), summary);
  });
}

test("what the criticism is of is marked with the language of the reviews that name it", async () => {
  const own = proseFor("es");
  assert.ok(own);
  const dear = [
    "The quote was far too expensive.",
    "Their quote is overpriced.",
    "A rip-off: the quote was too expensive.",
  ];
  const rows = [...dear, "The quote was overpriced and a rip-off."].map((text) => [1, text] as const);
  const edition = await editionWith([...rows, ...ROWS.slice(0, 3)], { language: "es" });
  assert.match(String(ownSummary(edition, localeOf("es"), own)), /que nombran <bdi lang="en">quote<\/bdi> 4/);
});

test("the owner's own summary stays as it is", async () => {
  const page = renderFrontPage(await editionWith(ROWS, { owned: "summary: Seit 1990 in der Stadt.\n" }));
  assert.match(Buffer.from(page.body).toString(), /<p dir="auto">Seit 1990 in der Stadt\.<\/p>/);
});

test("an English page shows the published summary and questions", () => {
  assert.equal(proseFor("en-GB"), undefined);
  assert.equal(proseFor("constructor"), undefined);
});
