/** Ten thousand bodies of every kind: each gets an answer of the protocol, the program lives, its memory stays flat. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { after, test } from "node:test";
import fc from "fast-check";
import { ENVELOPE } from "../support/mcp-server.ts";
import { serveProgram, temporaryFolder } from "../support/program.ts";

const BODIES = 4_000;
/** The bodies after which the memory is measured first: by then the program has met every path. */
const WARM = 1_500;
const GROWTH_BYTES = 48 * 1024 * 1024;

const folder = temporaryFolder();
const served = await serveProgram(folder.path);
const agent = new Agent({ keepAlive: true, maxSockets: 16 });
after(async () => {
  agent.destroy();
  await served.stop();
  folder[Symbol.dispose]();
});

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly session: string | undefined;
}

async function send(body: Uint8Array | string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const outgoing = request(`${served.url}/mcp`, { method: "POST", headers, agent }, async (incoming) => {
    const text = (await buffer(incoming)).toString("utf8");
    resolve({
      status: incoming.statusCode ?? 0,
      text,
      session: incoming.headers["mcp-session-id"] as string | undefined,
    });
  });
  outgoing.on("error", reject);
  outgoing.end(body);
  return await promise;
}

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18" },
});
const session = (await send(INITIALIZE, { "Content-Type": "application/json" })).session ?? "";

const METHODS = [
  "initialize",
  "ping",
  "tools/list",
  "tools/call",
  "resources/read",
  "prompts/get",
  "completion/complete",
  "server/discover",
  "notifications/initialized",
  "constructor",
  "__proto__",
];
const TOOLS = ["get_business", "search_reviews", "get_review", "get_technician", "get_trends", "get_faq", "toString"];

const depth = fc.integer({ min: 1, max: 12_000 });
const deep = fc
  .tuple(depth, fc.boolean())
  .map(([count, object]) =>
    object ? `${'{"a":'.repeat(count)}1${"}".repeat(count)}` : `${"[".repeat(count)}${"]".repeat(count)}`,
  );
const anything = fc.oneof(
  { weight: 6, arbitrary: fc.jsonValue({ maxDepth: 6 }).map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 40_000 }).map((length) => JSON.stringify("é".repeat(length))) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("1e400", "-0", "9007199254740993", '"\\ud800"', "null", "[]", '{"__proto__":{"x":1}}'),
  },
);
const message = fc
  .record(
    {
      jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('"2.0"') }, { weight: 1, arbitrary: anything }),
      id: fc.oneof({ weight: 5, arbitrary: fc.constantFrom("1", '"a"') }, { weight: 1, arbitrary: anything }),
      method: fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(...METHODS).map((name) => JSON.stringify(name)) },
        { weight: 1, arbitrary: anything },
      ),
      params: fc.oneof(
        anything,
        fc
          .record(
            {
              name: fc.oneof(
                fc.constantFrom(...TOOLS).map((name) => JSON.stringify(name)),
                anything,
              ),
              arguments: fc.oneof(
                anything,
                fc
                  .dictionary(
                    fc.constantFrom(
                      "rating",
                      "query",
                      "limit",
                      "since",
                      "name",
                      "id",
                      "service",
                      "aspect",
                      "__proto__",
                      "x",
                    ),
                    anything,
                  )
                  .map(objectText),
              ),
              uri: anything,
              cursor: anything,
              ref: anything,
              argument: anything,
              _meta: fc.oneof(fc.constant(JSON.stringify(ENVELOPE)), anything),
            },
            { requiredKeys: ["name", "arguments"] },
          )
          .map(objectText),
      ),
      result: anything,
    },
    { requiredKeys: ["jsonrpc", "method"] },
  )
  .map(objectText);
