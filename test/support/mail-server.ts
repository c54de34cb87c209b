/** A mail server on loopback that keeps what it is sent. */
import { text } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The whole mail, with its headers. */
  readonly source: string;
}

/** Opens the server. It offers neither TLS nor a log-in unless the options do. */
export async function openMailServer(options: SMTPServerOptions = {}) {
  const mails: ReceivedMail[] = [];
  const waiting = new Set<() => void>();
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS", "AUTH"],
    async onData(stream, session, callback) {
      const source = await text(stream);
      const { mailFrom, rcptTo } = session.envelope;
      const from = mailFrom === false || mailFrom === null ? "" : (mailFrom?.address ?? "");
      mails.push({ from, to: rcptTo.map(({ address }) => address), source });
      callback();
      for (const look of waiting) look();
    },
    ...options,
  });
  server.on("error", () => {}); // a client that gives up
  const { promise: listens, resolve } = Promise.withResolvers<void>();
  const listening = server.listen(0, "127.0.0.1", resolve);
  await listens;
  const address = listening.address();
  return {
    mails,
    /** Resolves once so many mails are there. */
    async until(count: number): Promise<void> {
      const { promise, resolve: enough } = Promise.withResolvers<void>();
      const look = () => void (mails.length >= count && enough());
      waiting.add(look);
      look();
      await promise;
      waiting.delete(look);
    },
    port: typeof address === "object" && address !== null ? address.port : 0,
    [Symbol.asyncDispose]: () => new Promise<void>((closed) => server.close(closed)),
  };
}

/** The header fields of a mail by their names in small letters, unfolded. */
export function headersOf({ source }: ReceivedMail): ReadonlyMap<string, string> {
  const [head = ""] = source.split("\r\n\r\n");
  const lines = head.replace(/\r\n[ \t]+/g, " ").split("\r\n");
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)]),
  );
}

/** The body of a mail's part of a media type, decoded. */
export function partOf({ source }: ReceivedMail, type: string): string {
  const part = source.split(/\r\n--[^\r\n]+\r\n/).find((each) => each.startsWith(`Content-Type: ${type}`)) ?? "";
  const [head = "", ...body] = part.split("\r\n\r\n");
  const coded = body.join("\r\n\r\n").replace(/\r\n--[^\r\n]+--\s*$/, "");
  if (/base64/i.test(head)) return Buffer.from(coded, "base64").toString();
  if (!/quoted-printable/i.test(head)) return coded;
  const bytes = coded
    .replace(/=\r\n/g, "")
    .replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}
