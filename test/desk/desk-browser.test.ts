/** The desk in a real browser, with and without script: every path that an owner goes. */
import assert from "node:assert/strict";
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, afterEach, before, describe, type TestContext, test } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import { DEADLINE_MS, openChromium, openTabs, type Tabs, withoutChromium } from "../support/chromium.ts";
import { enter, type OpenDesk, openDesk } from "../support/desk.ts";
import { takeoutPage, takeoutReview } from "../support/import-sandbox.ts";
import { listening } from "../support/loopback.ts";
import { run, temporaryFolder } from "../support/program.ts";
import { EXPORT_SETS } from "../support/shared-data.ts";
import { skipRound } from "../support/test-runs.ts";
import { zipOf } from "../support/zip-writer.ts";

const YAML = '# Ours\nname: Northside Cooling # as on the van\ntime_zone: America/Chicago\ncolor: "#0b5cad"\n';
const ROWS = [
  ["Ann", 5, "2025-01-02", "They came on time and the price was fair."],
  ["Bob", 1, "2025-01-03", "Too expensive, and he was late."],
  ["Carla", 4, "2025-01-04", "Quick and clean work."],
] as const;
const CSV = `id,author,rating,date,text,source\n${ROWS.map(([author, rating, date, text], at) => `r${at},${author},${rating},${date},"${text}",google\n`).join("")}`;
/** Files that are dropped together. */
const DROPPED = [
  ["dropped.csv", CSV],
  ["more.csv", "id,author,rating,date,text,source\nm,Dan,4,2025-02-01,Fine,google\n"],
];

interface Export {
  readonly name: string;
  readonly total: number;
  /** Its Takeout as Google sends it. */
  readonly zip: () => Buffer;
}

const PLACE = "Takeout/Google Business Profile/account-1/location-2";
const SMALL_PAGE = JSON.stringify(takeoutPage(takeoutReview("a"), takeoutReview("b")));
const SMALL_EXPORT: Export = {
  name: "two reviews",
  total: 2,
  zip: () => zipOf([{ name: `${PLACE}/reviews.json`, content: Buffer.from(SMALL_PAGE) }]),
};

/** The real export, where there is one. */
function lastExport(): Export {
  const { name, total, takeout } = EXPORT_SETS.at(-1) ?? assert.fail();
  const zip = () => {
    const files = globSync("**/*", { cwd: takeout, withFileTypes: true }).filter((entry) => entry.isFile());
    return zipOf(
      files.map(({ parentPath, name }) => {
        const path = join(parentPath, name);
        return { name: `Takeout/${path.slice(takeout.length + 1)}`, content: readFileSync(path) };
      }),
    );
  };
  return { name, total, zip };
}

