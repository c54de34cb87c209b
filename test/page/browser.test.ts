/** The pages in a real browser: read, searched and paged with and without script, by keyboard, small, dark and printed. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { openServer } from "../../src/http/server.ts";
import { renderAssets } from "../../src/page/asset/asset-files.ts";
import { renderBusinessDocuments } from "../../src/page/business-documents.ts";
import { renderFrontPage } from "../../src/page/front-page.ts";
import { renderPages } from "../../src/page/pages.ts";
import { renderReviewPage } from "../../src/page/review-page.ts";
import { PAGE_LANGUAGES } from "../../src/page-languages.ts";
import { openChromium, openTabs, type Tabs, withoutChromium } from "../support/chromium.ts";
import { listening } from "../support/loopback.ts";
import { type Served, serveProgram, temporaryFolder } from "../support/program.ts";
import { editionOf } from "../support/real-edition.ts";
import { routesTo } from "../support/test-routes.ts";
import { roundsOf } from "../support/test-runs.ts";

const SAMPLE = join(import.meta.dirname, "..", "..", "sample");

describe("in a browser", { skip: withoutChromium }, () => {
  const folder = temporaryFolder();
  let program: Served;
  let browser: Browser;
  let tabs: Tabs;

  before(async () => {
    program = await serveProgram(folder.path);
    browser = await openChromium();
    tabs = openTabs(browser);
  });

  after(async () => {
    await browser.close();
    await program.stop();
    folder[Symbol.dispose]();
  });

  afterEach(async () => await tabs.release());

  /** Opens a page and gives it with everything that it complained of: errors, refused loads, violated policies. */
  async function open(
    path: string,
    options: BrowserContextOptions = {},
  ): Promise<{ page: Page; complaints: string[]; asked: string[] }> {
    const page = await tabs.take(options);
    const complaints: string[] = [];
    const asked: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("pageerror", (error) => {
      if (!/Transition was (skipped|aborted)/.test(String(error))) complaints.push(String(error)); // the browser's own affair
    });
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(`${program.url}${path}`);
    return { page, complaints, asked };
  }

  /** How much the layout has shifted since the page was opened (Layout Instability, cumulative). */
  async function layoutShift(page: Page): Promise<number> {
    return Number(
      await page.evaluate(`new Promise((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value; })
          .observe({ type: "layout-shift", buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      })`),
    );
  }

  const matched = (page: Page) => page.locator("#matched");
  const authors = (page: Page) => page.locator("#results h3").allInnerTexts();

  test("the front page names the business, says that it is a sample, and every link of it leads somewhere", async () => {
    const { page, complaints, asked } = await open("/");
    assert.match(await page.locator("h1").innerText(), /sample/);
    assert.match(await page.locator("main").innerText(), /invented/);
    const links = await page
      .locator("a")
      .evaluateAll((anchors) => anchors.map((anchor) => (anchor as unknown as { href: string }).href));
    for (const link of [
      "/reviews",
      "/reviews.json",
      "/insights.json",
      "/api/feed.json",
      "/feed.xml",
      "/docs",
      "/embed",
    ]) {
      assert.ok(links.includes(`${program.url}${link}`), link);
    }
    const own = new Set(links.filter((link) => link.startsWith(program.url)).map((link) => link.split("#")[0] ?? ""));
    for (const link of own) assert.equal((await page.request.get(link)).status(), 200, link);
    assert.deepEqual(complaints, []);
    const wrong = asked.filter((url) => !url.startsWith(program.url));
    assert.deepEqual(wrong, []);
  });

  for (const path of ["/", "/reviews", "/docs", "/embed", "/embed/reviews"]) {
    test(`${path} keeps its policy, asks no other origin, sets no cookie and shifts no layout`, async () => {
      const { page, complaints, asked } = await open(path);
      await page.waitForLoadState("networkidle");
      assert.deepEqual(complaints, []);
      const wrong = asked.filter((url) => !url.startsWith(program.url));
      assert.deepEqual(wrong, []);
      assert.deepEqual(await page.context().cookies(), []);
      const shift = await layoutShift(page);
      assert.ok(shift < 0.01, `layout shift ${shift}`);
    });
  }

  test("a shop with one short review shifts no layout on a phone, and its first view weighs less than 60 kB", async () => {
    const [business, rows] = [join(folder.path, "one.yaml"), join(folder.path, "one.jsonl")];
    writeFileSync(business, "name: Ada\ntime_zone: UTC\n");
    writeFileSync(rows, JSON.stringify({ id: "a", author: "Priya", rating: 5, date: "2026-01-02", source: "google" }));
    const { edition, reviews } = await editionOf(business, rows);
    const path = `/reviews/${reviews[0]?.id}`;
    const pages = [renderFrontPage(edition), renderReviewPage(edition, path.slice(9)), ...renderAssets()];
    const documents = new Map(pages.flatMap((document) => (document === undefined ? [] : [[document.path, document]])));
    const page = await browser.newPage({ viewport: { width: 375, height: 812 } });
    let bytes = 0;
    await page.route("**/*", async (route) => {
      const { body = "", mediaType = "" } = documents.get(new URL(route.request().url()).pathname) ?? {};
      bytes += gzipSync(body).byteLength;
      await route.fulfill({ body: Buffer.from(body), contentType: mediaType });
    });
    for (const each of ["/", path]) {
      bytes = 0;
      await page.goto(`http://pages.test${each}`, { waitUntil: "networkidle" });
      const shift = await layoutShift(page);
      assert.ok(shift < 0.01, `${each} shifts by ${shift}`);
      assert.ok(bytes > 5_000 && bytes < 60_000, `${each} weighs ${bytes}`);
    }
  });

  test("without script the form searches and the links page", async () => {
    const { page } = await open("/", { javaScriptEnabled: false });
    await page.getByRole("searchbox").fill("thermostat");
    await page.getByRole("button", { name: "Search the reviews" }).click();
    assert.match(page.url(), /\/reviews\?query=thermostat$/);
    await page.getByRole("button", { name: "Show reviews" }).click();
    assert.match(page.url(), /query=thermostat/);
    assert.match(await matched(page).innerText(), /^\d+ reviews match/);
    assert.equal(await page.getByLabel("Search the reviews").inputValue(), "thermostat");
    for (const words of await page.locator("#results article").allInnerTexts()) assert.match(words, /thermostat/i);
    await page.goto(`${program.url}/reviews`);
    const first = await authors(page);
    await page.getByRole("link", { name: "Older" }).click();
    assert.match(page.url(), /offset=20/);
    assert.notDeepEqual(await authors(page), first);
    await page.getByRole("link", { name: "Newer" }).click();
    assert.deepEqual(await authors(page), first);
    await page.getByLabel("Order").selectOption("Fewest stars first");
    await page.getByRole("button", { name: "Show reviews" }).click();
    assert.match(page.url(), /sort=lowest/);
    const stars = async () =>
      await page.locator("#results .who .stars").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
    assert.match((await stars())[0] ?? "", /^1 of 5/);
    assert.match(await matched(page).innerText(), /^240 reviews 1 to 20/, "an order filters nothing");
    await page.getByRole("link", { name: "Next page" }).click();
    assert.match(page.url(), /sort=lowest&offset=20/);
  });

  test("with script the same search answers while it is typed, in the same page, at an address to share", async () => {
    const { page, complaints } = await open("/reviews");
    await page.evaluate("window.stayed = true");
    await page.getByLabel("Search the reviews").fill("thermostat");
    await page.locator('#results[data-query="query=thermostat"]').waitFor();
    const typed = await matched(page).innerText();
    await page.getByLabel("Exact stars").selectOption("5");
    await page.locator('#results[data-query="rating=5&query=thermostat"]').waitFor();
    assert.match(page.url(), /query=thermostat&rating=5$/);
    assert.equal(await page.evaluate("window.stayed"), true);
    assert.notEqual(await matched(page).innerText(), typed);
    await page.getByLabel("Order").selectOption("oldest");
    await page.locator('#results[data-query="rating=5&query=thermostat&sort=oldest"]').waitFor();
    const shared = await open(new URL(page.url()).pathname + new URL(page.url()).search, { javaScriptEnabled: false });
    assert.deepEqual(await authors(shared.page), await authors(page));
    assert.deepEqual(complaints, []);
  });

  test("the number of reviews is told in the same element, and the title says what is shown", async () => {
    const { page } = await open("/reviews");
    await page.evaluate("window.told = document.querySelector('#results [role=status]')");
    await page.getByLabel("Exact stars").selectOption("5");
    await page.locator('#results[data-query="rating=5"]').waitFor();
    assert.match(String(await page.evaluate("window.told.isConnected && window.told.textContent")), /reviews match/);
    const title = await page.title();
    assert.match(title, /^Only 5 stars – All reviews – /);
    await page.reload();
    assert.equal(await page.title(), title);
  });

  test("without a connection the list stays, and says so", async () => {
    const { page } = await open("/reviews");
    const first = await authors(page);
    await page.context().setOffline(true);
    await page.getByLabel("Exact stars").selectOption("4");
    await page.locator("#results .unreachable").waitFor();
    assert.deepEqual(await authors(page), first);
    assert.equal(await page.locator("#results[aria-busy]").count(), 0);
    await page.context().setOffline(false);
    await page.getByLabel("Exact stars").selectOption("5");
    await page.locator('#results[data-query="rating=5"]').waitFor();
    assert.equal(await page.locator("#results .unreachable").count(), 0);
  });

  test("with script paging keeps the page, moves the focus to what is new, and goes back", async () => {
    const { page } = await open("/reviews");
    const first = await authors(page);
    await page.getByRole("link", { name: "Older" }).click();
    await page.locator('#results[data-query="offset=20"]').waitFor();
    assert.equal(await page.evaluate("document.activeElement.id"), "matched");
    await page.goBack();
    await page.locator('#results[data-query=""]').waitFor();
    assert.deepEqual(await authors(page), first);
  });

  test("Back takes back the last filter, and all the words that were typed at once", async () => {
    const { page, complaints } = await open("/reviews", { locale: "en-US" }); // a tab of its own: its history begins here
    await page.getByLabel("Search the reviews").pressSequentially("duct");
    await page.locator('#results[data-query="query=duct"]').waitFor();
    const typed = await authors(page);
    await page.getByLabel("Exact stars").selectOption("5");
    await page.locator('#results[data-query="rating=5&query=duct"]').waitFor();
    await page.getByRole("link", { name: "Remove filter: “duct”" }).click();
    await page.locator('#results[data-query="rating=5"]').waitFor();
    await page.goBack();
    await page.locator('#results[data-query="rating=5&query=duct"]').waitFor();
    await page.goBack();
    await page.locator('#results[data-query="query=duct"]').waitFor();
    assert.deepEqual(await authors(page), typed);
    assert.deepEqual(
      [await page.locator("#query").inputValue(), await page.locator("#rating").inputValue()],
      ["duct", ""],
    );
    await page.goBack();
    await page.locator('#results[data-query=""]').waitFor();
    assert.equal(await page.locator("#query").inputValue(), "");
    assert.equal(page.url(), `${program.url}/reviews`);
    await page.goForward();
    await page.locator('#results[data-query="query=duct"]').waitFor();
    assert.equal(await page.evaluate("history.length"), 5); // the empty page, the list, words, stars, words taken away
    assert.deepEqual(complaints, []);
  });

  test("after the end of the list a link leads back to its last page, in the same page with script", async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page } = await open("/reviews?rating=5&offset=5000", { javaScriptEnabled });
      assert.deepEqual(await authors(page), []);
      await page.getByRole("link", { name: "Last page" }).click();
      await page.locator("#results article").first().waitFor();
      assert.match(page.url(), /rating=5&offset=\d+$/);
      assert.equal(await page.getByRole("link", { name: "Older" }).count(), 0);
    }
  });

  test("in a window taller than the side column, the column stays at its top", async () => {
    const { page } = await open("/", { viewport: { width: 1280, height: 2000 } });
    await page.evaluate("scrollTo({ top: 1200, behavior: 'instant' })");
    const top = await page.evaluate("document.querySelector('.aside > .card').getBoundingClientRect().top");
    assert.ok(Number(top) >= 0 && Number(top) < 60, String(top));
  });

  test("paper shows what the screen folds: the tables of charts, and the answers", async () => {
    const { page } = await open("/");
    const folded = page.locator(".figures table, .question > p");
    const shown = () =>
      folded.evaluateAll((all) => all.map((one) => one.checkVisibility({ contentVisibilityAuto: true })));
    assert.ok((await shown()).length > 6 && (await shown()).every((isShown) => !isShown));
    await page.emulateMedia({ media: "print" });
    while (!(await shown()).every((isShown) => isShown)) await page.evaluate("new Promise(requestAnimationFrame)"); // style follows the medium a frame later
    assert.equal(await page.evaluate("getComputedStyle(document.querySelector('.scroll')).maxHeight"), "none");
  });

  test("a phone shows the rating in the first view, and reviews in that of the list, whose fields a wide window shows", async () => {
    const phone = { width: 375, height: 667 };
    for (const javaScriptEnabled of [true, false]) {
      const { page } = await open("/", { viewport: phone, javaScriptEnabled });
      await page.goto(`${program.url}/`);
      assert.ok(((await page.locator(".rating .score").boundingBox())?.y ?? 999) < 500);
      await page.goto(`${program.url}/reviews`);
      assert.equal(await page.locator("#rating").isVisible(), false);
      assert.ok(((await page.locator("#results article").first().boundingBox())?.y ?? 999) < phone.height);
      await page.locator(".more-fields > summary").click();
      assert.equal(await page.locator("#rating").isVisible(), true);
      await page.goto(`${program.url}/reviews?since=2020-01-01`);
      assert.equal(await page.locator("#since").isVisible(), true); // what is in force is in sight
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(`${program.url}/reviews`);
      assert.equal(await page.locator("#rating").isVisible(), true);
      assert.equal(await page.locator(".more-fields > summary").isVisible(), false);
    }
  });

  test("no label of a review's analysis is broken, however narrow the window", async () => {
    const { page } = await open("/", { viewport: { width: 320, height: 640 } });
    const { per_review } = (await (await page.request.get(`${program.url}/insights.json`)).json()) as {
      per_review: Readonly<Record<string, { readonly aspects: readonly unknown[] }>>;
    };
    const [id] = Object.entries(per_review).toSorted(([, a], [, b]) => b.aspects.length - a.aspects.length)[0] ?? [];
    await page.goto(`${program.url}/reviews/${id}`);
    const heights = await page
      .locator(".findings :is(strong, .chip)")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    assert.ok(heights.length > 2);
    assert.ok(Math.max(...heights) < 40, heights.join()); // one line each
  });

  test("a keyboard alone skips to the content, reaches the search, empties it and follows a review", async () => {
    const { page } = await open("/reviews");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate("document.activeElement.className"), "skip");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate("document.activeElement.id"), "content");
    await page.keyboard.press("Control+/");
    assert.equal(await page.evaluate("document.activeElement.id"), "query");
    await page.keyboard.type("duct");
    await page.locator('#results[data-query="query=duct"]').waitFor();
    await page.keyboard.press("Escape");
    await page.locator('#results[data-query=""]').waitFor();
    const name = (await authors(page))[0] ?? "";
    for (let press = 0; press < 40; press++) {
      await page.keyboard.press("Tab");
      if ((await page.evaluate("document.activeElement.textContent")) === name) break;
    }
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/reviews\/[0-9A-Z]{26}$/);
    assert.ok((await page.locator("h1").innerText()).includes(name));
  });

  test("a keyboard alone filters without script, at an address to share, and takes a filter away again", async () => {
    const { page } = await open("/reviews", { javaScriptEnabled: false });
    const press = async (key: string, until: string) => {
      for (let times = 0; times < 40; times++) {
        await page.keyboard.press(key);
        if (await page.locator(until).evaluate((element) => element.matches(":focus"))) return;
      }
      assert.fail(`${key} never reaches ${until}`);
    };
    await press("Tab", "#rating");
    await page.keyboard.press("ArrowDown"); // only 5 stars
    await press("Tab", "#has_reply");
    await page.keyboard.press("ArrowDown"); // with a reply
    await press("Tab", "#filter button");
    await page.keyboard.press("Enter");
    await page.waitForURL(/rating=5/);
    const both = new URL(page.url()).searchParams;
    assert.deepEqual([both.get("rating"), both.get("has_reply")], ["5", "true"]);
    const stars = await page
      .locator("#results .stars")
      .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
    assert.ok(stars.length > 0 && stars.every((label) => label === "5 of 5 stars"));
    await press("Tab", '.chosen a[href="/reviews?has_reply=true"]');
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/reviews\?has_reply=true$/);
    assert.equal(await page.locator("#rating").inputValue(), "");
  });

  test("with script a filter is taken away in the same page, in the form too", async () => {
    const { page } = await open("/reviews?query=they&rating=5");
    await page.evaluate("window.stayed = true");
    await page.getByRole("link", { name: "Remove filter: Only 5 stars" }).click();
    await page.locator('#results[data-query="query=they"]').waitFor();
    assert.equal(await page.locator("#rating").inputValue(), "");
    assert.equal(await page.locator("#query").inputValue(), "they");
    assert.equal(await page.evaluate("window.stayed"), true);
  });

  test("who asks for less motion gets none", async () => {
    const scroll = (page: Page) => page.evaluate("getComputedStyle(document.documentElement).scrollBehavior");
    assert.equal(await scroll((await open("/", { reducedMotion: "reduce" })).page), "auto");
    assert.equal(await scroll((await open("/", { reducedMotion: "no-preference" })).page), "smooth");
  });

  test("the pages can be installed: the manifest names icons that have the size it says", async () => {
    const { page } = await open("/");
    const path = await page.locator('link[rel="manifest"]').getAttribute("href");
    const manifest = (await (await page.request.get(`${program.url}${path}`)).json()) as {
      name: string;
      start_url: string;
      display: string;
      icons: { src: string; sizes: string; type: string }[];
    };
    assert.ok(manifest.name && manifest.display);
    assert.equal(manifest.start_url, "/");
    const sizes: string[] = [];
    for (const { src, sizes: told } of manifest.icons) {
      const size = await page.evaluate(`new Promise((resolve, reject) => {
        const image = new Image();
        image.onload = () => resolve(image.naturalWidth + "x" + image.naturalHeight);
        image.onerror = reject;
        image.src = ${JSON.stringify(src)};
      })`);
      if (told !== "any") assert.equal(size, told, src);
      sizes.push(told);
    }
    assert.ok(sizes.includes("192x192") && sizes.includes("512x512"));
  });

  test("dark is dark, and print leaves out what paper cannot do", async () => {
    const brightness = (page: Page) =>
      page.evaluate(
        "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0)",
      );
    const light = await open("/", { colorScheme: "light" });
    const dark = await open("/", { colorScheme: "dark" });
    assert.ok(Number(await brightness(light.page)) > 700);
    assert.ok(Number(await brightness(dark.page)) < 120);
    await dark.page.emulateMedia({ media: "print" });
    assert.equal(Number(await brightness(dark.page)), 765);
    assert.equal(await dark.page.getByRole("navigation").first().isVisible(), false);
    assert.equal(await dark.page.locator("#rating-chart").isVisible(), true);
    assert.equal(await dark.page.locator("#contact").isVisible(), true);
    assert.equal(
      await dark.page.evaluate(
        "getComputedStyle(document.querySelector('#questions').parentElement).contentVisibility",
      ),
      "visible",
    );
    await light.page.goto(`${program.url}/reviews`);
    await light.page.emulateMedia({ media: "print" });
    assert.equal(await light.page.locator("form.filter").isVisible(), false);
    assert.equal(await light.page.locator("#results article").first().isVisible(), true);
    await light.page.emulateMedia({ media: "screen" });
    await light.page.locator("#results article a[href^='/reviews/']").first().click();
    await light.page.emulateMedia({ media: "print" });
    assert.equal(await light.page.locator("blockquote.words, article.single").first().isVisible(), true);
    for (const link of await light.page.locator("main :is(nav, .onward) a").all())
      assert.equal(await link.isVisible(), false);
  });

  test("no change of the page logs an error, however fast the next one follows", async () => {
    const { page, complaints } = await open("/");
    for (let round = 0; round < 20; round++) {
      const path = round % 2 === 0 ? "/reviews" : "/";
      await page.evaluate(`setTimeout(() => location.assign("${path}"))`);
      await page.waitForURL(program.url + path, { waitUntil: "commit" });
    }
    await page.waitForLoadState();
    assert.deepEqual(complaints, []);
    const rules = "[...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map(({ cssText }) => cssText))";
    const all = (await page.evaluate(rules)) as string[];
    assert.ok(all.length > 50 && !all.some((rule) => rule.startsWith("@view-transition")));
  });

  test("forced colours keep every chart visible", async () => {
    const { page } = await open("/", { forcedColors: "active" });
    const fills = (await page.evaluate(
      "[...document.querySelectorAll('.chart rect.bar, .chart rect.praise, .chart rect.count')].map((bar) => getComputedStyle(bar).fill)",
    )) as string[];
    const ground = await page.evaluate("getComputedStyle(document.querySelector('.card')).backgroundColor");
    assert.ok(fills.length > 10);
    assert.ok(fills.every((fill) => fill !== ground));
    assert.equal(await page.evaluate("getComputedStyle(document.querySelector('.hero')).borderImageSource"), "none");
  });

  test("/docs tries a search, copies code and has no sentence without its figures", async () => {
    const { page, complaints } = await open("/docs", { permissions: ["clipboard-read", "clipboard-write"] });
    const search = page.locator("section", { has: page.locator("#searchReviews") });
    await search.getByText("Try GET").click();
    await search.getByLabel("limit", { exact: true }).fill("1");
    await search.getByRole("button", { name: "Send" }).click();
    await search.locator("output pre").waitFor();
    assert.match(await search.locator("output").innerText(), /200[\s\S]*"matched": \d+/);
    await search.getByRole("button", { name: "Copy Request" }).click();
    assert.match(String(await page.evaluate("navigator.clipboard.readText()")), /^curl --compressed 'http/);
    const text = await page.locator("main").innerText();
    assert.doesNotMatch(text, /1 to \.|: \.(?!\w)|\b1 to 5\. 1 to 5\.|\.\.(?!\.)|`/);
    const cut =
      "[...document.querySelectorAll('.operation .scroll')].filter((box) => box.scrollHeight > box.clientHeight + 1)";
    assert.equal(await page.evaluate(`${cut}.length`), 0, "a table that is cut looks complete");
    assert.deepEqual(complaints, []);
  });

  test("/docs tries MCP, and its answer is that of the tool", async () => {
    const { page } = await open("/docs");
    const form = page.locator('form[data-path="/mcp"]');
    await page.getByText("Try POST /mcp").click();
    await form.getByRole("button", { name: "Send" }).click();
    await form.locator("output pre").waitFor();
    assert.match(await form.locator("output").innerText(), /200[\s\S]*"structuredContent"/);
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 800 });
      const outside =
        "document.querySelector('output pre').getBoundingClientRect().right - document.querySelector('form[data-path=\"/mcp\"]').getBoundingClientRect().right";
      assert.ok(Number(await page.evaluate(outside)) <= 0.5, `an answer stays in its form at ${width} px`);
    }
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const uri = `${program.url}/reviews/é`;
    for (const [message, answer] of [
      [{ method: "tools/list", params: { _meta: meta } }, /Mcp-Method: tools\/list\n[\s\S]*\n200 [\s\S]*"inputSchema"/],
      [{ method: "tools/call", params: { name: "get_summary", _meta: meta } }, /\n200 [\s\S]*"pull_quote"/],
      [{ method: "resources/read", params: { uri, _meta: meta } }, /\n200 [\s\S]*Resource not found/],
      [{ method: "tools/list" }, /\n400 [\s\S]*send initialize first/],
      [{ method: "initialize", params: { protocolVersion: "2025-11-25" } }, /\n200 [\s\S]*mcp-session-id: /],
      [{ method: "tools/list" }, /Mcp-Session-Id: [\s\S]*\n200 [\s\S]*"inputSchema"/],
    ] as const) {
      await form.getByLabel("Body").fill(JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }));
      await form.getByRole("button", { name: "Send" }).click();
      await form.locator("output pre").waitFor();
      assert.match(await form.locator("output").innerText(), answer, message.method);
    }
  });

  test("without script /docs offers no form that would send something else than is typed", async () => {
    const { page } = await open("/docs", { javaScriptEnabled: false });
    for (const path of ["/api/reviews/since/{date}", "/mcp"]) {
      await page.getByText(`Try ${path === "/mcp" ? "POST" : "GET"} ${path}`).click();
      assert.equal(await page.locator(`form[data-path="${path}"]`).isVisible(), false, path);
    }
    const notes = page.getByText("This form needs scripts.");
    for (const note of [notes.first(), notes.last()]) assert.equal(await note.isVisible(), true);
  });

  test("every code block of /docs can be scrolled by keyboard", async () => {
    const { page } = await open("/docs");
    const unreachable = await page.evaluate(
      "[...document.querySelectorAll('pre')].filter((block) => block.tabIndex !== 0).length",
    );
    assert.equal(unreachable, 0);
  });

  test("at 320 px every table of people and services is whole, in every language", async () => {
    const some = join(folder.path, "some.jsonl"); // enough for both tables and every chart
    writeFileSync(some, readFileSync(join(SAMPLE, "reviews.jsonl"), "utf8").split("\n").slice(0, 100).join("\n"));
    const longestFirst = ["de", ...PAGE_LANGUAGES.filter((language) => language !== "de")];
    for (const language of roundsOf(longestFirst)) {
      const business = join(folder.path, `${language}.yaml`);
      writeFileSync(
        business,
        readFileSync(join(SAMPLE, "business.yaml"), "utf8").replace("language: en", `language: ${language}`),
      );
      const { edition } = await editionOf(business, some);
      const documents = new Map(
        [...renderPages(edition), ...renderBusinessDocuments(edition, { tools: [], messages: [] })].map((document) => [
          document.path,
          document,
        ]),
      );
      const page = await browser.newPage({ viewport: { width: 320, height: 800 } });
      await page.route("**/*", async (route) => {
        const { body = "", mediaType = "" } = documents.get(new URL(route.request().url()).pathname) ?? {};
        await route.fulfill({ body: Buffer.from(body), contentType: mediaType });
      });
      await page.goto("http://pages.test/");
      await page.addStyleTag({ content: "section { content-visibility: visible !important }" });
      const cut = await page.evaluate(`[...document.querySelectorAll(".entities")].flatMap((table) => {
        const card = table.closest("section");
        const end = card.getBoundingClientRect().right - parseFloat(getComputedStyle(card).paddingRight);
        return [...table.querySelectorAll("th, td")]
          .filter((cell) => cell.getBoundingClientRect().right > end + 0.5 || cell.scrollWidth > cell.clientWidth)
          .map((cell) => cell.textContent);
      })`);
      assert.deepEqual(cut, [], language);
      const broken = await page.evaluate(`[...document.querySelectorAll(".chart-box .scroll td")].map((cell) => {
        cell.closest("details").open = true;
        const range = document.createRange();
        range.selectNodeContents(cell);
        return [cell.textContent, range.getClientRects().length];
      }).filter(([, lines]) => lines !== 1)`);
      assert.deepEqual(broken, [], `${language}: no figure is broken`);
      assert.ok((await page.evaluate<number>("document.documentElement.scrollWidth")) <= 320, language);
      assert.ok((await page.locator(".entities").count()) >= 2);
      assert.equal(
        await page.evaluate("getComputedStyle(document.querySelector('.review .words')).overflow"),
        "clip",
        "piled-up marks stay within their review",
      );
      await page.close();
    }
  });

  test("what /embed gives to copy works on a page of another origin", async () => {
    const { page } = await open("/embed");
    const codes = await page.locator("pre code").allInnerTexts();
    assert.equal(codes.length, 4);
    const other = await browser.newPage();
    const complaints: string[] = [];
    other.on("pageerror", (error) => complaints.push(String(error)));
    const body = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Another site</title>${codes.slice(0, 3).join("")}`;
    const policy = "require-trusted-types-for 'script'; trusted-types goodword"; // as the page says
    const headers = { "Content-Type": "text/html", "Content-Security-Policy": policy };
    const site = createServer((_request, answer) => void answer.writeHead(200, headers).end(body));
    await using listens = await listening(site);
    await other.goto(`http://127.0.0.1:${listens.port}/`);
    const badge = other.locator("img").first();
    await badge.scrollIntoViewIfNeeded();
    assert.deepEqual(
      await badge.evaluate((image) => [
        (image as unknown as { complete: boolean }).complete,
        (image as unknown as { naturalWidth: number }).naturalWidth,
      ]),
      [true, 320],
    );
    const frame = other.frameLocator("iframe");
    await other.locator("iframe").scrollIntoViewIfNeeded();
    await frame.locator("article").first().waitFor();
    assert.equal(await frame.locator("script").count(), 0);
    const targets = await frame.locator("a").evaluateAll((links) => links.map((link) => link.getAttribute("target")));
    assert.ok(targets.length > 0 && targets.every((target) => target === "_blank"));
    await other.locator("goodword-reviews li").first().waitFor();
    assert.equal(await other.locator("goodword-reviews li").count(), 3);
    assert.match(
      (await other.locator("goodword-reviews img").getAttribute("alt")) ?? "",
      /: \d\.\d\d of 5 stars, 240 /,
    );
    assert.match(
      (await other.locator("goodword-reviews .stars").first().getAttribute("aria-label")) ?? "",
      /^[1-5] of 5 stars$/,
    );
    const french = `<title>Avis</title><article><svg class="stars" aria-label="note de 4 sur 5"></svg><h3><a href="/">Ada</a></h3><time>3 mars 2026</time><p class="words">Bien.</p></article>`;
    await other.route("**/embed/reviews", (route) =>
      route.fulfill({ contentType: "text/html", headers: { "Access-Control-Allow-Origin": "*" }, body: french }),
    );
    await other.evaluate("document.querySelector('goodword-reviews').setAttribute('count', '1')");
    await other.locator("goodword-reviews").getByText("Bien.").waitFor();
    assert.equal(await other.locator("goodword-reviews .stars").innerText(), "★★★★☆");
    assert.deepEqual(complaints, []);
    assert.deepEqual(await other.context().cookies(), []);
    await other.setViewportSize({ width: 320, height: 700 });
    assert.equal(await other.evaluate("document.documentElement.scrollWidth"), 320, "nothing is wider than a phone");
  });

  test("the page that says that the server starts goes on by itself when it has started, and on a click", async () => {
    let isReady = false;
    const starting = routesTo(undefined);
    const server = await openServer(
      (request) =>
        isReady && new URL(request.url).pathname === "/reviews"
          ? new Response("<!doctype html><title>Ready</title><h1>Ready</h1>", {
              headers: { "Content-Type": "text/html" },
            })
          : starting(request),
      { host: "127.0.0.1", port: 0, maxConnections: 100, onFault: assert.ifError },
    );
    after(async () => await server.close(0));
    for (const javaScriptEnabled of [true, false]) {
      isReady = false;
      const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
      await page.goto(`http://127.0.0.1:${server.port}/reviews?rating=5`);
      assert.equal(await page.locator("h1").innerText(), "Just starting");
      isReady = true;
      if (!javaScriptEnabled) await page.getByRole("link", { name: "Try again" }).click();
      await page.locator("h1", { hasText: "Ready" }).waitFor();
      assert.match(page.url(), /\/reviews\?rating=5$/);
    }
  });

  test("other pages cannot be framed", async () => {
    const { page, complaints } = await open("/robots.txt");
    const refusal = page.waitForEvent("console");
    await page.setContent(`<iframe src="${program.url}/"></iframe>`);
    await refusal;
    assert.match(complaints.join(), /frame-ancestors/);
  });

  test("a page of another origin reads the datasets with their tags", async () => {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${program.port}/robots.txt`);
    const read = (await page.evaluate(`fetch("${program.url}/reviews.json").then(async (answer) => ({
      tag: answer.headers.get("ETag"), link: answer.headers.get("Link"), count: (await answer.json()).reviews.length }))`)) as Record<
      string,
      unknown
    >;
    assert.match(String(read.tag), /^"/);
    assert.match(String(read.link), /rel="hub"/);
    assert.equal(read.count, 240);
  });
});
