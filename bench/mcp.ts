/**
 * What a tool call costs: processor time per call, read from the operating system, of the program as it is run, of the
 * official server package's default handler doing the same work, and of a bare `node:http` answer as the limit.
 * Processor time does not depend on how fast the load generator is.
 *
 *     node bench/mcp.ts [thousands of calls per round]
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import autocannon from "autocannon";
import { ENVELOPE, statelessHeaders } from "../test/mcp-server.ts";
import { serveProgram, temporaryFolder } from "../test/program.ts";
import { ask } from "../test/wire.ts";

const CALLS = Number(process.argv[2] ?? 4) * 1000;
const ROUNDS = 3;
const LIMIT = 0.35;
const TICKS_PER_SECOND = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
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

/** User and system time of a process with all its threads, in microseconds (proc(5), fields 14 and 15). */
function cpuMicroseconds({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1_000_000;
}

async function load({ url, headers, body }: Variant, amount: number): Promise<void> {
  const result = await autocannon({ url, method: "POST", headers, body, connections: 10, amount });
  if (result.errors > 0 || result.non2xx > 0) throw new Error(`${url} met errors`);
}

async function cpuPerCall(variant: Variant): Promise<number> {
  const before = cpuMicroseconds(variant.process);
  await load(variant, variant.calls);
  return (cpuMicroseconds(variant.process) - before) / variant.calls;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function measure(tool: string, args: object): Promise<number> {
  using folder = temporaryFolder();
  const program = await serveProgram(folder.path);
  const ours = { process: program.process, url: `${program.url}/mcp`, calls: CALLS };
  const official = { ...(await startPeer("official", tool, args)), calls: CALLS / 4 };
  const bare = { ...(await startPeer("bare", tool, args)), calls: CALLS };
  const legacy = asked(tool, args, await openSession(ours.url));
  const modern = asked(tool, args);
  const variants: Variant[] = [
    { name: "official, sessions", ...official, ...asked(tool, args, "") },
    { name: "official, stateless", ...official, ...modern },
    { name: "goodword, sessions", ...ours, ...legacy },
    { name: "goodword, stateless", ...ours, ...modern },
    { name: "bare node:http", ...bare, ...legacy },
  ];
  const costs = new Map(variants.map(({ name }) => [name, [] as number[]]));
  for (const variant of variants) await load(variant, variant.calls / 4);
  for (let round = 0; round < ROUNDS; round++) {
    for (const variant of variants) costs.get(variant.name)?.push(await cpuPerCall(variant));
  }
  bare.process.kill();
  official.process.kill();
  await program.stop();
  const cost = (name: string) => median(costs.get(name) ?? []);
  const ratios = ["sessions", "stateless"].map(
    (protocol) => cost(`goodword, ${protocol}`) / cost(`official, ${protocol}`),
  );
  console.log(`\n${tool} ${JSON.stringify(args)}`);
  for (const { name } of variants)
    console.log(`  ${name.padEnd(26)} ${cost(name).toFixed(1).padStart(7)} µs of CPU per call`);
  console.log(`  goodword of official: handshake ${ratios[0]?.toFixed(2)}, stateless ${ratios[1]?.toFixed(2)}`);
  return Math.max(...ratios);
}

console.log(`Medians of ${ROUNDS} rounds, 10 connections, Node ${process.versions.node}`);
const worst = Math.max(await measure("get_business", {}), await measure("search_reviews", { min_rating: 4, limit: 5 }));
console.log(
  `\nHighest ratio ${worst.toFixed(2)}, wanted at most ${LIMIT}: ${worst <= LIMIT ? "holds" : "does not hold"}`,
);
process.exitCode = worst <= LIMIT ? 0 : 1;
