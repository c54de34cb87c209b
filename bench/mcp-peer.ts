/**
 * The peers of the MCP address, as processes: `official` is the official server package with its default handler behind
 * the same HTTP layer and over the same tools, `bare` a `node:http` handler that calls the tool and nothing else.
 *
 *     node bench/mcp-peer.ts official|bare TOOL
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { finish } from "../src/edition/steps.ts";
import { openServer } from "../src/http/server.ts";
import { TOOLS } from "../src/mcp/tool/tools.ts";
import { sampleEdition } from "../test/support/mcp-server.ts";

const [kind, name] = process.argv.slice(2);
const edition = await sampleEdition();
const tool = TOOLS.find((candidate) => candidate.name === name);
if (tool === undefined) throw new Error(`There is no tool ${name}`);
const { run, title, input, output } = tool;

function answerTo(asked: Record<string, unknown>): string {
  const made = run(edition, asked);
  return typeof made === "string" ? made : finish(made);
}

const description = tool.describe(edition);

/** Only the tool that is called is registered, which flatters the package: it builds a server for each request. */
function officialServer(): McpServer {
  const server = new McpServer({ name: "peer", version: "1.0.0" });
  server.registerTool(
    tool?.name ?? "",
    { title, description, inputSchema: input, outputSchema: output },
    async (args: unknown) => {
      const json = answerTo(args as Record<string, unknown>);
      return { content: [{ type: "text", text: json }], structuredContent: JSON.parse(json) };
    },
  );
  return server;
}

async function official(): Promise<number> {
  const { fetch } = createMcpHandler(officialServer);
  return (
    await openServer((request) => fetch(request), {
      host: "127.0.0.1",
      port: 0,
      maxConnections: 100,
      onFault: console.error,
    })
  ).port;
}

async function bare(): Promise<number> {
  const resultOf = (asked: Record<string, unknown>) => {
    const json = answerTo(asked);
    return `{"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json}}`;
  };
  const server = createServer(async (request, response) => {
    const { id, params } = JSON.parse(await text(request));
    const body = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${resultOf(params.arguments)}}`;
    const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
    response.writeHead(200, headers).end(body);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  return (server.address() as AddressInfo).port;
}

console.log(await (kind === "official" ? official() : bare()));
