/**
 * Peers for reading: `node:http` or fastify with the documents and headers of a running program, ready in memory. Run as
 * a program, this file is such a server.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import fastify from "fastify";
import { ask } from "../test/support/wire.ts";

type Framework = "node:http" | "fastify";

export interface BareServer extends Disposable {
  readonly url: string;
  readonly process: ChildProcess;
}

/** Starts a server that answers with what a running program answers at these paths now. */
export async function openBareServer(
  origin: string,
  paths: readonly string[],
  framework: Framework = "node:http",
): Promise<BareServer> {
  const child = spawn(process.execPath, [import.meta.filename, framework, origin, ...paths], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return {
    url: `http://localhost:${line.toString().trim()}`,
    process: child,
    [Symbol.dispose]: () => void child.kill(),
  };
}

interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: Buffer;
}

interface Ready {
  readonly whole: Answer;
  readonly notModified: Answer;
}

async function readDocuments(origin: string, paths: readonly string[]): Promise<ReadonlyMap<string, Ready>> {
  const documents = new Map<string, Ready>();
  for (const path of paths) {
    for (const coding of ["identity", "gzip", "br"]) {
      const { headers, body } = await ask(`${origin}${path}`, { headers: { "accept-encoding": coding } });
      const { date: _date, connection: _connection, "keep-alive": _keepAlive, ...whole } = headers;
      const { "content-type": _type, "content-length": _length, "content-encoding": _coding, ...held } = whole;
      documents.set(`${path} ${coding}`, {
        whole: { status: 200, headers: whole, body },
        notModified: { status: 304, headers: held },
      });
    }
  }
  return documents;
}

function answerOf(documents: ReadonlyMap<string, Ready>, url: string, headers: IncomingHttpHeaders): Answer {
  const ready = documents.get(`${url} ${headers["accept-encoding"] ?? "identity"}`);
  if (ready === undefined) return { status: 404, headers: {} };
  return headers["if-none-match"] === ready.whole.headers.etag ? ready.notModified : ready.whole;
}

async function openServer(framework: string, documents: ReadonlyMap<string, Ready>): Promise<Server> {
  if (framework === "node:http") {
    return createServer((request, response) => {
      const { status, headers, body } = answerOf(documents, request.url ?? "", request.headers);
      response.writeHead(status, headers).end(body);
    }).listen(0);
  }
  const app = fastify();
  app.get("/*", (request, reply) => {
    const { status, headers, body } = answerOf(documents, request.url, request.headers);
    reply.code(status).headers(headers).send(body);
  });
  await app.listen({ port: 0 });
  return app.server;
}

if (import.meta.main) {
  const [framework = "", origin = "", ...paths] = process.argv.slice(2);
  const server = await openServer(framework, await readDocuments(origin, paths));
  if (!server.listening) await once(server, "listening");
  console.log((server.address() as AddressInfo).port);
}
