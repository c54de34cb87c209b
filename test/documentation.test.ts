/** The README is tested: a setting, command, option, address or tool that it does not name fails. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { program } from "../src/app/command/command-line.ts";
import { SETTINGS } from "../src/app/config.ts";
import { HUB_PATH } from "../src/edition/topic.ts";
import { PRINTED_PATHS } from "../src/http/routes.ts";
import { PROMPTS } from "../src/mcp/method/prompts.ts";
import { TOOLS } from "../src/mcp/tool/tools.ts";

const README = readFileSync(join(import.meta.dirname, "..", "README.md"), "utf8");

/** The text between a heading and the next one of its rank. */
function section(heading: string): string {
  const start = README.indexOf(`\n## ${heading}\n`);
  assert.notEqual(start, -1, `README has no section ${heading}`);
  const end = README.indexOf("\n## ", start + 4);
  return README.slice(start, end === -1 ? undefined : end);
}

test("the README begins with the two commands that matter", () => {
  assert.match(README, /^# Goodword\n\n```sh\nnpm ci && npm start .*\nnpm ci && npm test .*\n```/);
});

test("every setting is in the README with its default", () => {
  const settings = section("Settings");
  for (const [name, { fallback }] of Object.entries(SETTINGS)) {
    assert.ok(settings.includes(`\`${name}\``), `${name} is missing`);
    const row = settings.split("\n").find((line) => line.startsWith("|") && line.includes(`\`${name}\``)) ?? "";
    if (fallback !== "") assert.ok(row.includes(fallback), `the default ${fallback} of ${name} is missing`);
  }
});

test("every command and option is in the README", () => {
  const commands = section("Commands");
  for (const command of program().commands) {
    const row = commands.split("\n").find((line) => line.startsWith(`| \`goodword ${command.name()}`));
    assert.ok(row !== undefined, `goodword ${command.name()} is missing`);
    for (const { long } of command.options) {
      assert.ok(long !== undefined && long !== null && row.includes(long), `${command.name()} ${long} is missing`);
    }
  }
});

test("every MCP tool and prompt is in the README", () => {
  const agents = section("For agents: MCP");
  for (const { name } of [...TOOLS, ...PROMPTS]) assert.ok(agents.includes(`\`${name}\``), `${name} is missing`);
});

test("every address is in the README", () => {
  const addresses = section("Addresses");
  const paths = [
    ...PRINTED_PATHS,
    "/reviews/{id}",
    "/api/reviews/search",
    "/api/reviews/since/{date}",
    "/mcp",
    HUB_PATH,
    "/healthz",
    "/readyz",
    "/metrics",
  ];
  for (const path of paths) assert.ok(addresses.includes(`\`${path}\``), `${path} is missing`);
});
