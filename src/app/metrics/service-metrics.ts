/** Metrics of requests, the edition, the store, followed sources, messages to the owner and the hub. */

import { randomBytes } from "node:crypto";
import type { FollowEvent } from "../../follow/follower.ts";
import { nameText, sourceKey, sourceNaming } from "../../follow/shown-source.ts";
import type { LoadShedding } from "../../http/load-shedding.ts";
import type { RunningServer } from "../../http/server.ts";
import type { CountedEvent, HubStatus } from "../../hub/dispatch/hub-event.ts";
import { freeBytes } from "../../lib/free-bytes.ts";
import type { NoticeEvent } from "../../notices/notifier.ts";
import type { Publisher } from "../../publication/publisher.ts";
import { storeFileOf } from "../../store/engine/store-url.ts";
import { readStoreFigures } from "../../store/history/store-figures.ts";
import { sessionKeys, sourceSecret } from "../../store/session-keys.ts";
import { readBusiness, type Store } from "../../store/store.ts";
import { makeCachedRead } from "./cached-read.ts";
import type { Metric, Sample } from "./metrics.ts";

/** Publishing: the served edition, and its delay behind the store. */
export function publisherMetrics(publisher: Pick<Publisher, "current" | "figures">): readonly Metric[] {
  const { current, figures } = publisher;
  return [
    gauge("edition_revision", "Revision of the edition that is served; -1 before the first", () => {
      return current()?.revision ?? -1;
    }),
    gauge("published_reviews", "Reviews in the edition that is served", () => current()?.reviewCount ?? 0),
    gauge("edition_behind_seconds", "Seconds for which the store has held something newer than is served", () => {
      return figures().secondsBehind;
    }),
    gauge("edition_last_render_seconds", "Seconds that the last edition took", () => figures().lastRenderSeconds),
    gauge("publisher_seconds_since_look", "Seconds since the store last said its revision", () => {
      return figures().secondsSinceLook;
    }),
    counter("editions_published_total", "Editions published by this process", () => figures().published),
    counter("edition_faults_total", "Editions that could not be made", () => figures().faults),
  ];
}

/**
 * The store's size and state, which are read together. `store_up` is 0 when the store fails, hangs for two seconds or
 * cannot be opened yet.
 */
export function storeMetrics(
  stored: Promise<Store>,
  databaseUrl: string,
  isReadOnly: () => boolean,
): readonly Metric[] {
  const read = makeCachedRead(async () => await readStoreFigures(await stored));
  const readSources = makeCachedRead(async () => await sourceFailures(await stored));
  const file = storeFileOf(databaseUrl);
  return [
    gauge("store_up", STORE_UP, () =>
      read().then(
        () => 1,
        () => 0,
      ),
    ),
    gauge("store_writable", "1 when the store accepts changes, 0 when it is read-only, such as a replica", () => {
      return isReadOnly() ? 0 : 1;
    }),
    gauge("store_bytes", "Size of the store", async () => (await read()).bytes),
    counter("store_changes_total", "Changes that the history has numbered", async () => (await read()).changes),
    {
      ...gauge("store_last_change_timestamp_seconds", "When a command last changed what is published", async () =>
        (await read()).lastChanges.map(({ command, at }) => ({ labels: { command }, value: at.getTime() / 1000 })),
      ),
      labels: ["command"],
    },
    {
      ...counter("imports_total", "Imports by command, by outcome", async () =>
        Object.entries((await read()).imports.times).map(([outcome, value]) => ({ labels: { outcome }, value })),
      ),
      labels: ["outcome"],
    },
    gauge("import_failures", "Imports by command that were refused or failed since the last accepted one", async () => {
      return (await read()).imports.failuresInARow;
    }),
    {
      ...gauge("source_failures", "Failures in a row of a followed source", readSources),
      labels: ["source"],
    },
    gauge("notices_waiting", "Messages to the owner that wait, of all addresses", async () => {
      return (await read()).waitingNotices.reduce((sum, { count }) => sum + count, 0);
    }),
    gauge(
      "notices_oldest_waiting_seconds",
      "Seconds for which the oldest message to the owner has waited",
      async () => {
        const since = (await read()).waitingNotices.map((waiting) => Date.parse(waiting.since));
        return Math.max(0, Date.now() - Math.min(Date.now(), ...since)) / 1000;
      },
    ),
    ...(file === undefined
      ? []
      : [
          gauge(
            "store_free_bytes",
            "Free space beside the store",
            makeCachedRead(() => freeBytes(file)),
          ),
        ]),
  ];
}

async function sourceFailures(store: Store): Promise<readonly Sample[]> {
  const { sourceFailures: failures } = await readStoreFigures(store);
  const followed = (await readBusiness(store.database))?.sources ?? [];
  const nameOf = sourceNaming(sourceSecret(await sessionKeys(store, new Date(), randomBytes)));
  return followed.map((source) => ({
    labels: { source: nameText(nameOf(source)) },
    value: failures.get(sourceKey(source)) ?? 0,
  }));
}

/** Open connections, and requests refused because of overload. */
export function httpMetrics(server: RunningServer, shedding: LoadShedding): readonly Metric[] {
  return [
    gauge("http_connections", "Connections of clients that are open", server.connections),
    gauge("http_work_delay_seconds", "Seconds by which the event loop's own work delayed it", shedding.delaySeconds),
    counter(
      "http_shed_total",
      "Costly requests refused because more was asked than could be answered",
      shedding.refused,
    ),
  ];
}

