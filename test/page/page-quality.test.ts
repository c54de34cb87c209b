/** Every page by the checkers of the field: axe for accessibility, the Nu checker for HTML, SVG and CSS. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { UNNAMED_BUSINESS } from "../../src/business.ts";
import { renderAssets } from "../../src/page/asset/asset-files.ts";
import { renderErrorPage } from "../../src/page/error-page.ts";
import { openChromium, withoutChromium } from "../support/chromium.ts";
import { hostileFolder } from "../support/hostile-business.ts";
import { listening } from "../support/loopback.ts";
import {
  auditPage,
  formsOf,
  IS_WHOLE_AUDIT,
  NU_TIMEOUT_MS,
  nuMessages,
  shapeOf,
  showLargeAndLight,
  withoutJava,
} from "../support/page-audit.ts";
import { run, type Served, serveProgram, temporaryFolder } from "../support/program.ts";
import { deriveReviewId } from "../support/review-id.ts";
import { ask } from "../support/wire.ts";

interface Site {
  readonly name: string;
  readonly program: Served;
  readonly paths: readonly string[];
}

const folders = [temporaryFolder(), temporaryFolder(), temporaryFolder(), temporaryFolder()] as const;
let sites: Site[] = [];

/** Pages that show what customers wrote, or that nobody wrote anything. */
const PAGES_OF_REVIEWS = ["/", "/reviews", "/reviews?query=zzzz", "/embed", "/embed/reviews"];

/** Every other kind of page, and the list in every state; the same whoever the customers are, but for the language. */
const OTHER_PAGES = [
  "/reviews?rating=5&has_reply=true&since=2020-01-01&query=e&limit=3",
  "/reviews?limit=3&offset=3",
  "/reviews?rating=9",
  "/docs",
  "/not-there",
];

/** The address of the newest review. */
async function newestReview({ url }: Served): Promise<string> {
  const { reviews } = JSON.parse((await ask(`${url}/reviews.json`)).text) as { reviews: { id: string }[] };
  return `/reviews/${reviews[0]?.id}`;
}

const ON_TIME = "They came on time and worked cleanly. On time, but too expensive.";

/** A business whose customers write German, one of whose reviews was removed; gives the address of that one. */
async function germanFolder(path: string): Promise<string> {
  const reviews = Array.from({ length: 45 }, (_, index) => ({
    id: `g${index}`,
    author: `Jörg Übermaß ${index}`,
    rating: 5 - (index % 5),
    date: `2026-02-${String(1 + (index % 28)).padStart(2, "0")}`,
    text: [null, ON_TIME, "Der Monteur kam pünktlich und arbeitete sauber, aber die Rechnung war zu hoch."][index % 3],
    source: "google",
    ...(index % 2 === 0 ? { owner_reply: { text: "Vielen Dank!", date: "2026-03-01" } } : {}),
  }));
  const [business, rows] = [join(path, "business.yaml"), join(path, "reviews.jsonl")];
  writeFileSync(
    business,
    `name: Müller & Söhne Haustechnik\ncategory: Plumber\ntime_zone: Europe/Berlin\nlanguage: de\ncolor: "#b3261e"
telephone: "+49 30 5550100"\naddress: { street: Hauptstr. 1, locality: Berlin, postal_code: "10115", country: DE }
opening_hours: [{ days: [Monday, Tuesday, Friday], opens: "08:00", closes: "17:30" }]\n`,
  );
  writeFileSync(rows, reviews.map((review) => `${JSON.stringify(review)}\n`).join(""));
  await run(path, ["import", business, rows]);
  const id = deriveReviewId("google", "g0", "2026-02-01");
  const removed = await run(path, ["remove", id]);
  assert.equal(removed.code, 0, removed.stderr);
  return `/reviews/${id}`;
}

/** Serves every error as a page, in English before the first edition and in German: some have no address of their own. */
async function openErrors(): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const source = {
    business: { ...UNNAMED_BUSINESS, name: "Müller & Söhne", telephone: "+49 30 5550100" },
    language: "de",
    baseUrl: "",
    sample: false,
  };
  const assets = new Map(renderAssets().map((document) => [document.path, document]));
  const server = createServer((request, answer) => {
    const [, language, status] = /^\/(en|de)\/(\d+)$/.exec(request.url ?? "") ?? [];
    const document =
      assets.get(request.url ?? "") ??
      renderErrorPage(language === "de" ? source : undefined, Number(status ?? 404), "What was wrong, in English");
    answer
      .writeHead(assets.has(request.url ?? "") ? 200 : Number(status ?? 404), { "Content-Type": document.mediaType })
      .end(document.body);
  });
  const { port, close } = await listening(server);
  return { url: `http://127.0.0.1:${port}`, close };
}

const ERRORS = ["en", "de"].flatMap((language) =>
  [400, 404, 405, 410, 414, 429, 500, 503].map((status) => `/${language}/${status}`),
);
let errors: Awaited<ReturnType<typeof openErrors>>;

