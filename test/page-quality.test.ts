/** Every page by the checkers of the field: axe for accessibility, the Nu checker for HTML, SVG and CSS. */
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import axe from "axe-core";
import type { Browser } from "playwright-core";
import { openChromium, withoutChromium } from "./chromium.ts";
import { hostileFolder } from "./hostile-business.ts";
import { run, type Served, serveProgram, temporaryFolder } from "./program.ts";
import { ask } from "./wire.ts";

const resolve = createRequire(import.meta.url).resolve;

interface Site {
  readonly name: string;
  readonly program: Served;
  readonly paths: readonly string[];
}

const folders = [temporaryFolder(), temporaryFolder(), temporaryFolder()] as const;
let sites: Site[] = [];

/** The addresses of every kind of page, with the newest review's among them where there is one. */
async function pathsOf({ url }: Served): Promise<string[]> {
  const { reviews } = JSON.parse((await ask(`${url}/reviews.json`)).text) as { reviews: { id: string }[] };
  const [first] = reviews;
  return [
    "/",
    "/reviews",
    "/reviews?query=zzzz",
    "/reviews?rating=9",
    "/docs",
    "/embed",
    "/embed/reviews",
    "/not-there",
    ...(first === undefined ? [] : [`/reviews/${first.id}`]),
  ];
}

before(async () => {
  const [sample, hostile, empty] = folders;
  await run(hostile.path, ["import", hostileFolder(hostile.path)]);
  writeFileSync(join(empty.path, "business.yaml"), "name: Leer & Neu\ntime_zone: Europe/Berlin\nlanguage: de\n");
  await run(empty.path, ["import", join(empty.path, "business.yaml")]);
  for (const [name, { path }] of [
    ["the sample", sample],
    ["hostile reviews", hostile],
    ["no reviews, in German", empty],
  ] as const) {
    const program = await serveProgram(path);
    sites.push({ name, program, paths: await pathsOf(program) });
  }
});

after(async () => {
  for (const { program } of sites) await program.stop();
  for (const folder of folders) folder[Symbol.dispose]();
  sites = [];
});

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

describe("axe", { skip: withoutChromium }, () => {
  const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  let browser: Browser;
  before(async () => {
    browser = await openChromium();
  });
  after(async () => await browser.close());

  const PASSES = [
    ["the sample", "light", 1280],
    ["the sample", "dark", 320],
    ["hostile reviews", "light", 320],
    ["no reviews, in German", "dark", 1280],
  ] as const;

  for (const [name, scheme, width] of PASSES) {
    test(`finds nothing on any page with ${name}, ${scheme}, ${width} px wide`, async () => {
      const found: string[] = [];
      const site = sites.find((one) => one.name === name);
      assert.ok(site !== undefined);
      for (const path of site.paths) {
        const page = await browser.newPage({ colorScheme: scheme, viewport: { width, height: 800 }, bypassCSP: true });
        await page.goto(`${site.program.url}${path}`);
        await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
        await page.evaluate(axe.source);
        const { violations } = (await page.evaluate(
          `axe.run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ["violations"] })`,
        )) as { violations: Violation[] };
        for (const { id, nodes } of violations) found.push(`${path}: ${id} ${nodes[0]?.html.slice(0, 200)}`);
        await page.close();
      }
      assert.deepEqual(found, []);
    });
  }

  test("no page scrolls sideways at 320 px, whatever customers write", async () => {
    const wide: string[] = [];
    for (const { name, program, paths } of sites) {
      for (const path of paths) {
        const page = await browser.newPage({ viewport: { width: 320, height: 800 } });
        await page.goto(`${program.url}${path}`);
        await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
        const excess = await page.evaluate(
          "document.documentElement.scrollWidth - document.documentElement.clientWidth",
        );
        if (excess !== 0) wide.push(`${name} ${path}: ${excess} px`);
        await page.close();
      }
    }
    assert.deepEqual(wide, []);
  });
});

/** Why the Nu checker cannot run here, or false. */
const withoutJava = ((): string | false => {
  try {
    execFileSync("java", ["-version"], { stdio: "ignore" });
    return false;
  } catch {
    return "there is no Java here (Debian: apt-get install default-jre-headless)";
  }
})();

test("the Nu checker finds no error and no warning in any page, style sheet or picture", {
  skip: withoutJava,
}, async () => {
  const folder = temporaryFolder();
  using _ = folder;
  const files: string[] = [];
  for (const [index, { program, paths }] of sites.entries()) {
    const directory = join(folder.path, String(index));
    mkdirSync(directory);
    const assets = ["/assets/style.css", "/assets/embed.css", "/assets/icon.svg", "/embed/badge.svg"];
    for (const [number, path] of [...paths, ...assets].entries()) {
      const ending = /\.(?:svg|css)$/.exec(path)?.[0] ?? ".html";
      const file = join(directory, `${number}${ending}`);
      writeFileSync(file, (await ask(`${program.url}${path}`, { headers: { Accept: "text/html" } })).body);
      files.push(file);
    }
  }
  const checker = [
    "-Xss4m",
    "-jar",
    resolve("vnu-jar/build/dist/vnu.jar"),
    "--format",
    "json",
    "--exit-zero-always",
    "--also-check-svg",
    "--also-check-css",
  ];
  const { stderr } = await promisify(execFile)("java", [...checker, ...files], { maxBuffer: 50_000_000 });
  const { messages } = JSON.parse(stderr) as { messages: { url: string; message: string; extract?: string }[] };
  const unknown = /Unrecognized at-rule “@view-transition”/; // CSS View Transitions 2: younger than the checker's CSS
  const told = messages
    .filter(({ message }) => !unknown.test(message))
    .map(({ url, message, extract }) => `${url.slice(-10)}: ${message} ${extract?.slice(0, 120) ?? ""}`);
  assert.deepEqual([...new Set(told)], []);
});
