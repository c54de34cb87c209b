/**
 * Makes the JavaScript of the package, before `npm pack`: the program in a few files in `dist/`, its dependencies left
 * to npm. Node runs TypeScript as it is, but not below node_modules, where an installed package lies.
 */
import { readFileSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { build, type Plugin } from "esbuild";

const ROOT = join(import.meta.dirname, "..");
const OUT = join(ROOT, "dist");

/**
 * What a file finds by its own address stays where it is (the sample, taxonomies, style sheets): its address is put in
 * for `import.meta.url`. The file of a worker thread becomes one of `dist/`.
 */
const keepAddresses: Plugin = {
  name: "keep-addresses",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const address = `new URL(${JSON.stringify(relative(OUT, path).replaceAll("\\", "/"))}, import.meta.url).href`;
      const threads = readFileSync(path, "utf8").replaceAll(
        /new URL\("\.\/([\w-]+)\.ts", import\.meta\.url\)/g,
        'new URL("./$1.js", IN_DIST)',
      );
      const contents = threads.replaceAll("import.meta.url", address).replaceAll("IN_DIST", "import.meta.url");
      return { contents, loader: "ts", resolveDir: dirname(path) };
    });
  },
};

rmSync(OUT, { recursive: true, force: true });
await build({
  absWorkingDir: ROOT,
  entryPoints: {
    goodword: "src/app/command/command-line.ts",
    "edition-worker-thread": "src/app/edition-worker-thread.ts",
  },
  outdir: OUT,
  bundle: true,
  splitting: true,
  packages: "external",
  format: "esm",
  platform: "node",
  target: "node24",
  plugins: [keepAddresses],
  logLevel: "warning",
});
