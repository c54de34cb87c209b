// Runs a script of the built program, with the code that V8 has made of it in an earlier process. Node's own compile
// cache has of a module only what V8 compiles at once, which is little: a function is compiled when it is first called.
// Here the code is kept after the script has worked, so that it has the functions that were called.
"use strict";
const { accessSync, constants: modes, readFileSync, renameSync, rmSync, statSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
const { cachedDataVersionTag } = require("node:v8");
const { constants, Script } = require("node:vm");
const { isMainThread } = require("node:worker_threads");
const { crc32 } = require("node:zlib");

// By then, the thread that renders has rendered.
const THREAD_MS = 2_000;
const DAY_MS = 86_400_000;
const SUM_BYTES = 4;

/**
 * Runs `NAME.script.js` of a folder, and returns what it exports. The code is kept beside it, in a file of its own for
 * each version and kind of V8: by a command when it has succeeded, by a thread after `threadMs`. It is kept anew once a
 * day, if there is more of it: the first command may have called little. Where nothing can be kept, or what is kept is
 * damaged or refused by V8, the script is compiled as any other.
 */
exports.run = (folder, name, threadMs = THREAD_MS) => {
  const path = join(folder, `${name}.script.js`);
  const kept = { folder, path: join(folder, `${name}.${versionTag()}.code`) };
  const { cachedData, isOld } = readKept(kept.path);
  const script = new Script(readFileSync(path, "utf8"), {
    filename: path,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(path), module, pathToFileURL(path).href);
  const isUsed = cachedData !== undefined && script.cachedDataRejected !== true;
  const leastBytes = isUsed ? cachedData.length : 0;
  if (isOld || !isUsed) keepLater(() => keep(script, kept, leastBytes), threadMs);
  return module.exports;
};

// V8 does not look whether code is damaged (only its length), and may crash on it.
function readKept(path) {
  try {
    const bytes = readFileSync(path);
    const cachedData = bytes.subarray(0, -SUM_BYTES);
    if (bytes.readUInt32LE(cachedData.length) !== crc32(cachedData)) return { cachedData: undefined, isOld: true };
    return { cachedData, isOld: Date.now() - statSync(path).mtimeMs > DAY_MS };
  } catch {
    return { cachedData: undefined, isOld: true }; // nothing has been kept yet
  }
}

function keepLater(keepNow, threadMs) {
  if (isMainThread) process.once("exit", (code) => code === 0 && keepNow());
  else setTimeout(keepNow, threadMs).unref();
}

// Never throws: the command has succeeded, and the thread goes on.
function keep(script, { folder, path }, leastBytes) {
  const part = `${path}.${process.pid}.${process.hrtime.bigint()}.part`;
  try {
    accessSync(folder, modes.W_OK); // before what takes time
    const code = script.createCachedData();
    if (!path.includes(`.${versionTag()}.`)) return; // made with other settings of V8 than those it would be read with
    const isMore = code.length > leastBytes;
    const sum = Buffer.alloc(SUM_BYTES);
    sum.writeUInt32LE(crc32(code));
    writeFileSync(part, isMore ? Buffer.concat([code, sum]) : readFileSync(path), { flag: "wx" });
    renameSync(part, path);
  } catch {
    remove(part);
  }
}

function remove(path) {
  try {
    rmSync(path, { force: true });
  } catch {
    // not allowed, as nothing else is in the folder
  }
}

// Changes with the version of V8, its settings and the kind of processor.
function versionTag() {
  return cachedDataVersionTag().toString(16);
}
