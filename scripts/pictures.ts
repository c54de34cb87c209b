/**
 * Makes the pictures of the README from the sample: a published page and a page of the desk, light and dark.
 *
 *   node scripts/pictures.ts    writes docs/pictures/ (needs Chromium)
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openChromium, withoutChromium } from "../test/support/chromium.ts";
import { openDesk } from "../test/support/desk.ts";
import { run, serveProgram, temporaryFolder } from "../test/support/program.ts";

const ROOT = join(import.meta.dirname, "..");
const OUT = join(ROOT, "docs/pictures");
const SIZE = { width: 1000, height: 860 };

if (withoutChromium !== false) throw new Error(`No pictures were made: ${withoutChromium}`);
using folder = temporaryFolder();
await run(folder.path, ["import", join(ROOT, "sample/business.yaml"), join(ROOT, "sample/reviews.jsonl")]);
const browser = await openChromium();
await using _closing = { [Symbol.asyncDispose]: async () => await browser.close() };
await using program = await serveProgram(folder.path);
await using desk = await openDesk(folder.path);
mkdirSync(OUT, { recursive: true });
for (const colorScheme of ["light", "dark"] as const) {
  const page = await browser.newPage({ viewport: SIZE, colorScheme });
  const session = await page.context().newCDPSession(page);
  const shoot = async (name: string, url: string) => {
    await page.goto(url);
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 80 });
    writeFileSync(join(OUT, `${name}-${colorScheme}.webp`), Buffer.from(data, "base64"));
  };
  await shoot("page", program.url);
  await page.goto(desk.address);
  await shoot("desk", `${desk.origin}/findings?topic=pricing`);
  await page.close();
}
