/** `goodword subscriptions`: lists topic, callback host, state, lease, failures, next attempt and the id in the log. */
import { openStore } from "../../store/store.ts";
import { listSubscriptions } from "../../store/subscription-rows.ts";
import { textTable } from "../terminal/terminal-text.ts";

/**
 * Prints one line per subscription, or the list as JSON. Only the callback's host is shown, because its path may be a
 * secret.
 */
export async function subscriptionsCommand(databaseUrl: string, json: boolean): Promise<void> {
  await using store = await openStore(databaseUrl);
  const subscriptions = await listSubscriptions(store, new Date());
  if (json) return void process.stdout.write(`${JSON.stringify(subscriptions)}\n`);
  const head = ["topic", "callback host", "state", "lease ends", "failures", "next attempt", "id"];
  const rows = subscriptions.map((line) => [
    line.topic,
    line.callback_host,
    line.state,
    line.lease_ends_at ?? "–",
    String(line.failures),
    line.next_attempt_at ?? "–",
    line.id,
  ]);
  process.stdout.write(`${textTable([head, ...rows])}\n`);
  if (rows.length === 0) process.stdout.write("There are no subscriptions.\n");
}
