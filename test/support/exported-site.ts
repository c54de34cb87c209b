/** An exported folder as its readers meet it: served by a plain file server, and with every address that its files name. */
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, sep } from "node:path";
import { Parser } from "htmlparser2";
import { listening } from "./loopback.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".xml": "application/xml",
};

/** Serves a folder as hosts of files do: a folder by its index.html, behind a redirect to its slash. */
export async function serveFiles(folder: string): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = createServer((request, answer) => {
    const { pathname, search } = new URL(request.url ?? "/", "http://files");
    const path = join(folder, decodeURIComponent(pathname));
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    if (isFolder && !pathname.endsWith("/")) {
      return void answer.writeHead(301, { Location: `${pathname}/${search}` }).end();
    }
    const file = isFolder ? join(path, "index.html") : path;
    if (!existsSync(file)) return void answer.writeHead(404).end(readFileSync(join(folder, "404.html")));
    answer.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(answer);
  });
  const listens = await listening(server);
  return { ...listens, url: `http://127.0.0.1:${listens.port}` };
}

/** The headings of the reviews on a page of the list, and the address of the page after it. */
export function readListPage(markup: string): { readonly headings: readonly string[]; readonly next: string | null } {
  const headings: string[] = [];
  let next: string | null = null;
  let depth = 0; // above 0 inside the heading of a review
  const parser = new Parser({
    onopentag(name, { rel, href }) {
      if (rel === "next") next = href ?? null;
      if (name === "h3") headings.push("");
      if (name === "h3" || depth > 0) depth++;
    },
    ontext(text) {
      if (depth > 0) headings.push(`${headings.pop()}${text}`);
    },
    onclosetag() {
      if (depth > 0) depth--;
    },
  });
  parser.end(markup.slice(markup.indexOf('id="results"')).split("<template")[0]);
  return { headings: headings.map((heading) => heading.trim()), next };
}

/** One address that a file names, and that no file answers. */
export interface DeadLink {
  readonly file: string;
  readonly address: string;
}

/** Every address of the site itself, in pages, data, feeds and plain text, to which there is no file or no such part. */
export function findDeadLinks(folder: string, baseUrl: string): DeadLink[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith(".goodword"))
    .map(({ parentPath, name }) => join(parentPath, name));
  const pages = new Map<string, Page>();
  const pageOf = (file: string) => {
    const page = pages.get(file) ?? readPage(readFileSync(file, "utf8"));
    pages.set(file, page);
    return page;
  };
  return files.flatMap((file) => {
    if (/\.(png|css)$/.test(file)) return [];
    const base = `${baseUrl}/${file
      .slice(folder.length + 1)
      .split(sep)
      .join("/")}`.replace(/\/index\.html$/, "/");
    const links = new Set(file.endsWith(".html") ? pageOf(file).links : []);
    const text = file.endsWith(".js") ? "" : readFileSync(file, "utf8").replaceAll(/&(quot|lt|gt);/g, " ");
    const addresses = new Set([...links, ...(text.match(addressPattern(baseUrl)) ?? [])]);
    return [...addresses]
      .filter((address) => {
        const url = URL.parse(address, base);
        if (url === null || url.origin !== new URL(baseUrl).origin) return false;
        const target = fileAt(folder, decodeURIComponent(url.pathname));
        if (target === undefined) return true;
        const part = links.has(address) ? decodeURIComponent(url.hash.slice(1)) : ""; // elsewhere, a name of a thing
        return part !== "" && target.endsWith(".html") && !pageOf(target).parts.has(part);
      })
      .map((address) => ({ file: file.slice(folder.length + 1), address }));
  });
}

function fileAt(folder: string, path: string): string | undefined {
  const file = join(folder, path);
  return [file, join(file, "index.html")].find((each) => statSync(each, { throwIfNoEntry: false })?.isFile() === true);
}

function addressPattern(baseUrl: string): RegExp {
  return new RegExp(`${baseUrl.replaceAll(".", "\\.")}[^\\s"'<>\\\\)]*`, "g");
}

interface Page {
  readonly links: readonly string[];
  readonly parts: ReadonlySet<string>;
}

/** What a page links to, loads or sends its forms to, and the parts of it that can be linked to. */
function readPage(text: string): Page {
  const links: string[] = [];
  const parts = new Set<string>();
  const parser = new Parser({
    onopentag(name, { id, rel, href, src, action, content, property }) {
      if (id !== undefined) parts.add(id);
      const isAddress = name === "meta" && /^og:(url|image)$/.test(property ?? "");
      for (const address of [href, src, action, isAddress ? content : undefined])
        if (address !== undefined && rel !== "preconnect") links.push(address);
    },
  });
  parser.end(text);
  return { links, parts };
}
