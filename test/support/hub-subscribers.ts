/** What tests of the hub share: subscribers that live as long as the file's tests, requests for them, and a hub a test. */
import { createHmac } from "node:crypto";
import { after, test } from "node:test";
import { BASE_URL, type HarnessOptions, type HubHarness, openHarness } from "./hub-harness.ts";
import { type Arrival, openSubscribers } from "./subscriber.ts";

export const subscribers = await openSubscribers();
after(() => subscribers.close());

let count = 0;
/** A path that no other test of the file has. */
export function newPath(): string {
  return `/p${count++}`;
}

/** The callback at a path of the subscribers, under any name of this machine. */
export function callbackOf(path: string, host = "localhost"): string {
  return `https://${host}:${subscribers.port}${path}`;
}

/** Subscribes a new path to the feed. */
export async function subscribed(hub: HubHarness, host?: string): Promise<string> {
  const path = newPath();
  await hub.subscribe(callbackOf(path, host));
  return path;
}

/** The fields of a request to subscribe a callback to the feed, unless `extra` says otherwise. */
export function form(callback: string, extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { "hub.mode": "subscribe", "hub.topic": `${BASE_URL}/feed.xml`, "hub.callback": callback, ...extra };
}

/** The texts of the feed that a path was sent. */
export function bodies(path: string): string[] {
  return subscribers.deliveries(path).map(({ body }) => body.toString().replace("/feed.xml ", ""));
}

/** Resolves once a path was notified as often as this. */
export function told(path: string, times: number): Promise<void> {
  return subscribers.until(() => bodies(path).length >= times, `${path} was notified ${times} times`);
}

/** Whether a notification bears the signature of this secret. */
export function isSignedWith(secret: string, arrival: Arrival | undefined): boolean {
  const hmac = createHmac("sha256", secret).update(arrival?.body ?? "");
  return arrival?.headers["x-hub-signature"] === `sha256=${hmac.digest("hex")}`;
}

/** A test with a hub of its own. */
export function hubTest(name: string, options: HarnessOptions, run: (hub: HubHarness) => Promise<void>): void {
  test(name, () => withHub(options, run));
}

/** Runs with a hub of its own. */
export async function withHub(options: HarnessOptions, run: (hub: HubHarness) => Promise<void>): Promise<void> {
  const hub = await openHarness(options);
  try {
    await run(hub);
  } finally {
    await hub.close();
  }
}
