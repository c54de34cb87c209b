/** `goodword desk`: the owner's own pages, for this machine alone. */
import { errorCode } from "../../lib/own-words.ts";
import { boundResults } from "../../store/engine/sqlite.ts";
import { readConfig } from "../config.ts";
import { removeLeftFolders } from "../desk/desk-folders.ts";
import { openDesk } from "../desk/desk-server.ts";
import { openDeskSites } from "../desk/desk-sites.ts";
import { faultLines } from "../fault-message.ts";
import { openStopSignal } from "../stop-signal.ts";
import { openLog } from "../terminal/log.ts";
import { terminalText } from "../terminal/terminal-text.ts";

export interface DeskFlags {
  readonly port?: string;
  /** One site among many. */
  readonly site?: string;
}

const DEFAULT_PORT = 8090;
/** Of a fault with more lines, as a file of somebody else's may have. */
const MAX_LINES = 100;
/** The most that a page of a site reads at once: a hundred times what a page of usual reviews has. */
const MAX_RESULT_CHARACTERS = 64_000_000;

/** The key stands where other users of the browser's machine may read it: in what was called to open the address. */
const ANOTHER_BROWSER =
  "The address was opened once more. If neither you nor a browser of yours did that, end the desk with Ctrl+C.";

/** Serves the desk of the business in `folder`, or of a folder of sites, until a stop signal. @throws Error if the port is unavailable. */
export async function deskCommand({ port, site }: DeskFlags, folder: string): Promise<void> {
  const config = readConfig(process.env);
  const stop = openStopSignal(openLog(config.LOG_LEVEL, process.stderr.isTTY));
  await removeLeftFolders();
  if (config.SITES !== "" || site !== undefined) boundResults(MAX_RESULT_CHARACTERS);
  const sites = openDeskSites(config, process.env, { folder, isOfSites: site !== undefined });
  const onFault = (error: unknown) => {
    for (const line of faultLines(error).slice(0, MAX_LINES)) process.stderr.write(`error: ${terminalText(line)}\n`);
  };
  let browsers = 0;
  const onEntered = () => {
    if (++browsers > 1) process.stderr.write(`${ANOTHER_BROWSER}\n`);
  };
  const wanted = port === undefined ? DEFAULT_PORT : Number(port);
  await using desk = await openDesk(sites, { port: wanted, onFault, onEntered }).catch((error: unknown) => {
    if (errorCode(error) !== "EADDRINUSE") throw error;
    const advice = `goodword desk --port ${wanted + 1}`;
    throw new Error(`Port ${wanted} is taken, perhaps by another desk: use that one, or ${advice}`, { cause: error });
  });
  process.stdout.write(`Desk: ${desk.url}\n`);
  process.stderr.write(
    "Open this address in a browser on this machine. Ctrl+C ends the desk; what is published stays.\n",
  );
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  stop.addEventListener("abort", () => resolve(), { once: true });
  if (!stop.aborted) await stopped;
}