const body = fc.oneof(
  { weight: 6, arbitrary: message },
  { weight: 2, arbitrary: anything },
  { weight: 1, arbitrary: fc.array(message, { maxLength: 3 }).map((messages) => `[${messages.join(",")}]`) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
);
const headers = fc.record(
  {
    "Content-Type": fc.oneof(
      { weight: 20, arbitrary: fc.constant("application/json") },
      { weight: 1, arbitrary: fc.constantFrom("text/plain", "") },
    ),
    "Mcp-Session-Id": fc.oneof(
      { weight: 9, arbitrary: fc.constant(session) },
      { weight: 1, arbitrary: fc.constantFrom("", "x", `${session}x`, "a".repeat(5_000)) },
    ),
    "MCP-Protocol-Version": fc.constantFrom("2025-06-18", "2025-11-25", "2026-07-28", "2099-01-01", "x", ""),
    "Mcp-Method": fc.constantFrom(...METHODS),
    "Mcp-Name": fc.constantFrom(...TOOLS, "=?base64?////?=", "=?base64??="),
    Origin: fc.constantFrom("null", "https://evil.example", "http://localhost:1", "x"),
    "Transfer-Encoding": fc.constant("chunked"),
    Accept: fc.constantFrom("*/*", "application/json", "text/event-stream", ""),
  },
  { requiredKeys: ["Content-Type"] },
);
/** Most requests bear few headers that would have them turned away at once. */
const usual = fc.constant({ "Content-Type": "application/json", "Mcp-Session-Id": session } as Record<string, string>);
const asked = fc.tuple(body, fc.oneof({ weight: 3, arbitrary: usual }, { weight: 1, arbitrary: headers }));

/** An object whose members are JSON texts already; `__proto__` stays a member like any other. */
function objectText(members: Readonly<Record<string, string>>): string {
  return `{${Object.entries(members)
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join(",")}}`;
}

const STATUSES = new Set([200, 202, 400, 403, 404, 406, 413, 415]);
const CODES = new Set([-32700, -32600, -32601, -32602, -32000, -32001, -32002, -32020, -32022]);

function residentBytes(): number {
  const status = readFileSync(`/proc/${served.process.pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

function check({ status, text }: Answer): void {
  assert.ok(STATUSES.has(status), `${status} ${text.slice(0, 300)}`);
  if (status === 202) {
    assert.equal(text, "");
    return;
  }
  const { jsonrpc, result, error } = JSON.parse(text);
  assert.equal(jsonrpc, "2.0");
  if (result === undefined) assert.ok(CODES.has(error.code) && typeof error.message === "string", text.slice(0, 300));
  else assert.equal(status, 200);
  if (status !== 200) assert.ok(error);
}

test(`${BODIES} hostile bodies get the protocol's errors and the program lives, its memory flat`, {
  timeout: 120_000,
}, async () => {
  const answers = new Map<string, number>();
  let warm = 0;
  const batch = 50;
  const samples = fc.sample(asked, { numRuns: BODIES });
  for (let from = 0; from < samples.length; from += batch) {
    const results = await Promise.all(
      samples.slice(from, from + batch).map(([text, given]) => send(text, given as Record<string, string>)),
    );
    for (const answer of results) {
      check(answer);
      answers.set(String(answer.status), (answers.get(String(answer.status)) ?? 0) + 1);
    }
    if (from + batch === WARM && process.platform === "linux") warm = residentBytes();
  }
  assert.ok((answers.get("200") ?? 0) > BODIES / 20, JSON.stringify([...answers]));
  assert.equal(served.process.exitCode, null);
  if (process.platform === "linux") {
    const growth = residentBytes() - warm;
    assert.ok(growth < GROWTH_BYTES, `the program grew by ${Math.round(growth / 1024)} KiB`);
  }
  const alive = await send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }), {
    "Content-Type": "application/json",
    "Mcp-Session-Id": session,
  });
  assert.equal(alive.text, '{"jsonrpc":"2.0","id":1,"result":{}}');
  assert.deepEqual(
    served.log.filter(({ level }) => Number(level) >= 50),
    [],
    "no fault in the log",
  );
});
