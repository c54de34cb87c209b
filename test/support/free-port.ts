/** A port that nothing listens on, for programs that must be told one. */
import { createServer } from "node:net";
import { listening } from "./loopback.ts";

export async function freePort(): Promise<number> {
  await using server = await listening(createServer());
  return server.port;
}
