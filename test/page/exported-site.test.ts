/** What `goodword export` writes, on a host that only serves files: no link is dead, and the search works in the browser. */
import assert from "node:assert/strict";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { SAMPLE_FOLDER } from "../../scripts/sample-snapshot.ts";
import type { Insights } from "../../src/insights-document.ts";
import { Invalid } from "../../src/issue.ts";
import { parseListQuery } from "../../src/page/list-query.ts";
import type { Review } from "../../src/review.ts";
import { openChromium, openTabs, type Tabs, withoutChromium } from "../support/chromium.ts";
import { findDeadLinks, readListPage, serveFiles } from "../support/exported-site.ts";
import { run, temporaryFolder } from "../support/program.ts";
import { editionOf } from "../support/real-edition.ts";
import { roundsOf } from "../support/test-runs.ts";

const BASE_URL = "https://reviews.example.com";

/** An export of the sample that has an address of its own, and what was there before it, without one. */
const exported = temporaryFolder();
const site = join(exported.path, "public");
const without = join(exported.path, "without");

before(async () => {
  const first = await run(exported.path, ["export", "public"]);
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stderr, /^warning: BASE_URL is not set, so every link leads to http:\/\/localhost:8080\./m);
  cpSync(site, without, { recursive: true });
  const { code, stderr } = await run(exported.path, ["export", "public"], { BASE_URL });
  assert.equal(code, 0, `the sample may be exported again and again: ${stderr}`);
  assert.doesNotMatch(stderr, /BASE_URL/);
});

after(() => exported[Symbol.dispose]());

test("every address in an export leads to a file, with BASE_URL", () => {
  assert.deepEqual(findDeadLinks(site, BASE_URL), []);
  assert.equal(readdirSync(join(site, "reviews", "page")).length, 11); // 240 reviews, 20 on a page, the first at /reviews
});

test("every address in an export leads to a file, without BASE_URL, and a page that is missing is found", () => {
  assert.equal(readdirSync(join(without, "reviews", "page")).length, 11);
  const [id] = readdirSync(join(without, "reviews")).filter((each) => /^[0-9A-Z]{26}$/.test(each));
  rmSync(join(without, "reviews", String(id)), { recursive: true });
  const dead = findDeadLinks(without, "http://localhost:8080");
  assert.ok(dead.some(({ file }) => file === "sitemap.xml"));
  const wrong = dead.filter(({ address }) => !address.includes(String(id)));
  assert.deepEqual(wrong, []);
});