/** The sites of a folder: how many, and how far the slowest of those in use is behind. */
export function manySitesMetrics(sites: {
  count(): number;
  open(): readonly { readonly publisher: Pick<Publisher, "figures"> }[];
  isDatabaseUp(): boolean | undefined;
}): readonly Metric[] {
  const behind = () => Math.max(0, ...sites.open().map(({ publisher }) => publisher.figures().secondsBehind));
  return [
    gauge("sites", "Sites that are served", () => sites.count()),
    gauge("sites_open", "Sites in use: the others rest", () => sites.open().length),
    gauge("edition_behind_seconds", "Seconds for which a store has held something newer than is served", behind),
    gauge("store_up", STORE_UP, () => {
      const isUp = sites.isDatabaseUp();
      return isUp === undefined ? [] : Number(isUp);
    }),
  ];
}

/** The watchdog of following; `read` gives nothing before there is a follower. */
export function followerMetrics(read: () => number | undefined): readonly Metric[] {
  return [
    gauge(
      "following_seconds_since_round",
      "Seconds since it was last looked which followed sources are due",
      () => read() ?? [],
    ),
  ];
}

/** How often fetches of followed sources, and attempts to send the owner a message, ended with each outcome. */
export interface EventCounts {
  readonly fetches: Readonly<Record<FollowEvent["event"], number>>;
  readonly notices: Readonly<Record<NoticeEvent["event"], number>>;
}

export function eventMetrics({ fetches, notices }: EventCounts): readonly Metric[] {
  const read = (counts: Readonly<Record<string, number>>) => () =>
    Object.entries(counts).map(([outcome, value]) => ({ labels: { outcome: outcome.replace(" ", "_") }, value }));
  return [
    counter("source_fetches_total", "Fetches of followed sources, by outcome", read(fetches)),
    counter("notices_total", "Attempts to send the owner a message, by outcome", read(notices)),
  ].map((metric) => ({ ...metric, labels: ["outcome"] }));
}

/** The hub: waiting and running requests, and their outcomes. `status` gives nothing before there is a hub. */
export function hubMetrics(status: () => HubStatus | undefined): readonly Metric[] {
  const read = (choose: (status: HubStatus) => number) => () => {
    const current = status();
    return current === undefined ? [] : choose(current);
  };
  const events = (label: string, names: Readonly<Record<string, CountedEvent>>) => () => {
    const counts = status()?.events;
    if (counts === undefined) return [];
    return Object.entries(names).map(([value, event]) => ({ labels: { [label]: value }, value: counts[event] }));
  };
  const count = (event: CountedEvent) => read(({ events }) => events[event]);
  return [
    gauge(
      "hub_seconds_since_turn",
      "Seconds since the dispatcher last looked for work",
      read((hub) => hub.secondsSinceTurn),
    ),
    gauge(
      "hub_pending_verifications",
      "Requests that wait to be verified",
      read((hub) => hub.pending),
    ),
    gauge(
      "hub_owed_deliveries",
      "Subscriptions to which a delivery is owed",
      read((hub) => hub.owed),
    ),
    gauge(
      "hub_oldest_owed_seconds",
      "Seconds for which the oldest delivery is overdue",
      read((hub) => hub.oldestOwedSeconds),
    ),
    gauge(
      "hub_running_requests",
      "Requests to callbacks under way",
      read((hub) => hub.running),
    ),
    gauge(
      "hub_connections",
      "Connections to callbacks",
      read((hub) => hub.connections),
    ),
    counter(
      "hub_accepted_total",
      "Requests accepted",
      read((hub) => hub.accepted),
    ),
    {
      ...counter(
        "hub_deliveries_total",
        "Attempts to deliver, by outcome",
        events("outcome", { delivered: "delivered", failed: "delivery failed" }),
      ),
      labels: ["outcome"],
    },
    {
      ...counter(
        "hub_subscriptions_started_total",
        "Subscriptions that were verified, new or renewed",
        events("kind", { new: "subscription activated", renewed: "subscription renewed" }),
      ),
      labels: ["kind"],
    },
    {
      ...counter(
        "hub_subscriptions_ended_total",
        "Subscriptions that ended, by reason",
        events("reason", {
          failures: "failures",
          gone: "gone",
          lease_ended: "lease ended",
          unsubscribed: "subscription ended by the subscriber",
        }),
      ),
      labels: ["reason"],
    },
    {
      ...counter(
        "hub_verifications_failed_total",
        "Verifications that did not confirm a request, by reason",
        events("reason", { refused: "verification refused", unanswered: "verification unanswered" }),
      ),
      labels: ["reason"],
    },
    counter("hub_hosts_paused_total", "Times a host was left alone after failures", count("host paused")),
    counter(
      "hub_local_failures_total",
      "Attempts that failed on the hub's own side and were counted against nobody",
      count("local failure"),
    ),
    counter("hub_faults_total", "Faults of the hub itself", count("fault")),
  ];
}

const STORE_UP = "1 when the store answers, 0 when it does not";

function gauge(name: string, help: string, read: Metric["read"]): Metric {
  return { kind: "gauge", name: `goodword_${name}`, help, read };
}

function counter(name: string, help: string, read: Metric["read"]): Metric {
  return { kind: "counter", name: `goodword_${name}`, help, read };
}
