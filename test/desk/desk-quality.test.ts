/** Every page of the desk by the checkers of the field, in English and German, in every state that an owner meets. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { DEADLINE_MS, openChromium, withoutChromium } from "../support/chromium.ts";
import { openDesk } from "../support/desk.ts";
import { listening } from "../support/loopback.ts";
import {
  auditPage,
  formsOf,
  IS_WHOLE_AUDIT,
  kindsOf,
  NU_TIMEOUT_MS,
  nuMessages,
  shapeOf,
  showLargeAndLight,
  withoutJava,
} from "../support/page-audit.ts";
import { run, temporaryFolder } from "../support/program.ts";

const LONG_NAME = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
const TEXTS = [
  "They came on time and the price was fair.",
  "Too expensive, and he was late.",
  "Der Monteur kam pünktlich, aber die Rechnung war zu hoch.",
  "",
];
/** Nothing but the choice of columns, dates and encoding reads this one. */
const ODD = Buffer.from(
  `Punkte;Wann;Wer;Worte;Spalte mit einem recht langen Namen ${LONG_NAME}\n${TEXTS.map((text, at) => `${5 - at};0${at + 1}/04/2025;François ${LONG_NAME};${text};x`).join("\n")}\n`,
  "latin1",
);
const REFUSED = Buffer.from(`id,author,rating,date,text,source
${TEXTS.map((text, at) => `r${at},Ann ${at},${5 - at},2025-01-0${at + 1},"${text}",google`).join("\n")}
r9,Eve <b>,3,2025-02-30,Hm,google\n`);

const pages = new Map<string, string>();
/** The elements of all pages that were audited. A state of a page that brings no other is left out, unless all are. */
const audited = new Set<string>();