test("an export leaves out what a static host cannot answer", () => {
  for (const path of ["docs", ".well-known/openapi.json", "mcp", ".well-known/ai-catalog.json"])
    assert.equal(existsSync(join(site, path)), false, path);
  const feed = JSON.parse(readFileSync(join(site, "api/feed.json"), "utf8")) as Record<string, unknown>;
  assert.equal("hubs" in feed, false);
  assert.equal((feed.items as unknown[]).length, 50);
  const atom = readFileSync(join(site, "feed.xml"), "utf8");
  assert.doesNotMatch(atom, /rel="hub"|websub/);
  assert.match(atom, /rel="self"/);
  const llms = readFileSync(join(site, "llms.txt"), "utf8");
  assert.doesNotMatch(llms, /\/mcp|\/api\/reviews\/|openapi|^## Agents/m);
  assert.match(llms, /\/reviews\.json/);
});

test("an export of a business without reviews has no dead link either", async () => {
  using folder = temporaryFolder();
  await run(folder.path, ["init", "--name", "New Here", "--category", "Plumber", "--time-zone", "Europe/Berlin"]);
  await run(folder.path, ["import", "business.yaml"]);
  assert.equal((await run(folder.path, ["export", "public"], { BASE_URL })).code, 0);
  assert.deepEqual(findDeadLinks(join(folder.path, "public"), BASE_URL), []);
});

/** What the server says of a query. */
function issuesOf(query: URLSearchParams): string[] {
  try {
    parseListQuery(query);
    return [];
  } catch (error) {
    assert.ok(error instanceof Invalid);
    return error.issues.map(({ message }) => message);
  }
}

describe("in a browser, on a host that only serves files", { skip: withoutChromium }, () => {
  let files: Awaited<ReturnType<typeof serveFiles>>;
  let browser: Browser;
  let tabs: Tabs;
  let reviews: Review[];

  before(async () => {
    ({ reviews } = JSON.parse(readFileSync(join(site, "reviews.json"), "utf8")) as { reviews: Review[] });
    files = await serveFiles(site);
    browser = await openChromium();
    tabs = openTabs(browser);
  });

  afterEach(async () => await tabs.release());

  after(async () => {
    await browser.close();
    await files[Symbol.asyncDispose]();
  });

  async function open(path: string, javaScriptEnabled = true): Promise<{ page: Page; complaints: string[] }> {
    const page = await tabs.take({ javaScriptEnabled });
    const complaints: string[] = [];
    page.on("pageerror", (error) => {
      if (!/Transition was (skipped|aborted)/.test(String(error))) complaints.push(String(error)); // the browser's own affair
    });
    page.on("response", (answer) => {
      if (answer.status() >= 400) complaints.push(`${answer.status()} ${answer.url()}`);
    });
    await page.goto(`${files.url}${path}`);
    return { page, complaints };
  }

  const authors = (page: Page) => page.locator("#results h3").allInnerTexts();
  const results = (page: Page, query: string) => page.locator(`#results[data-query="${query}"]`).waitFor();

  test("the search answers in the browser as the server would, while it is typed and by its address", async () => {
    const { page, complaints } = await open("/reviews/");
    const expected = reviews.filter(({ text, rating }) => rating === 5 && text?.toLowerCase().includes("thermostat"));
    assert.ok(expected.length > 0);
    await page.getByLabel("Search the reviews").fill("ThermoSTAT");
    await results(page, "query=ThermoSTAT");
    await page.getByLabel("Exact stars").selectOption("5");
    await results(page, "query=ThermoSTAT&rating=5");
    const found = await authors(page);
    assert.deepEqual(
      found,
      expected.slice(0, 20).map(({ author }) => author),
    );
    const heading = await page.locator("#matched").innerText();
    assert.match(
      heading,
      new RegExp(`^${expected.length} reviews? match(es)?${expected.length > 20 ? " 1 to 20 shown" : ""}$`),
    );
    for (const words of await page.locator("#results mark").allInnerTexts()) assert.match(words, /^thermostat$/i);
    assert.ok((await page.locator("#results mark").count()) > 0, "what was sought is marked");
    const chips = await page.locator("#results .chosen a").allInnerTexts();
    assert.match(await page.title(), /^Only 5 stars · “ThermoSTAT” – All reviews – /);
    assert.deepEqual(
      chips.map((chip) => chip.replace(/\s*×$/, "")),
      ["Only 5 stars", "“ThermoSTAT”"],
    );
    const shared = await open(new URL(page.url()).pathname + new URL(page.url()).search);
    await results(shared.page, "query=ThermoSTAT&rating=5");
    assert.deepEqual(await authors(shared.page), found);
    assert.equal(await shared.page.getByLabel("Exact stars").inputValue(), "5");
    assert.equal(await shared.page.locator("#results .chosen a").count(), 2);
    await shared.page.getByLabel("Remove filter: Only 5 stars").click();
    await results(shared.page, "query=ThermoSTAT");
    await shared.page.getByLabel("Order").selectOption("lowest");
    await results(shared.page, "query=ThermoSTAT&sort=lowest");
    const worst = Math.min(...reviews.filter(({ text }) => /thermostat/i.test(text ?? "")).map(({ rating }) => rating));
    const [stars] = await shared.page.locator("#results .text-stars").allInnerTexts();
    assert.equal(stars?.replaceAll("☆", "").length, worst);
    assert.deepEqual([...complaints, ...shared.complaints], []);
  });

  test("each filter finds in the browser what it finds on a server", async () => {
    const { edition } = await editionOf(SAMPLE_FOLDER);
    const { page, complaints } = await open("/reviews/");
    const topic = edition.insights.topics[0]?.id ?? "";
    const queries = [
      "min_rating=3&max_rating=4&has_text=true",
      "words=thanks thermostat&in=both&sort=lowest",
      "all_words=the price&language=en",
      `topic=${topic}&has_reply=false`,
      "max_rating=2&has_reply=false",
      "words=price, thermostat&sort=oldest",
      "words=thanks&in=reply",
      "query=thank&in=both",
      `topic=${topic}`,
      "language=de",
    ];
    for (const query of roundsOf(queries, 4)) {
      const expected = edition.list(parseListQuery(new URLSearchParams(query)));
      await page.goto(`${files.url}/reviews/?${query}`);
      await results(page, String(new URLSearchParams(query)));
      assert.deepEqual(
        await authors(page),
        expected.reviews.map(({ author }) => author),
        query,
      );
      assert.match(await page.locator("#matched").innerText(), new RegExp(`^${expected.matched} `), query);
    }
    assert.deepEqual(complaints, []);
  });

  test("links to filtered lists show what they promise, and results are paged", async () => {
    const { page, complaints } = await open("/");
    await page.locator(".star-links a").first().click();
    await results(page, "rating=5");
    const expected = reviews.filter(({ rating }) => rating === 5).map(({ author }) => author);
    assert.deepEqual(await authors(page), expected.slice(0, 20));
    await page.getByRole("link", { name: "Older" }).click();
    await results(page, "rating=5&offset=20");
    assert.deepEqual(await authors(page), expected.slice(20, 40));
    const pages = async () => (await page.locator(".pager li").allInnerTexts()).join(" ");
    assert.equal(await pages(), "1 2 3 4 … 8");
    await page.getByRole("link", { name: "Page 8" }).click();
    await results(page, "rating=5&offset=140");
    assert.deepEqual(await authors(page), expected.slice(140));
    assert.equal(await pages(), "1 … 6 7 8");
    await page.goBack();
    await page.goBack();
    await results(page, "rating=5");
    await page.locator("#results h3 a").first().click();
    assert.match(await page.locator("h1").innerText(), new RegExp(String(expected[0])));
    assert.deepEqual(complaints, []);
  });

  test("Back returns from a search to the page of the list that it began on", async () => {
    const { page, complaints } = await open("/reviews/page/2/");
    const second = reviews.slice(20, 40).map(({ author }) => author);
    assert.deepEqual(await authors(page), second);
    await page.getByLabel("Search the reviews").pressSequentially("duct");
    await results(page, "query=duct");
    await page.goBack();
    await results(page, "offset=20");
    assert.match(page.url(), /\/reviews\/page\/2\/$/);
    assert.deepEqual(await authors(page), second);
    assert.deepEqual(complaints, []);
  });

  test("what cannot be searched for is refused in the words of the server", async () => {
    const asked = new URLSearchParams("rating=9&since=soon&limit=x");
    const { page, complaints } = await open(`/reviews/?${asked}`);
    await page.locator("#results li", { hasText: "rating is 9" }).waitFor();
    const said = await page.locator("#results li").allInnerTexts();
    const [rating, since, limit] = issuesOf(asked);
    assert.deepEqual(said, [rating, since?.replace(/: not of.*/, ""), limit]);
    assert.match(await page.title(), /^The search could not be understood – All reviews – /);
    assert.equal((await authors(page)).length, 0);
    assert.deepEqual(complaints, []);
  });

  test("after the end of the list there is a link to its last page", async () => {
    const { page, complaints } = await open("/reviews/?rating=5&offset=5000");
    await page.locator("#past-end").waitFor();
    assert.deepEqual(await authors(page), []);
    await page.getByRole("link", { name: "Last page" }).click();
    await page.locator("#results article").first().waitFor();
    const count = reviews.filter(({ rating }) => rating === 5).length;
    assert.equal((await authors(page)).length, count % 20 || 20);
    assert.deepEqual(complaints, []);
  });

  test("technicians are found by what insights know of them, and the message for no matches is hidden", async () => {
    const { page } = await open("/");
    const link = page.locator("#people ~ table a").first();
    const asked = new URL((await link.getAttribute("href")) ?? "", files.url).searchParams.get("mentions_technician");
    await link.click();
    await page.locator('#results[data-query^="mentions_technician="]').waitFor();
    const { per_review: mentions } = JSON.parse(readFileSync(join(site, "insights.json"), "utf8")) as Insights;
    const expected = reviews.filter(({ id }) => mentions[id]?.technicians.includes(asked ?? ""));
    assert.ok(expected.length > 0);
    assert.deepEqual(
      await authors(page),
      expected.slice(0, 20).map(({ author }) => author),
    );
    await page.getByLabel("Search the reviews").fill("no customer ever wrote this");
    await page.getByText("No review matches.").waitFor();
    assert.equal((await authors(page)).length, 0);
  });

  test("without script all reviews can be paged through, and the form says what it needs", async () => {
    const { page, complaints } = await open("/reviews", false);
    assert.ok(await page.locator("noscript p").isVisible());
    const read = await authors(page);
    await page.getByRole("link", { name: "Older" }).click();
    await page.waitForURL(/\/reviews\/page\/2\/?$/);
    read.push(...(await authors(page)));
    // The others as files: a click on each would show nothing more.
    for (let next: string | null = "/reviews/page/3"; next !== null; ) {
      const list = readListPage(readFileSync(join(site, next, "index.html"), "utf8"));
      read.push(...list.headings);
      next = list.next;
    }
    assert.deepEqual(
      read,
      reviews.map(({ author }) => author),
    );
    assert.deepEqual(complaints, []);
  });

  test("with script the static pages of the list are pages too, and the embedded pieces load", async () => {
    const { page, complaints } = await open("/reviews/page/2");
    assert.deepEqual(
      await authors(page),
      reviews.slice(20, 40).map(({ author }) => author),
    );
    await page.getByRole("link", { name: "Older" }).click();
    await page.waitForURL(/\/reviews\/page\/3\/?$/);
    await page.goto(`${files.url}/embed`);
    await page.locator("goodword-reviews li").first().waitFor();
    assert.deepEqual(complaints, []);
  });

  test("a search whose data cannot be fetched leaves the page as it is", async () => {
    const copy = join(exported.path, "copy");
    cpSync(site, copy, { recursive: true });
    rmSync(join(copy, "insights.json"));
    await using broken = await serveFiles(copy);
    const page = await tabs.take({ javaScriptEnabled: true });
    let loads = 0;
    page.on("load", () => loads++);
    await page.goto(`${broken.url}/reviews/?query=duct`);
    await page.locator("#results:not([aria-busy])").waitFor();
    assert.match(await page.locator("#results [role=status]").innerText(), /could not be fetched/);
    assert.equal(loads, 1);
    assert.equal((await authors(page)).length, 20);
  });

  test("an address that no file answers has a page that leads back", async () => {
    const { page } = await open("/nothing/here");
    assert.match(await page.locator("h1").innerText(), /nothing at this address/);
    await page.getByRole("link", { name: "Read all reviews" }).click();
    assert.equal((await authors(page)).length, 20);
    assert.equal(existsSync(join(site, "docs")), false);
  });
});