describe("the desk", { skip: withoutChromium }, () => {
  const stack = new AsyncDisposableStack();
  let browser: Browser;
  let tabs: Tabs;
  /** A folder of sites with one desk for all tests; `published` has the reviews. */
  let sites = "";
  let shared: OpenDesk;
  /** Its cookie: the list of sites, to which its key leads, looks into each of them. */
  let session = "";
  let count = 0;

  before(async () => {
    browser = await openChromium();
    stack.defer(async () => await browser.close());
    tabs = openTabs(browser);
    sites = stack.use(temporaryFolder()).path;
    mkdirSync(join(sites, "published"));
    for (const [name, content] of Object.entries({ "business.yaml": YAML, "a.csv": CSV }))
      writeFileSync(join(sites, "published", name), content);
    const args = ["published/business.yaml", "published/a.csv", "--sites", ".", "--site", "published"];
    assert.equal((await run(sites, ["import", ...args])).code, 0);
    shared = stack.use(await openDesk(sites, ["--sites", sites]));
    session = (await enter(shared)).cookie;
  });

  after(async () => await stack.disposeAsync());

  afterEach(async () => await tabs.release());

  /** A tab with the desk, and what its console complains of. */
  async function opened(address: string, javaScriptEnabled: boolean) {
    const page = await tabs.take({ javaScriptEnabled });
    const complaints: string[] = [];
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    const [name = "", value = ""] = session.split("=");
    await page.context().addCookies([{ name, value, url: shared.origin }]);
    await page.goto(address);
    // Without script, the part stays in the address that has counted once.
    assert.match(new URL(page.url()).search, javaScriptEnabled ? /^$/ : /^\?apart=[\w-]{43}$/);
    const quiet = () =>
      assert.deepEqual(
        complaints.filter((line) => !/status of 400/.test(line)),
        [],
      );
    return { page, quiet };
  }

  /** The desk of a new site with the business, or of a copy of the published one. */
  async function openSite(javaScriptEnabled: boolean, from: "published" | "unpublished" = "unpublished") {
    count += 1;
    const folder = join(sites, `site-${count}`);
    mkdirSync(folder);
    if (from === "published") cpSync(join(sites, "published"), folder, { recursive: true });
    else writeFileSync(join(folder, "business.yaml"), YAML);
    return { ...(await opened(`${shared.origin}/sites/site-${count}/`, javaScriptEnabled)), folder };
  }

  const goTo = (page: Page, name: string) =>
    page.getByRole("navigation").getByRole("link", { name, exact: true }).click();
  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).first().click();
  const counted = async (page: Page, name: string) =>
    Number((await page.getByRole("row", { name }).getByRole("cell").innerText()).replaceAll(",", ""));

  test("what another program, which had the port before, has left in the browser gets nothing of the desk", async () => {
    const taken = "document.title = 'taken'";
    const worker = `addEventListener("install", () => skipWaiting());
      addEventListener("fetch", (event) => {
        const headers = { "Content-Type": "text/javascript" };
        if (event.request.url.includes("passed")) event.respondWith(fetch(event.request));
        if (event.request.url.includes("desk.js")) event.respondWith(new Response("${taken}", { headers }));
      })`;
    /** What a page may want of the windows beside it. */
    const wanted = ["unsafe-none", "same-origin-allow-popups", "noopener-allow-popups", "same-origin"];
    const planted: Readonly<Record<string, readonly [type: string, body: string]>> = {
      "/": ["text/html", "<title>planted</title><script>navigator.serviceWorker.register('/worker.js')</script>"],
      "/worker.js": ["text/javascript", worker],
      "/assets/desk.js": ["text/javascript", taken],
    };
    const earlier = createServer((asked, answer) => {
      const [type, body] = planted[asked.url ?? ""] ?? ["text/plain", ""];
      const [, wants = "same-origin"] = /^\/left\?(.*)/.exec(asked.url ?? "") ?? [];
      answer.writeHead(200, {
        "Content-Type": type,
        "Cache-Control": "max-age=86400",
        "Cross-Origin-Opener-Policy": asked.url === "/beside" ? "unsafe-none" : wants,
      });
      answer.end(body);
    });
    const { port, close } = await listening(earlier);
    const context = await browser.newContext();
    context.setDefaultTimeout(DEADLINE_MS);
    const left = await context.newPage();
    await left.goto(`http://127.0.0.1:${port}/`);
    await left.evaluate("navigator.serviceWorker.ready.then(() => fetch('/assets/desk.js')).then(() => 0)");
    const beside: Page[] = [];
    for (const wants of wanted) {
      const opener = await context.newPage();
      await opener.goto(`http://127.0.0.1:${port}/left?${wants}`);
      const opened = context.waitForEvent("page");
      await opener.evaluate("void open('/beside')");
      beside.push(await opened);
    }
    await close();
    await using desk = await openDesk(join(sites, "published"), ["--port", String(port)]);
    const page = await context.newPage();
    const passed = await page.goto(desk.address.replace("?", "?passed&"));
    assert.equal(passed?.status(), 403, "the worker passed the key on");
    assert.deepEqual(await context.cookies(), []);
    await page.goto(desk.address);
    assert.match(await page.title(), /Goodword desk$/, "neither the worker nor the cache gave another script");
    assert.equal(await page.evaluate("navigator.serviceWorker.getRegistrations().then(({ length }) => length)"), 0);
    assert.equal(await left.evaluate("fetch('/reviews').then(({ status }) => status)"), 403);
    assert.equal(
      await left.evaluate(
        "navigator.serviceWorker.register('/assets/desk.js').then(() => 'registered', () => 'refused')",
      ),
      "refused",
    );
    const seen = `(async (opened) => {
      for (; !opened.closed; await new Promise((resolve) => setTimeout(resolve, 20)))
        if (opened.location.pathname === "/reviews" && opened.document.body?.innerText) return opened.document.body.innerText;
      return "nothing";
    })(open("/reviews")).catch(() => "nothing")`;
    assert.equal(await left.evaluate(seen), "nothing", "of a window that it opened");
    // A form comes by no detour: what is answered to one without a token holds none.
    const sentByOpener = `(async ({ opener }) => {
      const form = opener.document.createElement("form");
      Object.assign(form, { method: "post", action: "/reviews" });
      opener.document.body.append(form);
      form.submit();
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (opener.closed) return "closed";
        if (opener.location.pathname === "/reviews" && opener.document.readyState === "complete")
          return opener.document.documentElement.outerHTML;
      }
    })(window).catch(() => "nothing")`;
    for (const [at, window] of beside.entries()) {
      const answer = String(await window.evaluate(sentByOpener));
      assert.doesNotMatch(answer, /name="token"|<form/, `of a window whose opener is ${wanted[at]}`);
    }
    const seenOfOpener = `(async (opener) => {
      for (opener.location = "/history"; !opener.closed; await new Promise((resolve) => setTimeout(resolve, 20)))
        if (opener.location.pathname === "/history" && opener.document.body?.innerText) return opener.document.body.innerText;
      return "nothing";
    })(opener ?? { closed: true }).catch(() => "nothing")`;
    for (const [at, window] of beside.entries())
      assert.equal(await window.evaluate(seenOfOpener), "nothing", `of a window that opened it and is ${wanted[at]}`);
    await page.goto(`${desk.origin}/reviews`);
    assert.equal(page.url(), `${desk.origin}/reviews`, "the detour leaves nothing in the address");
    await context.close();
  });

  test("in a browser of WebKit, which keeps service workers, a form has its token from the page's own script or without scripts", async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, "business.yaml"), YAML);
    writeFileSync(join(folder.path, "reviews.csv"), CSV);
    assert.equal((await run(folder.path, ["import", "business.yaml", "reviews.csv"])).code, 0);
    await using desk = await openDesk(folder.path);
    const userAgent = "Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15";
    /** Hides the words of the first review, and waits for what the page says then; returns what was sent. */
    const hideWords = async (page: Page, says: RegExp) => {
      await page.goto(desk.address);
      await page.goto(`${desk.origin}/reviews`);
      await page.getByRole("button", { name: "Hide words" }).first().click();
      const sent = page.waitForRequest((request) => request.method() === "POST");
      await page.getByRole("button", { name: /^Yes/ }).click();
      const body = (await sent).postData() ?? "";
      await page.getByText(says).first().waitFor();
      return body;
    };
    for (const javaScriptEnabled of [true, false]) {
      const context = await browser.newContext({ userAgent, javaScriptEnabled });
      context.setDefaultTimeout(DEADLINE_MS);
      assert.match(await hideWords(await context.newPage(), /Took the words out/), /^token=[\w-]{43}/);
      await context.close();
    }
    const context = await browser.newContext({ userAgent });
    context.setDefaultTimeout(DEADLINE_MS);
    const page = await context.newPage();
    // As a service worker of an earlier program would.
    await page.route("**/assets/desk.js?*", (route) =>
      route.fulfill({ contentType: "text/javascript", body: "document.title = 'taken'" }),
    );
    assert.doesNotMatch(await hideWords(page, /The form is not from this desk/), /token/);
    assert.doesNotMatch(await page.title(), /taken/);
    await context.close();
  });

  for (const javaScriptEnabled of [true, false]) {
    const way = javaScriptEnabled ? "with script" : "without script";
    /** Skips a journey that is another round of the same: only the first goes both ways in `npm test`. */
    const goesOnly = (enough: "with script" | "without script", t: TestContext) => {
      if (skipRound === false || way === enough) return false;
      t.skip(skipRound);
      return true;
    };
    describe(way, () => {
      // With script it is the real export, where there is one.
      const { name, total, zip } = javaScriptEnabled ? lastExport() : SMALL_EXPORT;
      test(`the first fifteen minutes: from an empty folder to a written site by the keyboard alone, with ${name}`, async () => {
        using own = temporaryFolder();
        const folder = own.path;
        await using desk = await openDesk(folder);
        const { page, quiet } = await opened(desk.address, javaScriptEnabled);
        const heading = (name: string) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
        const keys = keyboardOf(page);
        await heading("What is your business?");
        await keys.type(page.getByLabel("Name", { exact: true }), "Northside Cooling");
        await keys.type(page.getByLabel("Category"), "HVACBusiness");
        await keys.type(page.getByLabel("Time zone"), "America/Chicago");
        await keys.press(page.getByRole("button", { name: "Save" }).first());
        await heading("Next: your reviews");
        await keys.press(page.getByRole("link", { name: "Choose your files" }));
        const chooser = page.waitForEvent("filechooser");
        await keys.press(page.getByLabel("Files"));
        await (await chooser).setFiles({ name: "takeout.zip", mimeType: "application/zip", buffer: zip() });
        await keys.press(page.getByRole("button", { name: "Check" }));
        assert.equal(await counted(page, "Read"), total);
        assert.equal(await counted(page, "Added"), total);
        const would = page.locator("details").filter({ hasText: /^What would change: [\d,]+ reviews/ });
        assert.ok((await would.getByText(/^added: /).count()) >= 2);
        const preview = page.getByRole("link", { name: "Look at the page" });
        const asked = new URL((await preview.getAttribute("href")) ?? "", page.url());
        assert.match(
          await (await page.context().request.get(asked.href)).text(),
          /A preview: nothing of this is published yet/,
        );
        await goTo(page, "Reviews");
        assert.match(await page.getByRole("main").innerText(), /No reviews are published yet/);
        await goTo(page, "Import");
        await keys.press(page.getByRole("button", { name: "Publish" }));
        await page.getByText("The reviews are stored on this machine").waitFor();
        await keys.press(page.getByRole("link", { name: "Go on" }));
        await heading("Your page is ready");
        const monthly = page.getByRole("heading", { name: "What to do each month" }).locator("xpath=..");
        assert.match(await monthly.innerText(), /Import\s+Download your reviews again/);
        await keys.press(page.getByRole("link", { name: "How to put it online" }));
        await page.getByLabel("Address of your page").waitFor();
        assert.deepEqual(await page.getByRole("heading", { level: 2 }).allInnerTexts(), [
          "1. As a folder, on any web space",
          "2. On a computer of your own that is always on",
          "3. At a hosting company, as a container",
        ]);
        assert.equal(await page.locator("pre").innerText(), "npx goodword serve");
        await keys.type(page.getByLabel("Address of your page"), "https://reviews.example.com");
        await keys.press(page.getByRole("button", { name: "Write the folder" }));
        assert.match(await page.getByRole("status").innerText(), /Wrote \d+ files for https:\/\/reviews.example.com/);
        assert.match(readFileSync(join(folder, "public", "index.html"), "utf8"), /Northside Cooling/);
        assert.match(readFileSync(join(folder, "business.yaml"), "utf8"), /category: HVACBusiness/);
        quiet();
      });

      test("a spreadsheet with odd columns is settled at its fields: columns, order of dates, encoding, place; what is refused is left out if the owner says so", async (t) => {
        if (goesOnly("with script", t)) return;
        const { page, quiet } = await openSite(javaScriptEnabled);
        await goTo(page, "Import");
        const table = Buffer.from(
          "Punkte;Wann;Wer;Worte;place_id\n5;03/04/2025;François;Très bien;ChIJaaaaaaaaaaaaaaaaaaa\n4;05/06/2025;Zoë;Bien;ChIJbbbbbbbbbbbbbbbbbbb\nvier;05/06/2025;Eve;Non;ChIJbbbbbbbbbbbbbbbbbbb\n",
          "latin1",
        );
        await page.getByLabel("Files").setInputFiles({ name: "odd.csv", mimeType: "text/csv", buffer: table });
        await page.getByLabel("Where were they written?").fill("Google");
        await press(page, "Check");
        const encoding = await labelWith(page, "Encoding", "windows-1252", "François");
        await page.getByLabel("Encoding").selectOption({ label: encoding });
        assert.equal(await page.getByRole("button", { name: "Publish" }).count(), 0, "nothing can be published yet");
        const columns = { rating: "Punkte", date: "Wann", author: "Wer", text: "Worte" };
        for (const [field, column] of Object.entries(columns))
          await page.getByLabel(`Column for ${field}`).first().selectOption(column);
        assert.equal(
          await page.getByRole("region", { name: "odd.csv" }).getByRole("row").count(),
          4,
          "the rows stand beside",
        );
        await press(page, "Check");
        assert.match(await page.getByRole("alert").first().innerText(), /“Order of dates”/);
        const found = async (field: string) =>
          await page.getByLabel(`Column for ${field}`).first().locator("xpath=following-sibling::span").innerText();
        assert.equal(await found("rating"), "Read from “Punkte” (5 · 4 · vier)", "with what stands there");
        const monthFirst = await labelWith(page, "Order of dates", "Month first", "March 4, 2025");
        const order = page.getByLabel("Order of dates");
        assert.equal(await order.getByText(monthFirst).getAttribute("value"), "mdy");
        await order.selectOption({ label: await labelWith(page, "Order of dates", "Day first", "April 3, 2025") });
        await press(page, "Check");
        await page.getByLabel("Location").selectOption("ChIJbbbbbbbbbbbbbbbbbbb");
        await press(page, "Check");
        assert.deepEqual(
          [await counted(page, "Read"), await counted(page, "Added"), await counted(page, "Refused")],
          [3, 1, 1],
        );
        assert.match(await page.getByRole("alert").innerText(), /odd\.csv, line 4: Punkte is "vier", but must be/);
        await page.getByLabel("Leave out what is refused").check();
        await press(page, "Publish");
        await page.getByText("The reviews are stored on this machine").waitFor();
        await goTo(page, "Reviews");
        assert.match(await page.getByRole("article").innerText(), /Zoë[\s\S]*Jun 5, 2025[\s\S]*Bien/);
        quiet();
      });

      test("a review is searched and removed after a question, and allowed again; a name or words are hidden", async (t) => {
        if (goesOnly("without script", t)) return;
        const { page, quiet } = await openSite(javaScriptEnabled, "published");
        await goTo(page, "Reviews");
        assert.equal(await page.getByRole("article").count(), 3);
        await page.getByLabel("Search").fill("EXPENSIVE");
        await press(page, "Find");
        assert.equal(await page.getByRole("article").count(), 1);
        await press(page, "Remove");
        assert.match(await page.getByRole("main").innerText(), /Bob[\s\S]*Later imports leave it out/);
        await page.getByRole("link", { name: "Cancel" }).click();
        assert.equal(await page.getByRole("article").count(), 3);
        await page.getByLabel("Search").fill("Bob");
        await press(page, "Find");
        await press(page, "Remove");
        await press(page, "Yes, remove");
        assert.match(await page.getByRole("status").innerText(), /Removed 1 review/);
        await page.reload();
        assert.equal(await page.getByRole("article").count(), 2, "loading again repeats nothing");
        const part = javaScriptEnabled ? "name" : "words"; // each takes a second
        const ann = page.getByRole("article").filter({ hasText: "Ann" });
        await ann.getByRole("button", { name: `Hide ${part}` }).click();
        await press(page, `Yes, hide ${part}`);
        assert.doesNotMatch(await page.getByRole("main").innerText(), javaScriptEnabled ? /Ann/ : /came on time/);
        await page.getByRole("link", { name: "Removed" }).click();
        assert.equal(await page.getByRole("button", { name: "Allow again" }).count(), 2);
        await page.getByRole("article").filter({ hasText: "The whole review" }).getByRole("button").click();
        assert.equal(await page.getByRole("button", { name: "Allow again" }).count(), 1);
        quiet();
      });

      test("a finding is corrected in two clicks, beside its sentence, and taken back as easily", async (t) => {
        if (goesOnly("without script", t)) return;
        const { page, quiet } = await openSite(javaScriptEnabled, "published");
        await goTo(page, "Findings");
        assert.match(await page.getByRole("main").innerText(), /counted in public/);
        const pricing = page.getByRole("region", { name: "Pricing" });
        const finding = pricing.getByRole("article").filter({ hasText: "Bob" });
        assert.match(await finding.locator("blockquote mark").innerText(), /expensive/i, "its sentence, in the review");
        await finding.getByRole("button", { name: "Not said" }).click();
        assert.equal(await pricing.getByRole("article").filter({ hasText: "Bob" }).count(), 0);
        await pricing
          .getByRole("article")
          .filter({ hasText: "Ann" })
          .getByRole("button", { name: "It is criticism" })
          .click();
        assert.match(await pricing.getByRole("article").innerText(), /criticism/);
        await page.getByRole("link", { name: "Corrected", exact: true }).click();
        assert.equal(await page.getByRole("button", { name: "Take back" }).count(), 2);
        assert.equal(
          await page.locator("article blockquote mark").count(),
          2,
          "the sentences of both, in their reviews",
        );
        await press(page, "Take back");
        await press(page, "Take back");
        assert.match(await page.getByRole("main").innerText(), /No finding was corrected/);
        quiet();
      });

      test("opening hours are saved into business.yaml, which keeps its comments; faults stand at their field", async (t) => {
        if (goesOnly("without script", t)) return;
        const { page, quiet, folder } = await openSite(javaScriptEnabled, "published");
        const yaml = () => readFileSync(join(folder, "business.yaml"), "utf8");
        await goTo(page, "Business");
        await page.getByLabel("Monday").fill("8-12, 13-17");
        await page.getByLabel("Friday").fill("sometimes");
        await page.getByLabel("E-mail").fill("nobody");
        await press(page, "Save");
        const friday = page.getByLabel("Friday");
        assert.equal(await friday.getAttribute("aria-invalid"), "true");
        assert.equal(await page.getByLabel("Monday").inputValue(), "8-12, 13-17", "nothing has to be typed again");
        assert.equal(yaml(), YAML);
        await friday.fill("");
        await press(page, "Save");
        assert.match(await page.locator("#fault-email").innerText(), /must be an address/);
        await page.getByLabel("E-mail").fill("office@example.com");
        for (const [label, text] of [
          ["Telephone", "+1 512 555 0142"],
          ["Web site", "northside.example"],
          ["Description", "We cool."],
        ] as const)
          await page.getByLabel(label).fill(text);
        await page.getByLabel("Technicians").fill("Dana Keller = Dee");
        await press(page, "Save");
        assert.match(await page.getByRole("status").innerText(), /Saved on this machine/);
        assert.match(yaml(), /^# Ours\nname: Northside Cooling # as on the van\n[\s\S]*color: "#0b5cad"/);
        assert.match(yaml(), /opens: "08:00", closes: "12:00"/);
        assert.equal(await page.getByLabel("Monday").inputValue(), "08:00–12:00, 13:00–17:00");
        quiet();
      });

      test("the last change is undone, and a backup downloaded and restored", async (t) => {
        if (goesOnly("with script", t)) return;
        const { page, quiet, folder } = await openSite(javaScriptEnabled, "published");
        await goTo(page, "History");
        const backup = page.waitForEvent("download");
        await page.getByRole("link", { name: "Download a backup" }).click();
        await (await backup).saveAs(join(folder, "kept.db"));
        await press(page, "Undo the last change");
        assert.match(await page.getByRole("main").innerText(), /This undoes change 1, import/);
        await press(page, "Yes, undo");
        assert.match(await page.getByRole("status").innerText(), /3 reviews taken out/);
        await page.getByLabel("Backup").setInputFiles(join(folder, "a.csv"));
        await press(page, "Restore");
        assert.match(await page.getByRole("alert").innerText(), /is no backup/);
        await page.getByLabel("Backup").setInputFiles(join(folder, "kept.db"));
        await press(page, "Restore");
        // on a busy machine a page says first that the backup is being read
        const question = page.getByRole("main").filter({ hasText: "Your pages lose none" });
        assert.match(
          await question.innerText(),
          /Your pages lose none and get back 3 reviews\. Of the business it puts back:[\s\S]*\nName: .* → Northside Cooling\n/,
        );
        await press(page, "Yes, restore");
        assert.match(await page.getByRole("status").innerText(), /3 reviews added/);
        await goTo(page, "Reviews");
        assert.equal(await page.getByRole("article").count(), 3);
        quiet();
      });

      if (javaScriptEnabled)
        test("files are dropped on any page, and one that is not the import's leads there", async () => {
          const { page, quiet } = await openSite(javaScriptEnabled);
          await goTo(page, "History");
          await page.waitForURL("**/history", { waitUntil: "load" }); // the script listens from then on
          const data = await page.evaluateHandle(`(() => {
          const transfer = new DataTransfer();
          for (const [name, text] of ${JSON.stringify(DROPPED)})
            transfer.items.add(new File([text], name, { type: "text/csv" }));
          return transfer;
        })()`);
          await page.dispatchEvent("main", "drop", { dataTransfer: data });
          await page.getByRole("button", { name: "Publish" }).waitFor();
          assert.match(await page.getByRole("main").innerText(), /dropped\.csv, more\.csv/);
          assert.equal(await counted(page, "Read"), 4, "of both files");
          quiet();
        });
    });
  }
});

/** The label of the choice of a field that holds both texts. */
async function labelWith(page: Page, field: string, ...texts: readonly string[]): Promise<string> {
  await page.getByLabel(field).waitFor();
  const labels = await page.getByLabel(field).locator("option").allInnerTexts();
  const found = labels.find((label) => texts.every((text) => label.includes(text)));
  assert.ok(found !== undefined, `${field}: ${labels.join(" | ")}`);
  return found;
}

/** What a person does who has no mouse: Tab, until the element has the focus. */
function keyboardOf({ keyboard }: Page) {
  const reach = async (element: Locator) => {
    await element.waitFor();
    const isReached = () => element.evaluate((found) => found === found.ownerDocument.activeElement);
    for (let tabs = 0; !(await isReached()); tabs++) {
      assert.ok(tabs < 100, `Tab does not lead to ${element}`);
      await keyboard.press("Tab");
    }
  };
  return {
    async type(field: Locator, words: string) {
      await reach(field); // which selects what it holds
      await keyboard.type(words);
    },
    async press(element: Locator) {
      await reach(element);
      await keyboard.press("Enter");
    },
  };
}
