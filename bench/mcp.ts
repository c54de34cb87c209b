/**
 * Processor time of a tool call: of the program in both protocol revisions, of a bare `node:http` handler of the same
 * tool, and of the official server package's default handler. Each call has a head of its own.
 *
 *     node bench/mcp.ts [thousands of calls in a round]
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import autocannon from "autocannon";
import { ENVELOPE, statelessHeaders } from "../test/support/mcp-server.ts";
import { serveProgram, temporaryFolder } from "../test/support/program.ts";
import { ask } from "../test/support/wire.ts";
import { median, report } from "./figures.ts";
import { machine, threadSeconds } from "./processor.ts";

const CALLS = Number(process.argv[2] ?? 3) * 1000;
const ROUNDS = 3;
const MAX_TIMES_BARE = 2;
const COMMON = { "content-type": "application/json", accept: "application/json, text/event-stream" };

interface Asked {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Variant extends Asked {
  readonly name: string;
  readonly process: ChildProcess;
  readonly url: string;
  readonly calls: number;
}

/** A tool call: stateless, or of the older protocol if a session is given (empty for a server without sessions). */
function asked(tool: string, args: object, session?: string): Asked {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call" };
  if (session !== undefined) {
    const opened = session === "" ? {} : { "mcp-session-id": session };
    const headers = { ...COMMON, "mcp-protocol-version": "2025-06-18", ...opened };
    return { headers, body: JSON.stringify({ ...call, params: { name: tool, arguments: args } }) };
  }
  const _meta = { ...ENVELOPE, "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" } };
  const headers = { ...COMMON, ...statelessHeaders("tools/call", tool) };
  return { headers, body: JSON.stringify({ ...call, params: { name: tool, arguments: args, _meta } }) };
}

async function openSession(url: string): Promise<string> {
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1.0.0" } };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params });
  return String((await ask(url, { method: "POST", headers: COMMON, body })).headers["mcp-session-id"]);
}

async function startPeer(kind: string, tool: string): Promise<{ process: ChildProcess; url: string }> {
  const peer = join(import.meta.dirname, "mcp-peer.ts");
  const child = spawn(process.execPath, [peer, kind, tool], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { process: child, url: `http://127.0.0.1:${line.toString().trim()}/mcp` };
}

let sent = 0;

/** Calls the tool `amount` times, each time with another client's address and program. */
async function load({ url, headers, body }: Variant, amount: number): Promise<void> {
  const setupRequest = (request: autocannon.Request) => {
    sent++;
    const client = { "user-agent": `agent/${sent}`, "x-forwarded-for": `198.18.${(sent >> 8) & 255}.${sent & 255}` };
    return { ...request, headers: { ...headers, ...client } };
  };
  const requests = [{ method: "POST", headers, body, setupRequest }] as const;
  const result = await autocannon({ url, requests: [...requests], connections: 10, amount });
  if (result.errors > 0 || result.non2xx > 0) throw new Error(`${url} met errors`);
}

async function cpuPerCall(variant: Variant): Promise<number> {
  const pid = variant.process.pid ?? 0;
  const before = threadSeconds(pid);
  await load(variant, variant.calls);
  return ((threadSeconds(pid) - before) * 1e6) / variant.calls;
}

/** The processor time of a call, × the median of the bare handler's, for each protocol in each round. */
async function measure(tool: string, args: object): Promise<number[][]> {
  using folder = temporaryFolder();
  const program = await serveProgram(folder.path);
  const ours = { process: program.process, url: `${program.url}/mcp`, calls: CALLS };
  const official = { ...(await startPeer("official", tool)), calls: CALLS / 4 };
  const bare = { ...(await startPeer("bare", tool)), calls: CALLS };
  const legacy = asked(tool, args, await openSession(ours.url));
  const modern = asked(tool, args);
  const variants: readonly Variant[] = [
    { name: "bare node:http", ...bare, ...legacy },
    { name: "goodword, sessions", ...ours, ...legacy },
    { name: "goodword, stateless", ...ours, ...modern },
    { name: "official, sessions", ...official, ...asked(tool, args, "") },
    { name: "official, stateless", ...official, ...modern },
  ];
  for (const variant of variants) await load(variant, variant.calls / 4);
  const costs: number[][] = variants.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, variant] of variants.entries()) costs[index]?.push(await cpuPerCall(variant));
  }
  bare.process.kill();
  official.process.kill();
  await program.stop();
  console.log(`\n${tool} ${JSON.stringify(args)}`);
  for (const [index, { name }] of variants.entries())
    console.log(
      `  ${name.padEnd(26)} ${median(costs[index] ?? [])
        .toFixed(1)
        .padStart(7)} µs of processor a call`,
    );
  const [theirs = [], ...own] = costs.slice(0, 3);
  return own.map((rounds) => rounds.map((cost) => cost / median(theirs)));
}

console.log(machine());
console.log(`medians of ${ROUNDS} rounds, 10 connections`);
const ratios = [
  ...(await measure("get_business", {})),
  ...(await measure("search_reviews", { min_rating: 4, limit: 5 })),
];
report({
  work: "MCP: processor time of a tool call, the worse of two tools, × the peer's",
  peer: "bare node:http handler = 1",
  unit: "",
  samples: ratios.flat(),
  value: Math.max(...ratios.map(median)),
  of: "rounds of two tools and two protocols",
  atMost: MAX_TIMES_BARE,
});
