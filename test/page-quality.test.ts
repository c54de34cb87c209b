/** Every page by the checkers of the field: axe for accessibility, the Nu checker for HTML, SVG and CSS. */
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import axe from "axe-core";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { UNNAMED_BUSINESS } from "../src/business.ts";
import { renderAssets } from "../src/page/asset/asset-files.ts";
import { renderErrorPage } from "../src/page/error-page.ts";
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

const folders = [temporaryFolder(), temporaryFolder(), temporaryFolder(), temporaryFolder()] as const;
let sites: Site[] = [];

/** The addresses of every kind of page, with the newest review's among them where there is one. */
async function pathsOf({ url }: Served): Promise<string[]> {
  const { reviews } = JSON.parse((await ask(`${url}/reviews.json`)).text) as { reviews: { id: string }[] };
  const [first] = reviews;
  return [
    "/",
    "/reviews",
    "/reviews?query=zzzz",
    "/reviews?rating=5&reply=with&since=2020-01-01&query=e",
    "/reviews?offset=20",
    "/reviews?limit=3&offset=3",
    "/reviews?rating=9",
    "/docs",
    "/embed",
    "/embed/reviews",
    "/not-there",
    ...(first === undefined ? [] : [`/reviews/${first.id}`]),
  ];
}

/** A business whose customers write German, one of whose reviews was removed; gives the address of that one. */
async function germanFolder(path: string): Promise<string> {
  const reviews = Array.from({ length: 45 }, (_, index) => ({
    id: `g${index}`,
    author: `Jörg Übermaß ${index}`,
    rating: 5 - (index % 5),
    date: `2026-02-${String(1 + (index % 28)).padStart(2, "0")}`,
    text: index % 3 === 0 ? null : `Kam pünktlich und arbeitete sauber, Termin ${index}. On time, but too expensive.`,
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
  const { reviews: published } = await datasetOf(path);
  const id = published.at(-1)?.id ?? "";
  const removed = await run(path, ["remove", id]);
  assert.equal(removed.code, 0, removed.stderr);
  return `/reviews/${id}`;
}

async function datasetOf(path: string): Promise<{ reviews: { id: string }[] }> {
  const program = await serveProgram(path);
  const dataset = JSON.parse((await ask(`${program.url}/reviews.json`)).text) as { reviews: { id: string }[] };
  await program.stop();
  return dataset;
}

/** Serves every error as a page, in English before the first edition and in German: some have no address of their own. */
async function openErrors(): Promise<{ readonly url: string; readonly close: () => void }> {
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
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
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
  for (const [name, { path }] of [
    ["the sample", sample],
    ["hostile reviews", hostile],
    ["no reviews, in German", empty],
  ] as const) {
    const program = await serveProgram(path);
    sites.push({ name, program, paths: await pathsOf(program) });
  }
  const removed = await germanFolder(german.path);
  const program = await serveProgram(german.path);
  sites.push({ name: "reviews in German", program, paths: [...(await pathsOf(program)), removed] });
  errors = await openErrors();
});

after(async () => {
  errors.close();
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
    ["hostile reviews", "dark", 1280],
    ["no reviews, in German", "dark", 1280],
    ["reviews in German", "light", 1280],
    ["reviews in German", "dark", 320],
  ] as const;

  /** What axe has to say of a page, with everything unfolded. */
  async function violationsAt(url: string, options: BrowserContextOptions): Promise<string[]> {
    const page = await browser.newPage({ ...options, bypassCSP: true });
    await page.goto(url);
    await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
    // Sections out of sight are laid out when they are scrolled to; until then axe finds targets without a size in them.
    await page.evaluate(
      'for (const section of document.querySelectorAll("section")) section.style.contentVisibility = "visible"',
    );
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate(
      `axe.run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ["violations"] })`,
    )) as { violations: Violation[] };
    await page.close();
    return violations.map(({ id, nodes }) => `${new URL(url).pathname}: ${id} ${nodes[0]?.html.slice(0, 200)}`);
  }

  test("finds nothing on the page of any error", async () => {
    const found: string[] = [];
    for (const path of ERRORS) {
      const colorScheme = path.startsWith("/de") ? "dark" : "light";
      found.push(
        ...(await violationsAt(`${errors.url}${path}`, { colorScheme, viewport: { width: 390, height: 800 } })),
      );
    }
    assert.deepEqual(found, []);
  });

  for (const [name, scheme, width] of PASSES) {
    test(`finds nothing on any page with ${name}, ${scheme}, ${width} px wide`, async () => {
      const found: string[] = [];
      const site = sites.find((one) => one.name === name);
      assert.ok(site !== undefined);
      for (const path of site.paths) {
        const options = { colorScheme: scheme, viewport: { width, height: 800 } } as const;
        found.push(...(await violationsAt(`${site.program.url}${path}`, options)));
      }
      assert.deepEqual(found, []);
    });
  }

  test("on German pages only customers' words and what the analysis writes are in another language, and say so", async () => {
    const site = sites.find(({ name }) => name === "reviews in German");
    assert.ok(site !== undefined);
    const page = await browser.newPage();
    await page.goto(`${site.program.url}/`);
    assert.equal(await page.locator("html").getAttribute("lang"), "de");
    const english = await page.locator('main [lang="en"]').allTextContents();
    assert.ok(english.includes("Punctuality"));
    assert.ok(english.some((words) => words.startsWith("Müller & Söhne Haustechnik averages")));
    const german = await page.evaluate(`(() => {
      for (const element of document.querySelectorAll('[lang="en"], .words, q, blockquote, title, desc, a[href$=".json"]')) element.remove();
      return document.querySelector("main").textContent;
    })()`);
    assert.doesNotMatch(String(german), /\b(?:the|reviews?|customers?|praise|punctuality|pricing)\b/i);
    await page.close();
  });

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
  timeout: 600_000, // Java starts once and reads some eighty files: minutes where the processor is shared
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
  for (const [number, path] of ERRORS.entries()) {
    const file = join(folder.path, `error-${number}.html`);
    writeFileSync(file, (await ask(`${errors.url}${path}`)).body);
    files.push(file);
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
