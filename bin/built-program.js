// The program of this repository in a few files, kept in node_modules/.cache and made anew when a file of it has
// changed: so a start need not find, read and link hundreds of files. Deleting the folder is harmless.
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** So many are kept, for a program that still runs loads what it needs from its own. */
const MOST_KEPT = 12;

/**
 * The address of the first file that a command runs, or undefined where none can be made: without esbuild, or in a
 * folder that may not be written.
 */
export async function builtProgram(command) {
  try {
    const modules = realpathSync(join(ROOT, "node_modules"));
    const folder = join(modules, ".cache", "goodword-built");
    const tag = sourceTag();
    const built = join(folder, tag);
    const first = join(built, "goodword.js");
    if (!existsSync(first)) await make(folder, tag); // or it may not be seen by this user, who cannot make it either
    return pathToFileURL(command === "import" ? join(built, "import.cjs") : first).href;
  } catch {
    return undefined;
  }
}

async function make(folder, tag) {
  const built = join(folder, tag);
  mkdirSync(folder, { recursive: true });
  const part = mkdtempSync(`${built}.part-`);
  try {
    const { bundleProgram } = await import("../scripts/bundle.ts");
    await bundleProgram(part, tag);
    writeFileSync(join(part, "package.json"), '{ "type": "module" }\n'); // so that Node need not try what the files are
    chmodSync(part, 0o755); // mkdtemp lets nobody else in: a service may run what another user has installed
    renameSync(part, built);
  } catch (error) {
    if (!existsSync(join(built, "goodword.js"))) throw error; // else another process was first
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
  const age = (name) => Date.now() - statSync(join(folder, name)).mtimeMs;
  const old = readdirSync(folder).sort((a, b) => age(a) - age(b));
  for (const name of old.slice(MOST_KEPT)) rmSync(join(folder, name), { recursive: true, force: true });
}

/**
 * Files outside src that the built program is made of or by.
 * @public A test compares it with what the source imports.
 */
export const BUNDLED_BESIDE_SOURCE = [
  "bin/built-program.js",
  "bin/kept-code.cjs",
  "package.json",
  "package-lock.json",
  "scripts/bundle.ts",
  "taxonomies/words.json",
];

/** Changes when a file does that the program is made of: read from sizes and times, which takes milliseconds. */
function sourceTag() {
  let files = "";
  const add = (file) => {
    const { size, mtimeMs } = statSync(`${ROOT}/${file}`);
    files += `${file}\0${size}\0${mtimeMs}\n`;
  };
  BUNDLED_BESIDE_SOURCE.forEach(add);
  for (const name of readdirSync(join(ROOT, "src"), { recursive: true }).sort()) {
    if (name.endsWith(".ts") && !name.endsWith(".test.ts")) add(`src/${name}`);
  }
  return createHash("sha256")
    .update(`${realpathSync(ROOT)}\0${files}`)
    .digest("hex")
    .slice(0, 20);
}
