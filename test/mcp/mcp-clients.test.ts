/** Real clients, each as its makers ship it, against the program as it is run: list, call every tool, read, prompt, complete. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { createMCPClient } from "@ai-sdk/mcp";
import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from "@modelcontextprotocol/client";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { toolCalls } from "../support/mcp-calls.ts";
import { sampleEdition } from "../support/mcp-server.ts";
import { temporaryFolder } from "../support/program.ts";
import { program } from "../support/served-sample.ts";
import { IS_WHOLE, roundsOf } from "../support/test-runs.ts";

const server = { url: `${program.url}/mcp` };
/** What the program serves from an empty store. */
const edition = { ...(await sampleEdition()), baseUrl: program.url };

const CALLS = toolCalls(edition);
const TOOLS = [...new Set(CALLS.map(({ name }) => name))];
const REVIEWS = `${edition.baseUrl}/reviews.json`;
const TEMPLATE = `${edition.baseUrl}/reviews/{id}`;
const INSPECTOR = join(
  import.meta.dirname,
  "../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
);
const CLIENT = { name: "goodword-test", version: "1.0.0" };

interface Called {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly content?: unknown;
}

/** What every client here can do, whatever it calls it. */
interface Host {
  tools(): Promise<string[]>;
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<Called>;
  resources(): Promise<string[]>;
  templates(): Promise<string[]>;
  read(uri: string): Promise<string>;
  prompts(): Promise<string[]>;
  prompt(name: string, args: Readonly<Record<string, string>>): Promise<number>;
  complete?(value: string): Promise<string[]>;
  close(): Promise<void>;
}

async function exercise(host: Host): Promise<void> {
  assert.deepEqual(await host.tools(), TOOLS);
  for (const { name, arguments: args } of CALLS) {
    const { isError, structuredContent, content } = await host.call(name, args);
    assert.ok(!isError, `${name}: ${JSON.stringify(content)}`);
    const [block] = content as { type: string; text: string }[];
    assert.deepEqual(JSON.parse(block?.text ?? ""), structuredContent, name);
  }
  const refused = await host.call("search_reviews", { rating: 9 });
  assert.equal(refused.isError, true);
  assert.equal(refused.structuredContent, undefined);
  assert.match(JSON.stringify(refused.content), /rating is 9, but must be a whole number from 1 to 5/);
  assert.deepEqual(await host.resources(), [REVIEWS, `${edition.baseUrl}/insights.json`]);
  assert.deepEqual(await host.templates(), [TEMPLATE]);
  assert.equal(JSON.parse(await host.read(REVIEWS)).reviews.length, edition.reviewCount);
  const { id } = JSON.parse(await host.read(REVIEWS)).reviews[0];
  assert.equal(JSON.parse(await host.read(TEMPLATE.replace("{id}", id))).review.id, id);
  assert.deepEqual(await host.prompts(), ["assess_business", "review_digest", "draft_owner_reply"]);
  assert.equal(await host.prompt("assess_business", { service: edition.business.services[0]?.id ?? "" }), 1);
  assert.equal(await host.prompt("draft_owner_reply", { id }), 2);
  if (host.complete) assert.ok((await host.complete(id.slice(0, 4))).includes(id));
  await host.close();
}

/** Either generation of the official client. */
function official(client: FirstClient | Client): Host {
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => (await client.callTool({ name, arguments: { ...args } })) as Called,
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    templates: async () => (await client.listResourceTemplates()).resourceTemplates.map((each) => each.uriTemplate),
    read: async (uri) => textOf((await client.readResource({ uri })).contents[0]),
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    prompt: async (name, args) => (await client.getPrompt({ name, arguments: args })).messages.length,
    complete: async (value) =>
      (await client.complete({ ref: { type: "ref/resource", uri: TEMPLATE }, argument: { name: "id", value } }))
        .completion.values,
    close: () => client.close(),
  };
}

test("the official client, first generation", async () => {
  const client = new FirstClient(CLIENT);
  const transport = new FirstTransport(new URL(server.url));
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  assert.ok(transport.sessionId);
  await exercise(official(client));
});

const MODES: readonly [string, VersionNegotiationMode, string][] = [
  ["with the handshake", "legacy", "2025-11-25"],
  ["choosing by itself", "auto", "2026-07-28"],
  ["held to the stateless revision", { pin: "2026-07-28" }, "2026-07-28"],
];

for (const [how, mode, settled] of MODES) {
  test(`the official client, second generation, ${how}`, async () => {
    const client = new Client(CLIENT, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
    assert.equal(client.getNegotiatedProtocolVersion(), settled);
    assert.match(client.getInstructions() ?? "", /search_reviews/);
    await exercise(official(client));
  });
}

test("the client of the AI SDK", async () => {
  const client = await createMCPClient({ transport: { type: "http", url: server.url } });
  const callable = await client.tools();
  assert.deepEqual(Object.keys(callable), TOOLS);
  await exercise({
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => (await client.callTool({ name, arguments: { ...args } })) as Called,
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    templates: async () => (await client.listResourceTemplates()).resourceTemplates.map((each) => each.uriTemplate),
    read: async (uri) => textOf((await client.readResource({ uri })).contents[0]),
    prompts: async () => (await client.experimental_listPrompts()).prompts.map(({ name }) => name),
    prompt: async (name, args) => (await client.experimental_getPrompt({ name, arguments: args })).messages.length,
    close: () => client.close(),
  });
});

/**
 * The Inspector's command line has no flag for completions; the clients above complete, and call every tool. Each call
 * starts it anew, so each era calls two tools, with a text, a number or nothing, and in `npm test` one.
 */
for (const [half, era] of ["legacy", "modern"].entries()) {
  test(`the command line of the Inspector, ${era} era`, async () => {
    using home = temporaryFolder();
    const { PATH, NODE_COMPILE_CACHE = join(home.path, "compiled") } = process.env;
    const inspect = async (method: string, ...args: string[]) => {
      const target = ["--cli", server.url, "--transport", "http", "--protocol-era", era, "--method", method, ...args];
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [INSPECTOR, ...target], {
        env: { PATH, NODE_COMPILE_CACHE, HOME: home.path },
        cwd: home.path,
        maxBuffer: 16_000_000,
      });
      assert.doesNotMatch(stderr, /Warning: tool/);
      return JSON.parse(stdout);
    };
    const listed = await inspect("tools/list", "--strict");
    assert.deepEqual(
      listed.tools.map(({ name }: { name: string }) => name),
      TOOLS,
    );
    const calls = CALLS.slice(0, 4).filter((_, index) => index % 2 === half);
    for (const { name, arguments: args } of roundsOf(calls)) {
      const pairs = Object.entries(args).flatMap(([key, value]) => ["--tool-arg", `${key}=${value}`]);
      const called = await inspect("tools/call", "--tool-name", name, ...pairs);
      assert.ok(!called.isError, `${name}: ${JSON.stringify(called)}`);
      assert.deepEqual(JSON.parse(called.content[0].text), called.structuredContent);
    }
    if (era === "legacy") {
      const { contents } = await inspect("resources/read", "--uri", REVIEWS);
      assert.equal(JSON.parse(contents[0].text).reviews.length, edition.reviewCount);
      return;
    }
    const { resourceTemplates } = await inspect("resources/templates/list");
    assert.equal(resourceTemplates[0].uriTemplate, TEMPLATE);
    if (!IS_WHOLE) return;
    const { prompts } = await inspect("prompts/list");
    assert.equal(prompts.length, 3);
  });
}

function textOf(content: unknown): string {
  return (content as { text: string }).text;
}