before(async () => {
  const [sample, hostile, empty, german] = folders;
  await run(hostile.path, ["import", hostileFolder(hostile.path)]);
  writeFileSync(join(empty.path, "business.yaml"), "name: Leer & Neu\ntime_zone: Europe/Berlin\nlanguage: de\n");
  await run(empty.path, ["import", join(empty.path, "business.yaml")]);
  const served = await Promise.all([sample, hostile, empty].map(async ({ path }) => await serveProgram(path)));
  const [ofSample, ofHostile, ofEmpty] = served as [Served, Served, Served];
  const removed = await germanFolder(german.path);
  const ofGerman = await serveProgram(german.path);
  sites = [
    {
      name: "the sample",
      program: ofSample,
      paths: [...PAGES_OF_REVIEWS, ...OTHER_PAGES, await newestReview(ofSample)],
    },
    { name: "hostile reviews", program: ofHostile, paths: [...PAGES_OF_REVIEWS, await newestReview(ofHostile)] },
    { name: "no reviews, in German", program: ofEmpty, paths: PAGES_OF_REVIEWS },
    {
      name: "reviews in German",
      program: ofGerman,
      paths: [
        ...PAGES_OF_REVIEWS,
        ...OTHER_PAGES.slice(0, 2), // the list's words; errors are audited below, and /docs is in English
        await newestReview(ofGerman),
        removed,
      ],
    },
  ];
  errors = await openErrors();
});

after(async () => {
  await errors.close();
  for (const { program } of sites) await program.stop();
  for (const folder of folders) folder[Symbol.dispose]();
  sites = [];
});

describe("axe", { skip: withoutChromium }, () => {
  let browser: Browser;
  before(async () => {
    browser = await openChromium();
  });
  after(async () => await browser.close());

  /** Audits the addresses one after the other in one tab; gives what was found, each finding with its path. */
  async function findingsOf(urls: readonly string[]): Promise<string[]> {
    const page = await browser.newPage({ bypassCSP: true });
    const found: string[] = [];
    for (const [at, url] of urls.entries()) {
      await showLargeAndLight(page);
      await page.goto(url);
      found.push(...(await auditPage(page, url.slice(url.indexOf("/", 8)), formsOf(at))));
    }
    await page.close();
    return found;
  }

  test("finds nothing on the page of any error", async () => {
    const byShape = new Map<string, string>();
    for (const path of ERRORS) byShape.set(shapeOf((await ask(`${errors.url}${path}`)).text), path);
    const paths = [...byShape.values()];
    assert.ok(paths.length >= 4, "before the first edition and after it, with and without another try");
    assert.deepEqual(await findingsOf(paths.map((path) => `${errors.url}${path}`)), []);
  });

  for (const [name, count] of [
    ["the sample", Number.POSITIVE_INFINITY],
    ["hostile reviews", 2],
    ["no reviews, in German", 2],
    ["reviews in German", 2],
  ] as const) {
    test(`finds nothing on any page with ${name}, large and light or small and dark, and none scrolls sideways at 320 px`, async () => {
      const site = sites.find((one) => one.name === name);
      assert.ok(site !== undefined);
      // Of the others the front page, the list and the last: a review, and where it is in German a removed one.
      const paths = site.paths.filter((_, at) => IS_WHOLE_AUDIT || at < count || at === site.paths.length - 1);
      assert.deepEqual(await findingsOf(paths.map((path) => `${site.program.url}${path}`)), []);
    });
  }

  test("on German pages only customers' words are in another language, and say so", async () => {
    const site = sites.find(({ name }) => name === "reviews in German");
    assert.ok(site !== undefined);
    const page = await browser.newPage();
    await page.goto(`${site.program.url}/`);
    assert.equal(await page.locator("html").getAttribute("lang"), "de");
    const english = await page.locator('main [lang="en"]').allTextContents();
    assert.ok(!english.includes("Punctuality"));
    assert.match(String(await page.locator("main").textContent()), /Pünktlichkeit: \d+ mit Lob, \d+ mit Kritik/);
    assert.ok(!english.some((words) => words.includes("averages")));
    const said = String(await page.locator("main").textContent());
    assert.match(said, /Müller & Söhne Haustechnik hat im Durchschnitt [\d,]+ Sterne aus 44 Bewertungen/);
    assert.match(said, /Was sagt die Kundschaft zum Thema Pünktlichkeit\?/);
    const german = await page.evaluate(`(() => {
      for (const element of document.querySelectorAll('[lang="en"], .words, q, blockquote, title, desc, a[href$=".json"]')) element.remove();
      return document.querySelector("main").textContent;
    })()`);
    assert.doesNotMatch(String(german), /\b(?:the|reviews?|customers?|praise|punctuality|pricing)\b/i);
    await page.close();
  });
});

test("the Nu checker finds no error and no warning in any page, style sheet or picture", {
  skip: withoutJava,
  timeout: NU_TIMEOUT_MS,
}, async () => {
  const folder = temporaryFolder();
  using _ = folder;
  const files: string[] = [];
  const known = new Set<string>();
  for (const [index, { program, paths }] of sites.entries()) {
    const directory = join(folder.path, String(index));
    mkdirSync(directory);
    const assets = ["/assets/style.css", "/assets/embed.css", "/assets/icon.svg", "/embed/badge.svg"];
    for (const [number, path] of [...paths, ...assets].entries()) {
      const ending = /\.(?:svg|css)$/.exec(path)?.[0] ?? ".html";
      const { body } = await ask(`${program.url}${path}`, { headers: { Accept: "text/html" } });
      const content = body.toString("latin1");
      if (known.has(content)) continue; // what belongs to the program is the same at every site
      known.add(content);
      const file = join(directory, `${number}${ending}`);
      writeFileSync(file, body);
      files.push(file);
    }
  }
  for (const [number, path] of ERRORS.entries()) {
    const file = join(folder.path, `error-${number}.html`);
    writeFileSync(file, (await ask(`${errors.url}${path}`)).body);
    files.push(file);
  }
  assert.deepEqual(await nuMessages(files), []);
});
