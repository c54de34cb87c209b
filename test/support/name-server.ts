/** A DNS server on loopback that answers as a test tells it to. */
import { createSocket } from "node:dgram";
import { once } from "node:events";

export interface NameServer {
  /** As `Resolver.setServers` takes it. */
  readonly address: string;
  /** Names that were asked for, in order. */
  readonly questions: readonly string[];
  close(): Promise<void>;
}

/** What a name has: IPv4 addresses, nothing (`[]`), no such name, a server's failure, or silence. */
export type NameAnswer = readonly string[] | "no such name" | "failure" | "silence";

/** Starts a server. Questions for IPv6 addresses are answered with none, those for name servers with one. */
export async function openNameServer(answer: (name: string) => NameAnswer): Promise<NameServer> {
  const socket = createSocket("udp4");
  const questions: string[] = [];
  socket.on("message", (message, peer) => {
    const { name, type, end } = question(message);
    if (type === 1) questions.push(name);
    const reply = type === 2 ? "failure" : answer(name);
    if (reply === "silence") return;
    const addresses = type === 1 && Array.isArray(reply) ? reply : [];
    const code = reply === "no such name" ? 3 : reply === "failure" ? 2 : 0;
    const head = Buffer.from(message.subarray(0, 12));
    head.writeUInt16BE(0x8180 | code, 2);
    head.writeUInt16BE(addresses.length, 6);
    head.writeUInt32BE(0, 8);
    const records = addresses.map((address) =>
      Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split(".").map(Number)]),
    );
    socket.send(Buffer.concat([head, message.subarray(12, end), ...records]), peer.port, peer.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: async () => {
      socket.close();
      await once(socket, "close");
    },
  };
}

/** The first question of a message: its name, its type, and where it ends. */
function question(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join(".").toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}
