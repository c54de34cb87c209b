/**
 * What a tool call costs: processor time per call, read from the operating system, of the program as it is run, of the
 * official server package's default handler doing the same work, of a bare `node:http` handler of the same tool, and of
 * one with the answer known beforehand as the limit.
 * Processor time does not depend on how fast the load generator is.
 *
 *     node bench/mcp.ts [thousands of calls per round]
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import autocannon from "autocannon";
import { ENVELOPE, statelessHeaders } from "../test/support/mcp-server.ts";
import { serveProgram, temporaryFolder } from "../test/support/program.ts";
import { ask } from "../test/support/wire.ts";
import { median, report, shown } from "./figures.ts";
import { machine, processorSeconds } from "./processor.ts";

const CALLS = Number(process.argv[2] ?? 4) * 1000;
const ROUNDS = 5;
const PROTOCOLS = ["sessions", "stateless"];
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

/** A tool call of each protocol revision. */
function asked(tool: string, args: object, session?: string): Asked {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call" };
  if (session !== undefined) {
    const headers = {
      ...COMMON,
      "mcp-protocol-version": "2025-06-18",
      ...(session ? { "mcp-session-id": session } : {}),
    };
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

async function startPeer(kind: string, tool: string, args: object): Promise<{ process: ChildProcess; url: string }> {
  const peer = join(import.meta.dirname, "mcp-peer.ts");
  const child = spawn(process.execPath, [peer, kind, tool, JSON.stringify(args)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { process: child, url: `http://127.0.0.1:${line.toString().trim()}/mcp` };
}

async function load({ url, headers, body }: Variant, amount: number): Promise<void> {
  const result = await autocannon({ url, method: "POST", headers, body, connections: 10, amount });
  if (result.errors > 0 || result.non2xx > 0) throw new Error(`${url} met errors`);
}

async function cpuPerCall(variant: Variant): Promise<number> {
  const pid = variant.process.pid ?? 0;
  const before = processorSeconds(pid);
  await load(variant, variant.calls);
  return ((processorSeconds(pid) - before) * 1e6) / variant.calls;
}

async function measure(tool: string, args: object): Promise<void> {
  using folder = temporaryFolder();
  const program = await serveProgram(folder.path);
  const ours = { process: program.process, url: `${program.url}/mcp`, calls: CALLS };
  const official = { ...(await startPeer("official", tool, args)), calls: CALLS / 4 };
  const bare = { ...(await startPeer("bare", tool, args)), calls: CALLS };
  const ready = { ...(await startPeer("ready", tool, args)), calls: CALLS };
  const legacy = asked(tool, args, await openSession(ours.url));
  const modern = asked(tool, args);
  const variants: Variant[] = [
    { name: "official, sessions", ...official, ...asked(tool, args, "") },
    { name: "official, stateless", ...official, ...modern },
    { name: "goodword, sessions", ...ours, ...legacy },
    { name: "goodword, stateless", ...ours, ...modern },
    { name: "bare node:http", ...bare, ...legacy },
    { name: "bare, the answer ready", ...ready, ...legacy },
  ];
  const costs = new Map(variants.map(({ name }) => [name, [] as number[]]));
  for (const variant of variants) await load(variant, variant.calls / 4);
  for (let round = 0; round < ROUNDS; round++) {
    for (const variant of variants) costs.get(variant.name)?.push(await cpuPerCall(variant));
  }
  bare.process.kill();
  ready.process.kill();
  official.process.kill();
  await program.stop();
  console.log(`\n${tool} ${JSON.stringify(args)}`);
  for (const [name, values] of costs)
    console.log(`  ${name.padEnd(26)} ${median(values).toFixed(1).padStart(7)} µs of CPU per call`);
  const whenReady = shown(median(costs.get("bare, the answer ready") ?? []), "µs");
  for (const [title, peerOf, atMost, remark] of [
    ["the SDK's default handler", (protocol: string) => `official, ${protocol}`, 0.2, ""],
    ["bare node:http", () => "bare node:http", 2, `; with the answer ready ${whenReady}`],
  ] as const) {
    const theirs = PROTOCOLS.flatMap((protocol) => costs.get(peerOf(protocol)) ?? []);
    const ours = PROTOCOLS.flatMap((protocol) => costs.get(`goodword, ${protocol}`) ?? []);
    report({
      work: `MCP ${tool}: processor time of a call, × the peer's`,
      peer: `${title} = 1 (${shown(median(theirs), "µs")}${remark})`,
      unit: "",
      samples: ours.map((cost, at) => cost / (theirs[at] ?? Number.NaN)),
      of: "rounds of two protocols",
      atMost,
    });
  }
}

console.log(machine());
console.log(`medians of ${ROUNDS} rounds, 10 connections`);
await measure("get_business", {});
await measure("search_reviews", { min_rating: 4, limit: 5 });
