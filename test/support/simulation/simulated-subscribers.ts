/** Simulated subscribers: they answer, fail or hang after virtual time, and remember what they were sent. */

import type { CallbackAnswer, CallbackRequest } from "../../../src/hub/callback/callback.ts";
import { parseCallback, subscriptionId } from "../../../src/hub/callback/callback-url.ts";
import { ownWords } from "../../../src/lib/own-words.ts";
import type { Subscription } from "../../../src/subscription.ts";
import { type Fault, type Host, makeChoices, type Plan } from "./history-plan.ts";
import type { VirtualProcess, VirtualTime } from "./virtual-time.ts";

export const TOPIC = "/feed.xml";
const TIMEOUT_MS = 10_000;
const MAX_FAULT_AT_MS = 10_000;

export interface Subscriber {
  readonly subscription: Omit<Subscription, "intent" | "lease">;
  readonly host: Host;
  readonly fault: Fault | undefined;
  /** When it acknowledged each revision. */
  readonly acknowledged: Map<number, number[]>;
  /** Failures of deliveries in a row, and of verifications, as far as a process has learned of them. */
  failures: number;
  unverified: number;
  /** Whether a process has learned that it is gone. */
  isGone: boolean;
  /** The revision that it knew when it subscribed; 0 for those who were subscribed from the beginning. */
  knownRevision: number;
}

/** What is checked when it happens. */
interface Watch {
  onDelivery(process: VirtualProcess, subscriber: Subscriber): void;
  onAcknowledged(subscriber: Subscriber, revision: number): void;
  onFailure(subscriber: Subscriber): void;
}

export interface SimulatedSubscribers {
  readonly all: ReadonlyMap<string, Subscriber>;
  /** Adds one, which knows a revision. */
  add(knownRevision: number): Subscriber;
  /** Takes a request of a process. */
  send(
    process: VirtualProcess & { readonly hasNetworkFrom: number },
    request: CallbackRequest,
  ): Promise<CallbackAnswer>;
}

/** Opens the subscribers of a plan: none yet. */
export function openSimulatedSubscribers(
  time: VirtualTime,
  { hosts, faultyShare }: Plan,
  { random, watch }: { readonly random: () => number; readonly watch: Watch },
): SimulatedSubscribers {
  const { between, chance, oneOf, whole } = makeChoices(random);
  const all = new Map<string, Subscriber>();

  function add(knownRevision: number): Subscriber {
    const index = whole(0, hosts.length - 1);
    const parsed = parseCallback(`https://h${index}.example${index % 5}/${all.size}`, []);
    if (typeof parsed === "string") throw new Error(parsed);
    const { url: callback, origin, site, shard } = parsed;
    const id = subscriptionId(TOPIC, callback);
    const from = between(0, MAX_FAULT_AT_MS);
    const fault = { kind: oneOf(["fails", "fails", "hangs"] as const), from, to: from + between(500, 8000) };
    const subscriber: Subscriber = {
      subscription: { id, shard, topic: TOPIC, callback, origin, site },
      host: hosts[index] as Host,
      fault: chance(faultyShare) ? fault : undefined,
      acknowledged: new Map(),
      ...{ failures: 0, unverified: 0, isGone: false, knownRevision },
    };
    all.set(callback, subscriber);
    return subscriber;
  }

  return {
    all,
    add,
    async send(process, { method, body, origin, target, signal, gate }) {
      if (!gate.claim(origin)) return { kind: "busy", reason: ownWords`no slot` };
      const { promise, resolve } = Promise.withResolvers<CallbackAnswer>();
      const giveUp = () => resolve({ kind: "local failure", reason: ownWords`Given up` });
      const answerAfter = (ms: number, answer: CallbackAnswer) =>
        time.deliver(process, () => (signal.aborted ? giveUp() : learn(answer)), ms);
      signal.addEventListener("abort", giveUp, { once: true });
      if (signal.aborted) giveUp();
      if (time.now() < process.hasNetworkFrom) answerAfter(5, { kind: "local failure", reason: ownWords`No network` });
      else deliver();
      return await promise;

      function deliver(): void {
        const subscriber = subscriberAt(origin, target);
        if (method === "POST") watch.onDelivery(process, subscriber);
        const travelMs = (subscriber.host.latencyMs / 2) * between(0.5, 1.5);
        time.after(travelMs, () => {
          const kind = faultOf(subscriber);
          if (kind === undefined && method === "POST") {
            const revision = Number(/\d+/.exec(Buffer.from(body ?? []).toString())?.[0]);
            const times = subscriber.acknowledged.getOrInsertComputed(revision, () => []);
            times.push(time.now());
            watch.onAcknowledged(subscriber, revision);
          }
          if (kind === "hangs")
            answerAfter(TIMEOUT_MS - travelMs, { kind: "silent", reason: ownWords`No answer in time` });
          else {
            const status = kind === "gone" ? 410 : kind === "fails" ? 500 : 200;
            const challenge = new URL(origin + target).searchParams.get("hub.challenge") ?? "";
            const text = Buffer.from(status === 200 ? challenge : "");
            answerAfter(travelMs, { kind: "answered", status, body: text, complete: true, retryAfter: undefined });
          }
        });
      }

      function faultOf(subscriber: Subscriber): Fault["kind"] | undefined {
        const now = time.now();
        return [subscriber.host.fault, subscriber.fault].find((each) => each && now >= each.from && now < each.to)
          ?.kind;
      }

      /** The process gets the answer. */
      function learn(answer: CallbackAnswer): void {
        const subscriber = subscriberAt(origin, target);
        const status = answer.kind === "answered" ? answer.status : 0;
        if (answer.kind !== "local failure") {
          if (method === "GET") subscriber.unverified = answer.kind === "silent" ? subscriber.unverified + 1 : 0;
          else if (status === 410) subscriber.isGone = true;
          else subscriber.failures = status === 200 ? 0 : subscriber.failures + 1;
          if (answer.kind === "silent" || (method === "POST" && status === 500)) watch.onFailure(subscriber);
        }
        resolve(answer);
      }
    },
  };

  function subscriberAt(origin: string, target: string): Subscriber {
    return all.get(origin + new URL(origin + target).pathname) as Subscriber;
  }
}
