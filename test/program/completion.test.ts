/** Help and completion: what a person at a shell finds without the documentation. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { program } from "../../src/app/command/command-line.ts";
import { completionScript } from "../../src/app/terminal/shell-completion.ts";
import { run, temporaryFolder } from "../support/program.ts";

const { commands } = program();

test("every command's help ends with an example that begins with its name", async () => {
  using folder = temporaryFolder();
  const { stdout } = await run(folder.path, ["import", "--help"]);
  assert.match(stdout, /Examples:\n {2}goodword import business\.yaml takeout\.zip\n/);
  for (const command of commands) {
    let help = "";
    command.configureOutput({
      writeOut: (text) => {
        help += text;
      },
    });
    command.outputHelp();
    assert.match(help, new RegExp(`Examples:\\n {2}.*goodword ${command.name()}`), command.name());
  }
});

test("a command that is typed wrong names its own help", async () => {
  using folder = temporaryFolder();
  const { code, stderr } = await run(folder.path, ["remove"]);
  assert.equal(code, 2);
  assert.match(stderr, /missing required argument 'id'\n\(goodword remove --help shows its options and an example\)/);
});

function completed(...words: string[]): string[] {
  const script = completionScript("bash", commands);
  const line = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _goodword; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", `${script}${line}`], { encoding: "utf8" })
    .trim()
    .split("\n");
}

test("bash completes commands, and the options of each", { skip: process.platform === "win32" }, () => {
  assert.deepEqual(completed("goodword", "imp"), ["import"]);
  assert.ok(completed("goodword", "").includes("serve"));
  assert.deepEqual(completed("goodword", "serve", "--w"), ["--workers", "--watch"]);
  assert.deepEqual(completed("goodword", "export", "--p"), [""]);
});

test("fish is told every command and option, with texts that it can read", () => {
  const script = completionScript("fish", commands);
  for (const command of commands) {
    assert.match(script, new RegExp(`-a ${command.name()} -d '`));
    for (const { long } of command.options) assert.ok(script.includes(`-l ${long?.slice(2)} -d '`));
  }
  for (const line of script.trim().split("\n")) assert.match(line, /^complete -c goodword -n .* -d '([^'\\]|\\.)*'$/);
  assert.match(completionScript("zsh", commands), /^autoload .*bashcompinit/);
});

test("completion for a shell that is not known is wrong usage", async () => {
  using folder = temporaryFolder();
  assert.equal((await run(folder.path, ["completion", "tcsh"])).code, 2);
});
