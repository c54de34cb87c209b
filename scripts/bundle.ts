/**
 * The program in a few files of JavaScript. Node runs the TypeScript as it is, but finds, reads and links several
 * hundred files for it at every start, which takes longer than all else that a start does.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";

const ROOT = join(import.meta.dirname, "..");

/**
 * What a file finds by its own address stays where it is (the sample, taxonomies, style sheets): its address is put in
 * for `import.meta.url`. The file of a worker thread becomes one of the bundle, with this ending.
 */
function keepAddresses(out: string, threads: ".js" | ".cjs", command?: string): Plugin {
  return {
    name: "keep-addresses",
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        if (!path.startsWith(join(ROOT, "src"))) return undefined;
        const address = `new URL(${JSON.stringify(relative(out, path).replaceAll("\\", "/"))}, import.meta.url).href`;
        const text = readFileSync(path, "utf8").replaceAll(
          /new URL\("\.\/([\w-]+)\.ts", import\.meta\.url\)/g,
          `new URL("./$1${threads}", IN_BUNDLE)`,
        );
        // Of `{ z }` esbuild keeps every member, the messages in fifty languages among them.
        const shaken = text.replace('import { z } from "zod"', 'import * as z from "zod"');
        const loaded = command === undefined ? shaken : withCommand(shaken, command);
        const contents = loaded.replaceAll("import.meta.url", address).replaceAll("IN_BUNDLE", "import.meta.url");
        return { contents, loader: "ts", resolveDir: dirname(path) };
      });
    },
  };
}

/**
 * A text that imports one command at once, and no other: a script is not cut into parts, and what it imports only when
 * it needs it runs more slowly, since its names are not those of the script itself.
 */
function withCommand(text: string, command: string): string {
  const [file, name] = [`"./${command}-command.ts"`, "COMMAND"];
  if (!text.includes(`await import(${file})`)) return text;
  return `import * as ${name} from ${file};\n${text.replaceAll(`await import(${file})`, name)}`;
}

/** Leaves out what a file imports for another command. */
const withoutOthers: Plugin = {
  name: "without-others",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/[\w-]+-commands?\.ts$/ }, ({ path, kind }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};

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

/** The program's first file. What the first answers do not need is put into files of its own. */
const PROGRAM = { goodword: "src/app/command/command-line.ts" };
/** What an import runs before the program. */
const NOTICE = { "early-notice": "src/app/terminal/early-notice.ts" };
/** Each gets a copy of all that it needs: with files that they share, a thread had to find and link five times as many. */
const THREADS = {
  "analysis-thread": "src/analysis/analysis-thread.ts",
  "edition-worker-thread": "src/app/publishing/edition-worker-thread.ts",
};

/** What esbuild is told of all parts. */
const COMMON = {
  absWorkingDir: ROOT,
  bundle: true,
  external: ["pg-native", "pg-cloudflare"], // pg asks for them where they are, and optional packages may be left out
  platform: "node",
  target: "node24",
  logLevel: "warning",
} as const satisfies BuildOptions;

/** Puts what a package has, whose dependencies npm installs, into the folder `out`: modules. */
export async function bundlePackage(out: string): Promise<void> {
  const plugins = [keepAddresses(out, ".js")];
  const threads = Object.entries(THREADS).map(([name, file]) => [name, { [name]: file }] as const);
  for (const [part, entryPoints] of [["program", { ...PROGRAM, ...NOTICE }] as const, ...threads])
    await build({ ...COMMON, ...modulesOf(out, part), entryPoints, packages: "external", plugins });
}

/**
 * Puts the program with its dependencies into the folder `out`: `goodword.js` and what it imports as modules; and as
 * scripts, whose compiled code is kept (`bin/kept-code.cjs`), each in one file, the threads and what an import runs:
 * `early-notice.cjs` and `import.cjs`. `tag` is that of all sources: the program need not look at them again.
 */
export async function bundleProgram(out: string, tag: string): Promise<void> {
  const define = { SOURCE_TAG: JSON.stringify(tag) };
  await build({
    ...COMMON,
    ...modulesOf(out, "program"),
    entryPoints: PROGRAM,
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = (name) => process.getBuiltinModule(name) ?? requireFrom(import.meta.url)(name);',
    },
    define,
    plugins: [keepAddresses(out, ".cjs"), requireHttp],
  });
  await build({
    ...COMMON,
    outdir: out,
    outExtension: { ".js": ".script.js" },
    format: "cjs",
    entryPoints: { ...NOTICE, import: PROGRAM.goodword, ...THREADS },
    banner: { js: "(function (exports, require, module, SCRIPT_URL) {" },
    footer: { js: "})" },
    define: { ...define, "import.meta.url": "SCRIPT_URL" },
    plugins: [keepAddresses(out, ".cjs", "import"), withoutOthers],
  });
  const runner = JSON.stringify(relative(out, join(ROOT, "bin/kept-code.cjs")).replaceAll("\\", "/"));
  for (const name of [...Object.keys(NOTICE), "import", ...Object.keys(THREADS)])
    writeFileSync(join(out, `${name}.cjs`), `module.exports = require(${runner}).run(__dirname, "${name}");\n`);
}

/** What esbuild is told of modules that share files, whose names begin with that of their part. */
function modulesOf(out: string, part: string): BuildOptions {
  return { outdir: out, chunkNames: `${part}-[name]-[hash]`, splitting: true, format: "esm" };
}
