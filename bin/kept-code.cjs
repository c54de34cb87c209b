// Runs a script of the built program, with the code that V8 has made of it in an earlier process. Node's own compile
// cache has of a module only what V8 compiles at once, which is little: a function is compiled when it is first called.
// Here the code is kept after the script has worked, so that it has all functions that were called.
"use strict";
const { readFileSync, renameSync, rmSync, statSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
const { cachedDataVersionTag } = require("node:v8");
const { constants, Script } = require("node:vm");
const { isMainThread } = require("node:worker_threads");

// By then, a thread has done once what it is for.
const THREAD_MS = 2_000;
const DAY_MS = 86_400_000;

/**
 * Runs `NAME.script.js` of a folder, and returns what it exports. The code is kept beside it, in a file of its own for
 * each version and kind of V8: by a command when it has succeeded, by a thread after `threadMs`. It is kept
 * anew once a day, with what is there already: the first command may have called little. Where nothing can be kept, or V8
 * refuses what is kept, the script is compiled as any other.
 */
exports.run = (folder, name, threadMs = THREAD_MS) => {
  const path = join(folder, `${name}.script.js`);
  const kept = join(folder, `${name}.${versionTag()}.code`);
  const { cachedData, isOld } = readKept(kept);
  const script = new Script(readFileSync(path, "latin1"), {
    filename: path,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(path), module, pathToFileURL(path).href);
  if (isOld || script.cachedDataRejected) keepLater(() => keep(script, kept), threadMs);
  return module.exports;
};

function readKept(path) {
  try {
    return { cachedData: readFileSync(path), isOld: Date.now() - statSync(path).mtimeMs > DAY_MS };
  } catch {
    return { cachedData: undefined, isOld: true }; // nothing has been kept yet
  }
}

function keepLater(keepNow, threadMs) {
  if (isMainThread) process.once("exit", (code) => code === 0 && keepNow());
  else setTimeout(keepNow, threadMs).unref();
}

function keep(script, path) {
  const part = `${path}.${process.pid}.part`;
  try {
    const code = script.createCachedData();
    if (!path.includes(`.${versionTag()}.`)) return; // made with other settings of V8 than those it would be read with
    writeFileSync(part, code);
    renameSync(part, path);
  } catch {
    rmSync(part, { force: true }); // the folder may not be written
  }
}

// Changes with the version of V8, its settings and the kind of processor.
function versionTag() {
  return cachedDataVersionTag().toString(16);
}
