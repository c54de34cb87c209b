/**
 * `goodword sources`: lists the followed sources in business.yaml and the outcome of their last import, and fetches them
 * now with `--fetch`.
 */
import type { FollowEvent } from "../../follow/follower.ts";
import { openStore, type Store } from "../../store/store.ts";
import type { Config } from "../config.ts";
import { fetchFollowed, listFollowed } from "../owner/followed-listing.ts";
import { localTime } from "../terminal/terminal-text.ts";
import { asTyped } from "../terminal/typed-command.ts";

/**
 * Prints a few lines per address, or the list as JSON.
 * @throws Error if an address that was fetched now could not be imported, or another process is fetching.
 */
export async function sourcesCommand(
  config: Config,
  { fetch = false, json = false }: { readonly fetch?: boolean; readonly json?: boolean },
): Promise<void> {
  await using store = await openStore(config.DATABASE_URL);
  const keySetting = (name: string) => process.env[name];
  const tries = fetch ? await fetchFollowed(config, store, { keySetting, onEvent: printEvent }) : [];
  await list(store, tries, json);
  const failed = tries.filter(({ event }) => event === "failed").length;
  if (failed > 0)
    throw new Error(
      `${failed === 1 ? "1 address" : `${failed} addresses`} could not be imported now, for the reason above. This try is not recorded.`,
    );
}

function printEvent(event: FollowEvent): void {
  if (event.event === "failed") process.stderr.write(asTyped(`error: ${event.source.url}: ${event.quoting}\n`));
  if (event.event !== "imported") return;
  for (const warning of event.warnings) process.stderr.write(asTyped(`warning: ${event.source.url}: ${warning}\n`));
}

async function list(store: Store, tries: readonly FollowEvent[], json: boolean): Promise<void> {
  const { lines, advice } = await listFollowed(store);
  if (json) return void process.stdout.write(`${JSON.stringify(lines)}\n`);
  for (const [index, { url, key, source, last_at, outcome, next_at }] of lines.entries()) {
    const now = tries[index];
    const failure = now?.event === "failed" ? `  just now  failed: ${now.quoting}\n` : "";
    const tried = last_at === null ? "none yet: a running server fetches it" : `${localTime(last_at)}, ${outcome}`;
    const next = next_at === null ? "as soon as a server runs" : `${localTime(next_at)}, if a server runs`;
    const warning = advice[index] === "" ? "" : `  warning   ${advice[index]}\n`;
    const last = failure === "" ? "last try" : "recorded";
    process.stdout.write(
      asTyped(
        `${url}${source === null ? "" : ` (${source})`}\n  key       ${key}\n${failure}  ${last}  ${tried}\n  next try  ${next}\n${warning}`,
      ),
    );
  }
  if (lines.length === 0) {
    process.stdout.write(
      "No addresses are followed. Name them under sources in business.yaml, and import that file.\n",
    );
  }
}
