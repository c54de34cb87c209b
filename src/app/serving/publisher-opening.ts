/** Opens the publication of a server: the cached edition at first, then each edition that the renderer makes. */
import type { Logger } from "pino";
import { compressLarge } from "../../edition/codings.ts";
import type { RenderedEdition } from "../../edition/render-datasets.ts";
import { readEditionCache, readEditionCacheInSteps } from "../../publication/edition-cache.ts";
import { isCachedInRow, readEditionRow } from "../../publication/edition-row.ts";
import { openPublisher, type Publisher, type PublisherParts } from "../../publication/publisher.ts";
import type { Renderer } from "../../publication/renderer.ts";
import type { EditionCacheSettings } from "../../publication/serialised-edition.ts";
import { isDatabaseAway } from "../../store/engine/database-outage.ts";
import type { Store } from "../../store/store.ts";
import { makeOutageLog } from "./outage-log.ts";
import type { Closing } from "./services.ts";

/** Large documents take seconds each to compress, so they wait until no newer edition has come for this long. */
const COMPRESS_LARGE_AFTER_MS = 5_000;

interface PublicationParts extends Pick<PublisherParts, "isCacheTrusted" | "pollMs"> {
  /** What was read of the edition cache ahead. Without it, the cache is read. */
  readonly read?: CacheReading | undefined;
  readonly renderer: Renderer;
  readonly stored: Promise<Store>;
  readonly closers: AsyncDisposableStack;
  /** What is closed together, each within a time limit of its own. */
  readonly closing: Closing[];
  readonly log: Logger;
}

/** The cached edition, if there is one. */
export interface CacheReading {
  readonly cached: RenderedEdition | undefined;
}

/** Opens the publisher, which is closed with `closers`, and its renderer, which is closed beside the server. */
export function openServerPublisher(
  settings: EditionCacheSettings,
  { renderer: renderers, stored, closers, closing, log, read, ...polling }: PublicationParts,
): Publisher {
  const { cached } = read ?? readCache(settings, log);
  const renderer = renderers.open(settings, (problem) =>
    log.warn({ err: problem }, "Something failed after an edition was published"),
  );
  closing.push(renderer);
  if (cached === undefined) renderer.start(); // otherwise it would delay the first answers, which need no thread
  const outage = makeOutageLog(log, () => performance.now());
  const reader = stored.then(async ({ database }) => {
    const { readRevision } = await import("../../store/store.ts"); // loaded after the first answers
    return async () => await readRevision(database);
  });
  reader.catch(() => {}); // the publisher reports it
  const publisher = openPublisher({
    ...polling,
    cached,
    async readRevision() {
      const revision = await (await reader)();
      outage.recordRecovery();
      return revision;
    },
    render: renderer.render,
    isAway: isDatabaseAway,
    onFault(error) {
      if (isDatabaseAway(error)) outage.recordFailure(error);
      else log.error({ err: error }, "The newest change could not be published: what was published before stays");
    },
  });
  closers.defer(publisher.close);
  let compressing: NodeJS.Timeout | undefined;
  closers.defer(() => clearTimeout(compressing));
  publisher.onEdition((edition) => {
    const { revision, reviewCount, business, sample } = edition;
    const message = sample
      ? "Published the sample business, which is invented: import your own reviews to replace it"
      : "Published the reviews as they are now";
    log.info({ revision, business: business.name, reviews: reviewCount }, message);
    clearTimeout(compressing);
    compressing = setTimeout(() => {
      compressLarge(publisher.current()?.documents() ?? []).catch(() => {}); // the first request for one tries again
    }, COMPRESS_LARGE_AFTER_MS).unref();
  });
  return publisher;
}

function readCache(settings: EditionCacheSettings, log: Logger): CacheReading {
  try {
    return { cached: told(readEditionCache(settings), log) };
  } catch (error) {
    return ignored(error, log);
  }
}

/** Reads the cache of a site while others are served. */
export async function readCacheAhead(settings: EditionCacheSettings, log: Logger): Promise<CacheReading> {
  try {
    const read = isCachedInRow(settings) ? readEditionRow : readEditionCacheInSteps;
    return { cached: told(await read(settings), log) };
  } catch (error) {
    return ignored(error, log);
  }
}

function told(cached: RenderedEdition | undefined, log: Logger): RenderedEdition | undefined {
  if (cached !== undefined)
    log.debug({ revision: cached.revision }, "Serving the cached edition until the store is open");
  return cached;
}

function ignored(error: unknown, log: Logger): CacheReading {
  log.warn({ err: error }, "The edition cache is damaged and was ignored; rendering from the store");
  return { cached: undefined };
}
