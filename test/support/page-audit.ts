/** What the checkers of the field say of pages: axe of accessibility, the Nu checker of HTML, SVG and CSS. */
import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import type { Page } from "playwright-core";

const resolve = createRequire(import.meta.url).resolve;

/** Minified: it is compiled for each page anew. */
const AXE = readFileSync(resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What the rules of WCAG 2.2 AA and of best practice are called. */
const EVERY_RULE = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] };

/** The rules that look at colours and sizes; to all others a page is the same in every scheme and width. */
const RULES_OF_THE_LAYOUT = {
  type: "rule",
  values: ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"],
};

/** Unfolds everything and lays out what is out of sight, because axe finds targets without a size in what is not. */
const SHOW_EVERYTHING = `
  for (const one of document.querySelectorAll("details")) one.open = true;
  for (const one of document.querySelectorAll("section")) one.style.contentVisibility = "visible";`;

/** Gives what makes the page scroll sideways: the innermost elements that end farthest to the right, or null. */
const FIND_EXCESS = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth === clientWidth) return null;
  const wide = [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right >= scrollWidth - 1);
  return [scrollWidth, ...wide.slice(-2).map((one) => one.outerHTML.slice(0, 150))].join(" ");
})()`;

/** The markup without its words: pages of one shape are one page to rules about markup and layout. */
export function shapeOf(page: string): string {
  return page.replaceAll(/>[^<]+</g, "><").replaceAll(/ (?:content|title)="[^"]*"/g, "");
}

/** Its elements without their words and most values: what tells states of one page apart. */
export function kindsOf(page: string): readonly string[] {
  return [...page.matchAll(/<[a-z][^>]*>/g)].map(([tag]) =>
    tag.replaceAll(/( (?!class|type|role)[\w-]+)="[^"]*"/g, "$1"),
  );
}

/** Prepares the tab for the page that `auditPage` is to see. Its context must bypass the page's policy. */
export async function showLargeAndLight(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** Whether every page is audited in every language and both forms, which takes two minutes more. */
export const IS_WHOLE_AUDIT = process.env.GOODWORD_AUDIT === "whole";

/** Of pages in a row one is audited large, the next small, unless the audit is whole. */
export function formsOf(at: number): { readonly isLarge: boolean; readonly isSmall: boolean } {
  return { isLarge: IS_WHOLE_AUDIT || at % 2 === 0, isSmall: IS_WHOLE_AUDIT || at % 2 === 1 };
}

/**
 * Audits the page that a tab shows, large and light by every rule, small and dark by those of the layout; the small
 * one must not scroll sideways. Style sheets are not loaded for axe once more (`preload`): no rule that runs reads
 * them. Gives what was found, each finding with the name. One of the two will do where a page is audited in several
 * languages: words change the layout, and hardly the markup.
 */
export async function auditPage(
  page: Page,
  name: string,
  { isLarge = true, isSmall = true }: { readonly isLarge?: boolean; readonly isSmall?: boolean } = {},
): Promise<string[]> {
  const found: string[] = [];
  const run = async (scheme: "light" | "dark", width: number, runOnly: object): Promise<void> => {
    const { violations } = (await page.evaluate(
      `axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ["violations"], iframes: false, preload: false })`,
    )) as { violations: Violation[] };
    found.push(
      ...violations.map(({ id, nodes }) => `${name} ${scheme} ${width}: ${id} ${nodes[0]?.html.slice(0, 200)}`),
    );
  };
  await page.evaluate(SHOW_EVERYTHING);
  if (!isLarge && !isSmall) return found;
  await page.evaluate(AXE);
  if (isLarge) await run("light", 1280, EVERY_RULE);
  if (!isSmall) return found;
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 320, height: 800 });
  await run("dark", 320, RULES_OF_THE_LAYOUT);
  const wide = await page.evaluate(FIND_EXCESS);
  if (wide !== null) found.push(`${name} scrolls sideways at 320 px: ${String(wide)}`);
  return found;
}

/** Why the Nu checker cannot run here, or false. */
export const withoutJava = ((): string | false => {
  try {
    execFileSync("java", ["-version"], { stdio: "ignore" });
    return false;
  } catch {
    return "there is no Java here (Debian: apt-get install default-jre-headless)";
  }
})();

/** Java starts once and reads some eighty files: minutes where the processor is shared. */
export const NU_TIMEOUT_MS = 600_000;

/** The errors and warnings of the Nu checker in files of HTML, SVG and CSS, each once. */
export async function nuMessages(files: readonly string[]): Promise<string[]> {
  const checker = [
    ...["-Xss4m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"], // for one short run on few cores
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
  const told = messages.map(
    ({ url, message, extract }) => `${url.slice(-10)}: ${message} ${extract?.slice(0, 120) ?? ""}`,
  );
  return [...new Set(told)];
}
