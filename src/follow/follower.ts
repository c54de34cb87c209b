/**
 * Follows the addresses in business.yaml: fetches each when it is due and has it imported like a file. A claim ensures
 * that only one process at a time does so.
 */
import type { FileHandle } from "node:fs/promises";
import { type FollowedSource, intervalSeconds } from "../business.ts";
import { plainIssues } from "../import/plain-issue.ts";
import { Invalid } from "../issue.ts";
import { constantName, type OwnWords, ownWords } from "../lib/own-words.ts";
import { openPrivateFile } from "../lib/private-file.ts";
import { parseAddressRanges } from "../outbound/address-class.ts";
import { type NameResolution, openNameResolution } from "../outbound/name-resolution.ts";
import { makeConnector } from "../outbound/vetted-connection.ts";
import { type Claim, type Claims, FOLLOWING } from "../store/claims.ts";
import { isDatabaseAway } from "../store/engine/database-outage.ts";
import {
  type FollowedSourceRow,
  keepFollowedSource,
  keepOnlyFollowed,
  readFollowedSources,
} from "../store/followed-source-rows.ts";
import { readBusiness, type Store } from "../store/store.ts";
import { type SourceName, sourceKey, sourceNaming } from "./shown-source.ts";
import { type Fetched, fetchSource, SourceFault } from "./source-fetch.ts";
import { isDue, nextAfterFailure, nextAfterSuccess } from "./source-schedule.ts";

/** The outcome of importing fetched content. */
export interface SourceReport {
  readonly added: number;
  readonly changed: number;
  readonly withdrawn: number;
  readonly read: number;
  /** Reviews that are kept but not published. */
  readonly withheld: number;
  /** They may quote the file: for the owner's terminal alone. */
  readonly warnings: readonly string[];
}

/** A followed source with the name that others may read. */
export interface NamedSource extends FollowedSource {
  readonly name: SourceName;
}

/**
 * Imports a fetched file as reviews of the source. It has ended, and reads the file no more, when the promise settles.
 * @throws Invalid with the issues if it is refused.
 */
type ImportSource = (file: FileHandle, source: NamedSource, signal: AbortSignal) => Promise<SourceReport>;

/** An event about a followed source. */
export type FollowEvent =
  | ({ readonly event: "imported"; readonly source: NamedSource } & SourceReport)
  | { readonly event: "unchanged"; readonly source: NamedSource }
  | {
      readonly event: "failed";
      readonly source: NamedSource;
      readonly reason: OwnWords;
      /** The reason with quotations of the file: for the owner's terminal alone. */
      readonly quoting: string;
      readonly failures: number;
      readonly next: string;
    }
  | { readonly event: "fault"; readonly error: unknown };

export interface FollowerParts {
  readonly store: Store;
  /** CIDR ranges of addresses that sources may have although they are not public. */
  readonly allowedAddresses: readonly string[];
  /** An HTTP proxy that every request goes through. */
  readonly proxyUrl?: string | undefined;
  /** Reads an environment variable, for the value of a header. */
  readonly environment: (name: string) => string | undefined;
  readonly importSource: ImportSource;
  /** A secret of the store, from which the sources have their names. */
  readonly secret: Uint8Array;
  readonly log: (event: FollowEvent) => void;
  readonly now: () => Date;
  /** A number from 0 to 1. */
  readonly random: () => number;
  readonly claims: Claims;
  /** A monotonic clock in milliseconds. */
  readonly clock?: () => number;
  readonly resolution?: NameResolution;
  readonly intervalMs?: number;
  readonly deadlineMs?: number;
  readonly maxBytes?: number;
}

export interface Follower {
  /** Starts checking for due addresses every few seconds. */
  start(): void;
  /**
   * Fetches the due addresses now; a forced round fetches all. Returns false if another process holds the claim. The
   * failures of a forced round are reported but not recorded, because the terminal's settings may have caused them.
   */
  round(options?: { readonly isForced?: boolean }): Promise<boolean>;
  /** Seconds since the last round ended, or since the follower was opened. A round without the claim counts, too. */
  secondsSinceRound(): number;
  /** Aborts the current work. */
  close(): Promise<void>;
}

interface Round {
  readonly claim: Claim;
  readonly signal: AbortSignal;
  readonly isForced: boolean;
}

