/** The pages' style sheets and scripts, read once from the files in this folder. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Document, makeDocument } from "../../edition/document.ts";
import { PROGRAM_FOLDER } from "../../program-folder.ts";
import { starPath } from "../chart/star-path.ts";
import { accents, DEFAULT_COLOR } from "./accent.ts";

const read = (name: string) => readFileSync(join(PROGRAM_FOLDER, "src/page/asset", name), "utf8");

const STYLE = read("style.css");
const EMBED_STYLE = read("embed.css");
const SCRIPTS = ["reviews.js", "docs.js", "starting.js"] as const;
const SCRIPT_TYPE = "text/javascript; charset=utf-8";
const TEXT_TYPE = "text/plain; charset=utf-8";
const STYLE_TYPE = "text/css; charset=utf-8";

/** Renders the pages' assets in the business's colour: style sheets, scripts and the icon. */
export function renderAssets(color: string = DEFAULT_COLOR): Document[] {
  const { light, dark } = accents(color);
  const variables = `:root{--accent:${light};--accent-dark:${dark}}\n`;
  return [
    makeDocument("/assets/style.css", STYLE_TYPE, variables + minified(STYLE)),
    makeDocument("/assets/embed.css", STYLE_TYPE, minified(EMBED_STYLE)),
    ...SCRIPTS.map((name) => makeDocument(`/assets/${name}`, SCRIPT_TYPE, read(name))),
    makeDocument("/assets/copy.ts", TEXT_TYPE, read("copy-ts.txt")),
    makeDocument("/assets/goodword_copy.py", TEXT_TYPE, read("copy-py.txt")),
    makeDocument("/assets/receiver.mjs", TEXT_TYPE, read("receiver-mjs.txt")),
    makeDocument("/embed/goodword.js", SCRIPT_TYPE, read("goodword.js")),
    makeDocument("/assets/icon.svg", "image/svg+xml", renderIcon(light)),
  ];
}

/** The script that searches the review list in the browser on a static host (`page/file-search.ts`), bundled. */
export function renderFileSearchScript(): Document {
  return makeDocument("/assets/file-search.js", SCRIPT_TYPE, fileSearchScript());
}

/** The script built with this program, or bundled now if the program runs from its sources. */
function fileSearchScript(): string {
  if (!import.meta.filename.endsWith(".ts")) return readFileSync(join(import.meta.dirname, "file-search.js"), "utf8");
  const build = join(PROGRAM_FOLDER, "scripts", "build.js");
  return execFileSync(process.execPath, [build, "--file-search"], { encoding: "utf8" });
}

/** The desk's own style sheet and script, which the published pages do without. */
export function renderDeskAssets(): Document[] {
  return [
    makeDocument("/assets/desk.css", STYLE_TYPE, minified(read("desk.css"))),
    makeDocument("/assets/desk.js", SCRIPT_TYPE, read("desk.js")),
  ];
}

/** Removes comments and indentation from a style sheet. */
function minified(css: string): string {
  return css
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\n\s*/g, "\n")
    .trim();
}

/** The pages' icon as SVG: a star in the accent colour on a 32 × 32 square. */
function renderIcon(color: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${color}"/><path fill="#fff" transform="translate(3.5 3.2) scale(1.25)" d="${starPath(0, 1)}"/></svg>`;
}
