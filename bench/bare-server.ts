/** A bare `node:http` server with the documents and headers of a running program: the limit to measure against. */
import { createServer, type OutgoingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { ask } from "../test/support/wire.ts";

const [, , origin = "", ...paths] = process.argv;
const answers = new Map<string, { headers: OutgoingHttpHeaders; body: Buffer }>();
for (const path of paths) {
  for (const coding of ["identity", "gzip", "br"]) {
    const { headers, body } = await ask(`${origin}${path}`, { headers: { "accept-encoding": coding } });
    const { date: _date, connection: _connection, "keep-alive": _keepAlive, ...kept } = headers;
    answers.set(`${path} ${coding}`, { headers: kept, body });
  }
}

const server = createServer((request, response) => {
  const answer = answers.get(`${request.url} ${request.headers["accept-encoding"] ?? "identity"}`);
  if (answer === undefined) return void response.writeHead(404).end();
  if (request.headers["if-none-match"] === answer.headers.etag) {
    const { "content-type": _type, "content-length": _length, ...headers } = answer.headers;
    return void response.writeHead(304, headers).end();
  }
  response.writeHead(200, answer.headers).end(answer.body);
});
server.listen(0, () => console.log((server.address() as AddressInfo).port));
