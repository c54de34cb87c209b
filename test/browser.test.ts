/** The pages in a real browser, and the datasets read by a page of another origin. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { openChromium, withoutChromium } from "./chromium.ts";
import { type Served, serveProgram, temporaryFolder } from "./program.ts";

describe("in a browser", { skip: withoutChromium }, () => {
  const folder = temporaryFolder();
  let program: Served;
  let browser: Browser;

  before(async () => {
    program = await serveProgram(folder.path);
    browser = await openChromium();
  });

  after(async () => {
    await browser.close();
    await program.stop();
    folder[Symbol.dispose]();
  });

  /** Opens a page and gives it with everything that it complained of: errors, refused loads, violated policies. */
  async function open(path: string): Promise<{ page: Page; complaints: string[] }> {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.goto(`${program.url}${path}`);
    return { page, complaints };
  }

  test("the front page names the business, says that it is a sample, and links every dataset; every link leads somewhere", async () => {
    const { page, complaints } = await open("/");
    assert.match(await page.locator("h1").innerText(), /sample/);
    assert.match(await page.locator("main").innerText(), /invented/);
    const links = await page
      .locator("a")
      .evaluateAll((anchors) => anchors.map((anchor) => (anchor as unknown as { href: string }).href));
    for (const link of ["/reviews.json", "/insights.json", "/api/feed.json", "/feed.xml", "/docs"]) {
      assert.ok(links.includes(`${program.url}${link}`), link);
    }
    const own = links.filter((link) => link.startsWith(program.url) && !link.includes("#"));
    for (const link of own) assert.equal((await page.request.get(link)).status(), 200, link);
    assert.deepEqual(complaints, []);
  });

  test("/docs shows each endpoint, and no page needs a script", async () => {
    const { page, complaints } = await open("/docs");
    const headings = await page.locator("h2").allInnerTexts();
    assert.ok(headings.includes("GET /api/reviews/search"));
    assert.ok(headings.includes("POST /api/websub/hub"));
    assert.equal(await page.locator("script").count(), 0);
    assert.deepEqual(complaints, []);
  });

  test("a page fits a telephone's screen without scrolling sideways", async () => {
    const { page } = await open("/docs");
    await page.setViewportSize({ width: 360, height: 740 });
    const overflow = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    assert.equal(overflow, 0);
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
