/**
 * The program in a few files of JavaScript. Node runs the TypeScript as it is, but finds, reads and links several
 * hundred files for it at every start, which takes longer than all else that a start does.
 */
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { build, type Plugin } from "esbuild";

const ROOT = join(import.meta.dirname, "..");

/**
 * What a file finds by its own address stays where it is (the sample, taxonomies, style sheets): its address is put in
 * for `import.meta.url`. The file of a worker thread becomes one of the bundle.
 */
function keepAddresses(out: string): Plugin {
  return {
    name: "keep-addresses",
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        if (!path.startsWith(join(ROOT, "src"))) return undefined;
        const address = `new URL(${JSON.stringify(relative(out, path).replaceAll("\\", "/"))}, import.meta.url).href`;
        const threads = readFileSync(path, "utf8").replaceAll(
          /new URL\("\.\/([\w-]+)\.ts", import\.meta\.url\)/g,
          'new URL("./$1.js", IN_BUNDLE)',
        );
        // Of `{ z }` esbuild keeps every member, the messages in fifty languages among them.
        const shaken = threads.replace('import { z } from "zod"', 'import * as z from "zod"');
        const contents = shaken.replaceAll("import.meta.url", address).replaceAll("IN_BUNDLE", "import.meta.url");
        return { contents, loader: "ts", resolveDir: dirname(path) };
      });
    },
  };
}

/**
 * `import "node:http"` reads every member of that module, and one of them loads the whole of `fetch`: 0.1 s and 15 MB.
 * `require` reads only what is used.
 */
const requireHttp: Plugin = {
  name: "require-http",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?https?$/ }, ({ path, kind }) =>
      kind === "import-statement" ? { path, namespace: "required" } : { path, external: true },
    );
    onLoad({ filter: /.*/, namespace: "required" }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)})`,
    }));
  },
};

/**
 * What is bundled, in parts that share no file: the program, and each thread. With the program's files cut where the
 * threads share them, a thread had to find and link five times as many.
 */
const PARTS = {
  program: {
    "early-notice": "src/app/terminal/early-notice.ts",
    goodword: "src/app/command/command-line.ts",
  },
  analysis: { "analysis-thread": "src/analysis/analysis-thread.ts" },
  edition: { "edition-worker-thread": "src/app/publishing/edition-worker-thread.ts" },
} as const;

type Part = keyof typeof PARTS;

/** What is the same for all parts. `tag`, if there is one, is that of all sources: the program need not look at them again. */
interface BundleSettings {
  readonly packages: "bundle" | "external";
  readonly tag?: string | undefined;
}

/** Puts the bundle into the folder `out`: `goodword.js` and what it imports, and the threads. */
export async function bundle(out: string, packages: BundleSettings["packages"], tag?: string): Promise<void> {
  for (const part of Object.keys(PARTS) as Part[]) await bundlePart(out, part, { packages, tag });
}

async function bundlePart(out: string, part: Part, { packages, tag }: BundleSettings): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: PARTS[part],
    outdir: out,
    chunkNames: `${part}-[name]-[hash]`,
    bundle: true,
    splitting: true,
    packages,
    external: ["pg-native", "pg-cloudflare"], // pg asks for them where they are, and optional packages may be left out
    define: tag === undefined ? {} : { SOURCE_TAG: JSON.stringify(tag) },
    banner:
      packages === "external"
        ? {}
        : {
            js: 'import { createRequire as requireFrom } from "node:module"; const require = (name) => process.getBuiltinModule(name) ?? requireFrom(import.meta.url)(name);',
          },
    format: "esm",
    platform: "node",
    target: "node24",
    plugins: packages === "external" ? [keepAddresses(out)] : [keepAddresses(out), requireHttp],
    logLevel: "warning",
  });
}
