/** Servers on free ports of this machine, which take their connections with them when they close. */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, type Server, type Socket } from "node:net";

export interface Listening extends AsyncDisposable {
  readonly port: number;
  /** Resolves once nothing listens on the port any more. */
  close(): Promise<void>;
}

export async function listening(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket.on("error", () => {}).on("close", () => sockets.delete(socket)));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { port: (server.address() as AddressInfo).port, close, [Symbol.asyncDispose]: close };
}

/** Opens an HTTP proxy with tunnels to where it is asked to lead, or to the port of this machine that `portOf` names. */
export async function openTunnelProxy(
  portOf?: () => number,
): Promise<Listening & { readonly asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const proxy = createServer().on("connect", (request: IncomingMessage, client: Socket) => {
    asked.push(request);
    const { hostname, port } = new URL(`http://${portOf === undefined ? request.url : `127.0.0.1:${portOf()}`}`);
    const target = connect(Number(port), hostname, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(target).pipe(client);
    });
    for (const socket of [client, target]) socket.on("error", () => {}).on("close", () => target.destroy());
  });
  return { ...(await listening(proxy)), asked };
}

/** The URL of a database as it is reached through a port of this machine. */
export function through(url: string, { port }: Listening): string {
  return Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(port) }).href;
}
