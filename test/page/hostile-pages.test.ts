/** Hostile text in everything that is drawn or marked up: read by a real XML parser, a JSON parser and a browser. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { SaxesParser } from "saxes";
import type { Review } from "../../src/review.ts";
import { openChromium, withoutChromium } from "../support/chromium.ts";
import { HOSTILE_TEXTS, hostileFolder } from "../support/hostile-business.ts";
import { run, type Served, serveProgram, temporaryFolder } from "../support/program.ts";
import { ask, json } from "../support/wire.ts";

interface Dataset {
  readonly business: { readonly name: string };
  readonly reviews: readonly Review[];
}

const folder = temporaryFolder();
let program: Served;
let dataset: Dataset;

before(async () => {
  const imported = await run(folder.path, ["import", hostileFolder(folder.path)]);
  assert.equal(imported.code, 0, imported.stderr);
  program = await serveProgram(folder.path);
  dataset = json(await get("/reviews.json")) as Dataset;
});

after(async () => {
  await program.stop();
  folder[Symbol.dispose]();
});

const get = (path: string) => ask(`${program.url}${path}`);

/** The text of each element of an XML document, by its name. Throws where it is not well-formed. */
function elementsOf(xml: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const open: string[] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", () => void open.push(""));
  parser.on("text", (text) => {
    if (open.length > 0) open[open.length - 1] += text;
  });
  parser.on("closetag", ({ name }) => {
    found.set(name, [...(found.get(name) ?? []), open.pop() ?? ""]);
  });
  parser.write(xml).close();
  return found;
}

/** What XML 1.0 can hold of a text. */
const inXml = (text: string) => text.toWellFormed().replaceAll(/[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]/g, "\ufffd");

test("every hostile text was imported as it is", () => {
  assert.equal(dataset.reviews.length, HOSTILE_TEXTS.length);
});

test("Atom is well-formed and holds every name, text and reply word for word", async () => {
  const elements = elementsOf((await get("/feed.xml")).text);
  const { name } = dataset.business;
  assert.deepEqual(
    elements.get("content"),
    dataset.reviews.map(({ text, owner_reply }) => inXml(`${text}\n\nReply from ${name}: ${owner_reply?.text}`)),
  );
  assert.deepEqual(
    elements.get("goodword:reply"),
    dataset.reviews.map(({ owner_reply }) => inXml(owner_reply?.text ?? "")),
  );
  const names = new Set(elements.get("name"));
  for (const { author } of dataset.reviews) assert.ok(names.has(inXml(author)), author);
});

for (const path of ["/embed/badge.svg", "/assets/icon.svg", "/sitemap.xml"]) {
  test(`${path} is well-formed XML`, async () => {
    assert.ok(elementsOf((await get(path)).text).size > 0);
  });
}

test("every drawing in a page is well-formed XML", async () => {
  let count = 0;
  for (const path of ["/", "/reviews", `/reviews/${dataset.reviews[0]?.id}`]) {
    const { text } = await get(path);
    for (const [drawing] of text.matchAll(/<svg class="(?:chart|stars)"[\s\S]*?<\/svg>(?:<\/svg>)?/g)) {
      elementsOf(drawing);
      count++;
    }
  }
  assert.ok(count > 10, `${count} drawings`);
});

test("the badge says the business's name as text", async () => {
  const [title = ""] = elementsOf((await get("/embed/badge.svg")).text).get("title") ?? [];
  assert.ok(title.startsWith(inXml(dataset.business.name)));
});

test("JSON-LD holds names and texts as the dataset does, and nothing in it ends its element", async () => {
  for (const review of dataset.reviews) {
    const { text } = await get(`/reviews/${review.id}`);
    const [, data = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text) ?? [];
    assert.doesNotMatch(data, /</);
    const markup = JSON.parse(data) as {
      author?: { name: string };
      reviewBody?: string;
      itemReviewed: { name: string };
    };
    const isNameTooLong = review.author.length >= 100; // then only the business is marked up
    assert.equal(markup.author?.name, isNameTooLong ? undefined : review.author);
    if (isNameTooLong) continue;
    assert.equal(markup.itemReviewed.name, dataset.business.name);
    if (markup.reviewBody !== undefined) assert.equal(markup.reviewBody, review.text);
  }
});

test("a browser shows it all as text: nothing runs, nothing loads, no element is a customer's", {
  skip: withoutChromium,
}, async () => {
  const browser = await openChromium();
  try {
    const page = await browser.newPage();
    let path = "";
    const complaints: string[] = [];
    page.on("dialog", (dialog) => {
      complaints.push(`${path}: dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("pageerror", (error) => complaints.push(`${path}: ${error}`));
    page.on("request", (request) => {
      if (!request.url().startsWith(program.url)) complaints.push(`${path} asks ${request.url()}`);
    });
    const show = async (next: string) => {
      path = next;
      await page.goto(`${program.url}${path}`);
      const foreign = await page.evaluate(
        `[...document.querySelectorAll("main b:not(.chip b), main i, main script, main style, main textarea:not(form textarea), main title:not(svg title), [onerror], [onload]")].length`,
      );
      assert.equal(foreign, 0, path);
      assert.deepEqual(complaints, []);
    };
    for (const each of [
      "/",
      "/reviews",
      "/reviews?query=%3Cscript",
      "/embed",
      "/embed/reviews",
      "/embed/badge.svg",
      "/docs",
    ])
      await show(each);
    for (const { id, text, author } of dataset.reviews) {
      await show(`/reviews/${id}`);
      const shown = await page.locator("blockquote.words").evaluate((element) => element.textContent);
      const kept = (whole: string) =>
        whole
          .replaceAll(/\r\n?/g, "\n")
          .replaceAll(/[\0-\x08\v\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\p{Noncharacter_Code_Point}]/gu, "\ufffd");
      assert.equal(shown, kept(text ?? ""), id);
      assert.equal(await page.locator("h1 bdi").evaluate((element) => element.textContent), kept(author));
    }
    assert.deepEqual(complaints, []);
  } finally {
    await browser.close();
  }
});