for (const language of IS_WHOLE_AUDIT ? ["en", "de"] : ["de"])
  describe(`the desk in ${language}`, { skip: withoutChromium }, () => {
    let browser: Browser;
    before(async () => {
      browser = await openChromium();
    });
    after(async () => await browser.close());

    /** A tab with the desk of a folder. `see` audits the page that it shows. */
    async function opened(
      folder: string,
      args: readonly string[] = [],
      settings: Readonly<Record<string, string>> = {},
    ) {
      const stack = new AsyncDisposableStack();
      const desk = stack.use(await openDesk(folder, args, settings));
      const context = stack.adopt(await browser.newContext({ bypassCSP: true, locale: language }), (made) =>
        made.close(),
      );
      context.setDefaultTimeout(DEADLINE_MS);
      const page = await context.newPage();
      const found: string[] = [];
      let seen = 0;
      let shown = Promise.resolve("");
      page.on("response", (response) => {
        const isPage = response.request().isNavigationRequest() && response.status() !== 303;
        if (isPage) shown = response.text();
      });
      const see = async (name: string) => {
        await page.waitForLoadState("load");
        const body = await shown;
        pages.set(shapeOf(body), body);
        assert.equal(await page.locator("html").getAttribute("lang"), language, name);
        const isNew = kindsOf(body).filter((kind) => !audited.has(kind) && audited.add(kind)).length > 0;
        const forms = isNew || IS_WHOLE_AUDIT ? formsOf(seen++) : { isLarge: false, isSmall: false };
        found.push(...(await auditPage(page, name, forms))); // which unfolds what the next step presses, too
        await showLargeAndLight(page);
      };
      const goTo = async (path: string) => void (await page.goto(`${desk.origin}${path}`));
      await showLargeAndLight(page);
      await page.goto(desk.address);
      return { page, desk, found, see, goTo, [Symbol.asyncDispose]: () => stack.disposeAsync() };
    }

    test("no page of a business has a fault, large and light or small and dark, and none scrolls sideways", async () => {
      using folder = temporaryFolder();
      await using desk = await opened(folder.path);
      const { page, see, goTo, found } = desk;
      await see("the first page, which asks for the business");
      await page.locator("#name").fill(LONG_NAME);
      await page.locator("#language").fill(language);
      await page.locator("#email").fill("nobody");
      await page.locator("#hours-Monday").fill("sometimes");
      await press(page, "/business");
      await see("faults at the fields of the business");
      await page.locator("#email").fill("");
      await page.locator("#hours-Monday").fill("8-12, 13-17");
      await press(page, "/business");
      await see("the start before there are reviews");
      for (const path of ["import", "reviews", "reviews/removed", "findings", "findings/corrected", "business"])
        await goTo(`/${path}`).then(async () => await see(`${path}, empty`));
      for (const path of ["history", "sources", "notices", "subscribers", "online", "nowhere"])
        await goTo(`/${path}`).then(async () => await see(`${path}, empty`));

      await goTo("/import");
      await page.locator("#files").setInputFiles({ name: `${LONG_NAME}.csv`, mimeType: "text/csv", buffer: ODD });
      await press(page, "/import");
      await see("a spreadsheet of another encoding");
      await page.locator("#encoding").selectOption("windows-1252");
      await press(page, "/import");
      await see("a spreadsheet with odd columns");
      for (const [field, column] of [
        ["rating", "Punkte"],
        ["date", "Wann"],
        ["author", "Wer"],
        ["text", "Worte"],
      ] as const)
        await page.locator(`#column_${field}`).selectOption(column);
      await press(page, "/import");
      await see("the order of dates");
      await press(page, "/import/cancel");
      await page.locator("#files").setInputFiles({ name: "a.csv", mimeType: "text/csv", buffer: REFUSED });
      await press(page, "/import");
      await see("a report with what is refused, and all of its fields");
      await goTo("/import/preview/");
      await see("the preview");
      await goTo("/import");
      await page.locator("#skip_invalid").check();
      await press(page, "/import/publish");
      await see("what was published");

      await goTo("/");
      await see("the start");
      await goTo("/reviews");
      await see("reviews");
      await goTo("/reviews/vanished");
      await see("nothing vanished");
      await goTo("/reviews?search=zzzz");
      await see("nothing found");
      for (const action of ["hide-name", "hide-words", "remove"]) {
        await goTo("/reviews");
        await press(page, action);
        await see(`the question before ${action}`);
        await press(page, action);
        await see(`reviews after ${action}`);
      }
      await goTo("/reviews/removed");
      await see("removed");
      await goTo("/findings");
      await see("findings");
      await press(page, "/findings/correct");
      await see("findings after a correction");
      await goTo("/findings?topic=pricing");
      await see("findings of a topic");
      await goTo("/findings/corrected");
      await see("corrected");
      await goTo("/business");
      await see("the business");
      await page
        .locator("#file")
        .evaluate("(field) => { field.closest('details').open = true; field.value = 'name: [' }");
      await press(page, "/business/file");
      await see("faults of business.yaml");
      await goTo("/history");
      await see("history");
      await press(page, "/history/undo");
      await see("the question before undo");
      await goTo("/history");
      await page.locator("#backup").setInputFiles({ name: "no.db", mimeType: "text/plain", buffer: ODD });
      await press(page, "/history/restore");
      await see("a backup that is none");
      assert.equal((await run(folder.path, ["backup", "own.db"])).code, 0);
      await goTo("/business");
      await page.locator("#telephone").fill("+49 30 5550142");
      await page.locator("#hours-Monday").fill("9-12");
      await press(page, "/business");
      await goTo("/history");
      await page.locator("#backup").setInputFiles(join(folder.path, "own.db"));
      await press(page, "/history/restore");
      await see("the question before a backup is restored");
      await goTo("/look/");
      await see("the front page as it is published");
      await goTo("/online");
      await see("how to put it online");
      await page.locator("#address").fill("nowhere at all");
      await press(page, "/online");
      await see("an address that is none");
      await page.locator("#address").fill("https://reviews.example.com");
      await press(page, "/online");
      await see("the folder was written");
      assert.deepEqual(found, []);
    });

    test("nor has one while an address is fetched, or an address has failed", async () => {
      const held = Promise.withResolvers<void>();
      const asked = Promise.withResolvers<void>();
      const server = createServer(async (_, answer) => {
        asked.resolve();
        await held.promise;
        answer.writeHead(404).end();
      });
      const { port, close } = await listening(server);
      await using _closing = { [Symbol.asyncDispose]: close };
      using folder = temporaryFolder();
      writeFileSync(
        join(folder.path, "business.yaml"),
        `name: Ours\ntime_zone: UTC\nlanguage: ${language}\nsources: [{ url: "http://127.0.0.1:${port}/${LONG_NAME.toLowerCase()}.csv" }]\nnotices: [{ to: "mailto:office@${LONG_NAME.slice(0, 32)}.example.com", digest: weekly }]\n`,
      );
      assert.equal((await run(folder.path, ["import", "business.yaml"])).code, 0);
      await using desk = await opened(folder.path, [], { SOURCES_ALLOW: "127.0.0.0/8" });
      const { page, see, goTo, found } = desk;
      await goTo("/sources");
      await see("a followed address");
      const sent = press(page, "/sources").catch(() => undefined); // another page is asked for before it is answered
      await asked.promise;
      await goTo("/sources");
      await see("a fetch under way");
      held.resolve();
      await sent;
      await page.locator("progress").waitFor({ state: "detached" });
      await see("a fetch that failed");
      await goTo("/notices");
      await press(page, "/notices/test");
      for (const summary of await page.locator("main summary").all()) await summary.click();
      await see("an address that did not accept a test");
      assert.deepEqual(found, []);
    });

    test("nor has the list of sites", async () => {
      using folder = temporaryFolder();
      await using desk = await opened(folder.path, ["--sites", folder.path]);
      const { page, see, goTo, found } = desk;
      await see("no sites");
      await page.locator("#name").fill("leeds");
      await press(page, "/");
      await see("the business of a new site");
      await goTo("/");
      await see("the list of sites");
      await page.locator("#name").fill("leeds");
      await press(page, "/");
      await see("a name that is taken");
      assert.deepEqual(found, []);
    });
  });

/** Presses the first button of a form whose address ends so, that of the page itself before those around it. */
async function press(page: Page, action: string): Promise<void> {
  await page.locator(`main form[action$="${action}"] button`).first().click();
  await page.locator("body:not([data-waiting])").waitFor(); // what takes long is seen when it has ended
}

test("the Nu checker finds no error and no warning in any page of the desk", {
  skip: withoutChromium || withoutJava,
  timeout: NU_TIMEOUT_MS,
}, async () => {
  using folder = temporaryFolder();
  const files = [...pages.values()].map((body, at) => {
    const file = join(folder.path, `${at}.html`);
    writeFileSync(file, body);
    return file;
  });
  assert.ok(files.length > 40, `only ${files.length} pages were seen`);
  assert.deepEqual(await nuMessages([...files, join(import.meta.dirname, "../../src/page/asset/desk.css")]), []);
});
