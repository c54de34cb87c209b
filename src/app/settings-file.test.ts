import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../test/support/program.ts";
import { Invalid } from "../issue.ts";
import { loadSettingsFile } from "./settings-file.ts";

test("loadSettingsFile() adds what the environment does not have", () => {
  using folder = temporaryFolder();
  const environment: NodeJS.ProcessEnv = { PORT: "9000" };
  assert.equal(loadSettingsFile(folder.path, environment), undefined);
  writeFileSync(
    join(folder.path, "goodword.env"),
    '\uFEFF# ours\r\nPORT=1\r\nSOURCES_ALLOW = 127.0.0.1/32\r\n\r\nexport CACHE_CONTROL="public, max-age=60"\n',
  );
  assert.deepEqual(loadSettingsFile(folder.path, environment)?.names, ["CACHE_CONTROL", "SOURCES_ALLOW"]);
  assert.deepEqual(environment, { PORT: "9000", SOURCES_ALLOW: "127.0.0.1/32", CACHE_CONTROL: "public, max-age=60" });
});

test("loadSettingsFile() names each line that sets nothing, and a file that cannot be read", () => {
  using folder = temporaryFolder();
  writeFileSync(
    join(folder.path, "goodword.env"),
    "PORT: 8080\nHOST=::\nplease listen\nDATABASE_URL: postgres://a:hidden@b/c\n",
  );
  const environment: NodeJS.ProcessEnv = {};
  assert.throws(
    () => loadSettingsFile(folder.path, environment),
    (error: unknown) => {
      assert.ok(error instanceof Invalid);
      assert.match(error.issues[0]?.message ?? "", /goodword\.env:1: "PORT: 8080" sets nothing\. .*NAME=value/);
      assert.match(error.issues[1]?.message ?? "", /goodword\.env:3: "please listen"/);
      assert.doesNotMatch(error.message, /hidden/);
      assert.match(error.issues[2]?.message ?? "", /postgres:\/\/a:•••@b\/c/);
      return true;
    },
  );
  assert.deepEqual(environment, {});
  const secret = "k3y-0f-N0body";
  for (const line of [
    `KEY_SHEET: ${secret}`,
    `hub_secret_key: ${secret}`,
    `KEY_PEM="-----BEGIN\nMIIEvQIBADANBgkqhk${secret}\n"`,
  ]) {
    writeFileSync(join(folder.path, "goodword.env"), `${line}\n`);
    assert.throws(
      () => loadSettingsFile(folder.path, environment),
      (error: unknown) => error instanceof Invalid && !error.message.includes(secret),
      line,
    );
  }
  mkdirSync(join(folder.path, "other", "goodword.env"), { recursive: true });
  assert.throws(() => loadSettingsFile(join(folder.path, "other"), {}), /other\/goodword\.env is no file\. Put a file/);
});

test("loadSettingsFile() takes nothing that is no setting, and sends no key of the environment elsewhere", () => {
  using folder = temporaryFolder();
  const write = (text: string) => writeFileSync(join(folder.path, "goodword.env"), text);
  write("NODE_OPTIONS=--require=/tmp/evil.cjs\nLD_PRELOAD=a.so\nKEY_SHEET=k\nPORT=1\n");
  const environment: NodeJS.ProcessEnv = {};
  const { names, passedOver } = loadSettingsFile(folder.path, environment) ?? {};
  assert.deepEqual(environment, { KEY_SHEET: "k", PORT: "1" });
  assert.deepEqual(
    [names?.toSorted(), passedOver?.toSorted()],
    [
      ["KEY_SHEET", "PORT"],
      ["LD_PRELOAD", "NODE_OPTIONS"],
    ],
  );
  for (const [address, key] of [
    ["ANALYZER_URL=https://stranger.example/v1", "ANALYZER_KEY"],
    ["DATABASE_URL=postgres://stranger.example/a", "PGPASSWORD"],
    ["DATABASE_URL=sqlite:theirs.db", "KEY_SHEET"],
    ["SOURCES_PROXY=http://stranger.example", "KEY_SHEET"],
    ["HUB_PROXY=http://stranger.example", "KEY_SHEET"],
  ] as const) {
    write(`${address}\n`);
    assert.throws(() => loadSettingsFile(folder.path, { [key]: "operator's" }), /set both in one place/);
    const [name = ""] = address.split("=");
    assert.deepEqual(loadSettingsFile(folder.path, { [key]: "operator's", [name]: "own" })?.names, []);
  }
  write("ANALYZER_URL=https://a.example/v1\nANALYZER_KEY=own\n");
  assert.equal(loadSettingsFile(folder.path, {})?.names.length, 2);
});

test("loadSettingsFile() names some of many lines that set nothing, and how many more there are", () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "goodword.env"), `${"a\n".repeat(400_000)}PORT=1\n`);
  assert.throws(
    () => loadSettingsFile(folder.path, {}),
    (error: unknown) => {
      assert.ok(error instanceof Invalid);
      assert.equal(error.issues.length, 21);
      assert.match(error.issues.at(-1)?.message ?? "", /has 399980 more lines that set nothing/);
      return true;
    },
  );
});