const DEFAULT_INTERVAL_MS = 2_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** Opens a follower. */
export function openFollower(parts: FollowerParts): Follower {
  const { claims, store, now, random, log, intervalMs = DEFAULT_INTERVAL_MS } = parts;
  const connect = makeConnector({
    resolution: parts.resolution ?? openNameResolution(),
    allowed: parseAddressRanges(parts.allowedAddresses),
    timeoutMs: CONNECT_TIMEOUT_MS,
    proxyUrl: parts.proxyUrl,
  });
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<unknown> = Promise.resolve();
  const nameOf = sourceNaming(parts.secret);
  const clock = parts.clock ?? (() => performance.now());
  let roundEndedAt = clock();

  async function round({ isForced = false } = {}): Promise<boolean> {
    const sources = (await readBusiness(store.database))?.sources ?? [];
    const selected = async () => (isForced ? sources : await due(sources));
    if ((await selected()).length === 0) return true;
    const [claim] = await claims.take([FOLLOWING]);
    if (claim === undefined) return false;
    const signal = AbortSignal.any([stop.signal, claim.lost]);
    try {
      await keepOnlyFollowed(store, sources.map(sourceKey));
      for (const source of await selected()) {
        if (signal.aborted || !claim.isCertain()) break; // another process, or the next round, goes on
        await follow({ ...source, name: nameOf(source) }, { claim, signal, isForced });
      }
      return true;
    } finally {
      await claims.release([claim]);
    }
  }

  async function due(sources: readonly FollowedSource[]): Promise<FollowedSource[]> {
    if (sources.length === 0) return [];
    const rows = await readFollowedSources(store);
    const time = now();
    return sources.filter((source) => isDue(rows.get(sourceKey(source))?.next_at ?? "", time, everySecondsOf(source)));
  }

  /** Fetches and imports one address, and records the outcome. */
  async function follow(source: NamedSource, { claim, signal, isForced }: Round): Promise<void> {
    const key = sourceKey(source);
    const row = (await readFollowedSources(store)).get(key);
    const lastAt = now();
    const everySeconds = everySecondsOf(source);
    try {
      const { fetched, report } = await fetchAndImport(source, row, signal);
      const validators =
        fetched.kind === "content" ? { etag: fetched.etag, last_modified: fetched.lastModified } : validatorsOf(row);
      await keepFollowedSource(store, claim, {
        ...{ key, last_at: lastAt.toISOString(), outcome: outcomeOf(report), failures: 0, ...validators },
        next_at: nextAfterSuccess(lastAt, everySeconds, random()).toISOString(),
      });
      log(report === undefined ? { event: "unchanged", source } : { event: "imported", source, ...report });
    } catch (error) {
      if (signal.aborted) return;
      const reason = plainReason(error);
      const quoting = error instanceof SourceFault ? reason : `Its content was not imported: ${messageOf(error)}`;
      if (isForced) {
        const { failures = 0, next_at: next = lastAt.toISOString() } = row ?? {};
        return log({ event: "failed", source, reason, quoting, failures, next });
      }
      const failures = (row?.failures ?? 0) + 1;
      const retryAfterSeconds = error instanceof SourceFault ? error.retryAfterSeconds : undefined;
      const next = nextAfterFailure(lastAt, { everySeconds, failures, retryAfterSeconds }, random()).toISOString();
      const outcome = ownWords`failed: ${reason}`;
      await keepFollowedSource(store, claim, {
        ...{ key, last_at: lastAt.toISOString(), outcome, failures, ...validatorsOf(row) },
        next_at: next,
      });
      log({ event: "failed", source, reason, quoting, failures, next });
    }
  }

  async function fetchAndImport(
    source: NamedSource,
    row: FollowedSourceRow | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly fetched: Fetched; readonly report: SourceReport | undefined }> {
    const { etag, last_modified: lastModified } = validatorsOf(row);
    const secretHeaders = headerOf(source, parts.environment);
    await using file = await openPrivateFile();
    const fetched = await fetchSource({ url: source.url, secretHeaders, etag, lastModified, signal }, file, {
      ...{ connect, now },
      ...(parts.deadlineMs === undefined ? {} : { deadlineMs: parts.deadlineMs }),
      ...(parts.maxBytes === undefined ? {} : { maxBytes: parts.maxBytes }),
    });
    if (fetched.kind === "unchanged") return { fetched, report: undefined };
    return { fetched, report: await parts.importSource(file, source, signal) };
  }

  function loop(): void {
    underWay = round()
      .catch((error: unknown) => {
        // The publisher reports an unreachable database: it queries it more often.
        if (!stop.signal.aborted && !isDatabaseAway(error)) log({ event: "fault", error });
      })
      .then(() => {
        roundEndedAt = clock();
        if (!stop.signal.aborted) timer = setTimeout(loop, intervalMs);
      });
  }

  return {
    start: loop,
    round,
    secondsSinceRound: () => (clock() - roundEndedAt) / 1000,
    async close() {
      stop.abort();
      clearTimeout(timer);
      await underWay;
    },
  };
}

/** Why a source was not imported, without a word of what was fetched. */
function plainReason(error: unknown): OwnWords {
  if (error instanceof SourceFault) return error.reason;
  const reason = error instanceof Invalid ? plainIssues(error.issues) : ownWords`the import ended with an error`;
  return ownWords`Its content was not imported: ${reason}. goodword sources --fetch tries again and says more`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function everySecondsOf({ every }: FollowedSource): number {
  return intervalSeconds(every) ?? 86_400;
}

function validatorsOf(row: FollowedSourceRow | undefined) {
  return { etag: row?.etag ?? null, last_modified: row?.last_modified ?? null };
}

function headerOf({ header }: FollowedSource, environment: FollowerParts["environment"]): Record<string, string> {
  if (header === undefined) return {};
  const value = environment(header.from_env)?.trim();
  if (value === undefined || value === "") {
    const name = constantName(header.from_env) ?? ownWords`that header.from_env names`;
    throw new SourceFault(ownWords`The setting ${name}, which holds its header, is not set`);
  }
  return { [header.name]: value };
}

function outcomeOf(report: SourceReport | undefined): OwnWords {
  if (report === undefined) return ownWords`not changed`;
  const { added, changed, withdrawn } = report;
  return ownWords`imported: ${added} added, ${changed} changed, ${withdrawn} withdrawn`;
}
