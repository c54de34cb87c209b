/**
 * Builds the program into `dist/`: Node also runs its TypeScript, but needs most of a start to find and link several
 * hundred files. Plain JavaScript, because an old Node may run it.
 *
 *   npm run build                         with the dependencies, for this folder. `npm ci` runs it as `postprepare`,
 *                                         because npm asks those who install the package to approve a `prepare`
 *   node scripts/build.js --package       without the dependencies, for `npm pack` and the container
 *   node scripts/build.js --file-search   only the search in the browser, to standard output
 */
import { existsSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** The command line, each worker thread, and each process of its own. */
const ENTRY_POINTS = ["src/app/command/command-line.ts", "src/**/*-thread.ts", "src/**/*-process.ts"];

/** CommonJS among the dependencies calls this. */
const REQUIRE =
  'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);';

/** Less to keep in memory: V8 holds the text of every file that it loads, once in each thread. Names stay, for the log. */
const SHORT = { minifyWhitespace: true, minifySyntax: true, lineLimit: 200, legalComments: "none" };

/** Of zod's fifty languages of messages only English is used. */
const ENGLISH_ZOD = {
  name: "English of zod",
  setup: ({ onResolve }) =>
    onResolve({ filter: /locales\/index\.js$/ }, ({ resolveDir }) => ({ path: join(resolveDir, "../locales/en.js") })),
};

/** The search of exported pages in the browser. */
const FILE_SEARCH = {
  absWorkingDir: ROOT,
  entryPoints: ["src/page/file-search.ts"],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
};

const isPackage = process.argv.includes("--package");

const esbuild = await import("esbuild").catch((error) => {
  if (isPackage || error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  console.warn(
    "esbuild, an optional dependency, is not installed: the program runs from its TypeScript and starts later.",
  );
});

if (esbuild !== undefined && process.argv.includes("--file-search")) {
  const { outputFiles } = await esbuild.build({ ...FILE_SEARCH, write: false });
  process.stdout.write(outputFiles[0].contents);
} else if (esbuild !== undefined) {
  const out = join(ROOT, "dist");
  const part = `${out}.${process.pid}.part`;
  const startedAt = Date.now();
  try {
    const program = {
      absWorkingDir: ROOT,
      entryPoints: ENTRY_POINTS,
      entryNames: "[name]",
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      target: "node24",
      ...SHORT,
      plugins: [ENGLISH_ZOD],
      ...(isPackage ? { packages: "external" } : { banner: { js: REQUIRE } }),
      external: ["pg-native", "pg-cloudflare"], // optional parts of pg
      logLevel: "warning",
    };
    const inputs = [];
    for (const options of [program, FILE_SEARCH]) {
      const { metafile } = await esbuild.build({ ...options, outdir: part, metafile: true });
      inputs.push(...Object.keys(metafile.inputs).filter((file) => !file.includes("node_modules/")));
    }
    const files = ["package-lock.json", "scripts/build.js", ...inputs].filter((file) => existsSync(join(ROOT, file)));
    const sources = [...new Set(files)].map((file) => {
      const { size, mtimeMs } = statSync(join(ROOT, file));
      return [file, size, mtimeMs > startedAt ? null : mtimeMs]; // null: it was saved during the build
    });
    writeFileSync(join(part, "sources.json"), JSON.stringify(sources));
    rmSync(out, { recursive: true, force: true });
    renameSync(part, out);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}
