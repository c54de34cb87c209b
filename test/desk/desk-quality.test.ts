/** Every page of the desk by axe, in both languages, on a phone in the dark and on a wide screen; nothing is too wide. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, test } from "node:test";
import { openChromium, withoutChromium } from "../support/chromium.ts";
import { openDesk } from "../support/desk.ts";
import { run, temporaryFolder } from "../support/program.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const CSV = `id,author,rating,date,text,source\n${Array.from({ length: 25 }, (_, at) => `r${at},Ann Übermaß ${at},${1 + (at % 5)},2025-01-${String(1 + at).padStart(2, "0")},"They came on time, but it was too expensive.",google\n`).join("")}`;
const ODD = "Punkte,Wann\n5,03/04/2025\n";

describe("the pages of the desk", { skip: withoutChromium }, () => {
  for (const language of ["en", "de"])
    for (const [width, colorScheme] of [
      [320, "dark"],
      [1200, "light"],
    ] as const)
      test(`axe finds nothing in ${language} at ${width} pixels, ${colorScheme}`, async () => {
        using folder = temporaryFolder();
        writeFileSync(join(folder.path, "business.yaml"), `name: Müller\ntime_zone: UTC\nlanguage: ${language}\n`);
        writeFileSync(join(folder.path, "a.csv"), CSV);
        assert.equal((await run(folder.path, ["import", "business.yaml", "a.csv"])).code, 0);
        await using desk = await openDesk(folder.path);
        const browser = await openChromium();
        await using _closing = { [Symbol.asyncDispose]: async () => await browser.close() };
        const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme, bypassCSP: true });
        const page = await context.newPage();
        await page.goto(desk.address);
        await page.goto(`${desk.origin}/reviews`);
        const removing = (await page.locator("form[action$='/remove']").first().getAttribute("action")) ?? "";
        await page.goto(`${desk.origin}/import`);
        const waiting = page.waitForURL(/\/import$/);
        await page.locator("#files").setInputFiles({ name: "odd.csv", mimeType: "text/csv", buffer: Buffer.from(ODD) });
        await page.locator("main form button").first().click();
        await waiting;
        await page.locator("main select").first().waitFor();
        const paths = ["/import", "/", "/reviews", removing, "/reviews/removed", "/findings", "/findings/corrected"];
        for (const path of [
          ...paths,
          "/business",
          "/history",
          "/history/undo",
          "/sources",
          "/subscribers",
          "/online",
          "/x",
        ]) {
          await page.goto(`${desk.origin}${path}`);
          assert.equal(
            await page.evaluate("document.documentElement.scrollWidth <= innerWidth"),
            true,
            `${path} is too wide`,
          );
          await page.evaluate(AXE);
          const found = (await page.evaluate(
            "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html.slice(0, 160)]))",
          )) as string[];
          assert.deepEqual(found, [], path);
        }
      });
});
