/** Imports what was fetched from a followed source, in a process of its own, so that no request waits for it. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { FollowedSource } from "../business.ts";
import type { SourceReport } from "../follow/follower.ts";

const BIN = fileURLToPath(new URL("../../bin/goodword.js", import.meta.url));
const MOST_FAULTS = 5;

/** Runs `goodword import` for a file. @throws Error with what the import said, the file called by its address. */
export async function importSource(
  file: string,
  { url, source, complete }: FollowedSource,
  signal: AbortSignal,
): Promise<SourceReport> {
  const options = [...(source === undefined ? [] : ["--source", source]), ...(complete ? ["--complete"] : [])];
  const child = spawn(process.execPath, [BIN, "import", file, "--reviews-only", "--json", ...options], {
    stdio: ["ignore", "pipe", "pipe"],
    signal,
  });
  child.on("error", () => {}); // its exit code says it
  const closed = new Promise((resolve) => child.once("close", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  if (child.exitCode !== 0) {
    const faults = stderr.split("\n").filter((line) => line.startsWith("error: "));
    const said = faults.map((line) => line.slice("error: ".length).replaceAll(file, url));
    const more = said.length > MOST_FAULTS ? ` (and ${said.length - MOST_FAULTS} more)` : "";
    throw new Error(
      `Its content was not imported: ${said.slice(0, MOST_FAULTS).join(" ") || "the import ended early"}${more}`,
    );
  }
  const { added, changed, withdrawn, read, warnings } = JSON.parse(stdout) as SourceReport;
  return { added, changed, withdrawn, read, warnings: warnings.map((warning) => warning.replaceAll(file, url)) };
}
