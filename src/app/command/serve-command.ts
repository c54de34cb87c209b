/** `goodword serve`: serves in this process, or in several supervised ones, until a stop signal. */
import { once } from "node:events";
import { createServer } from "node:net";
import type { Logger } from "pino";
import type { Edition } from "../../edition/edition.ts";
import { isPostgres, storeFileOf } from "../../store/engine/store-url.ts";
import { type Config, readConfig } from "../config.ts";
import { shareWithWorkers } from "../metrics/worker-metrics.ts";
import {
  disconnectWorker,
  isFirstWorker,
  isWorker,
  openOrders,
  reportServing,
  superviseWorkers,
} from "../server-processes.ts";
import { serve } from "../serving/serve.ts";
import type { SettingsFile } from "../settings-file.ts";
import { openStopSignal } from "../stop-signal.ts";
import { firstScreen } from "../terminal/first-screen.ts";
import { openLog } from "../terminal/log.ts";
import { describeStore, storeLine } from "../terminal/store-note.ts";
import { asTyped } from "../terminal/typed-command.ts";

export interface ServeFlags {
  readonly port?: string;
  readonly workers?: string;
  readonly watch?: string;
}

/** Serves until a stop signal. @throws Error if the store or the port is unavailable, or a worker cannot start. */
export async function serveCommand(
  { port, workers, watch }: ServeFlags,
  settings: readonly SettingsFile[],
): Promise<void> {
  const overrides = {
    ...(port === undefined ? {} : { PORT: port }),
    ...(workers === undefined ? {} : { WORKERS: workers }),
  };
  const config = readConfig({ ...process.env, ...overrides });
  const log = openLog(config.LOG_LEVEL, process.stderr.isTTY);
  const stop = openStopSignal(log);
  const note = describeStore(config.DATABASE_URL);
  const onFirstEdition = process.stderr.isTTY
    ? (edition: Edition | undefined) => {
        if (edition === undefined) return;
        const { business, reviewCount, sample, baseUrl } = edition;
        const serving = { business: business.name, reviews: reviewCount, sample, url: baseUrl, watched: watch };
        process.stderr.write(asTyped(`\n${firstScreen({ ...serving, storeLocation: note.location })}\n`));
      }
    : () => {};
  if (isWorker()) {
    const onReady = (edition: Edition | undefined, servedPort: number) => {
      reportServing(servedPort);
      if (isFirstWorker()) onFirstEdition(edition);
    };
    const orders = openOrders();
    await serve(config, log, stop, { ...orders, onFirstEdition: onReady, shareMetrics: shareWithWorkers });
    return disconnectWorker();
  }
  for (const { path, names } of settings) log.info({ settings: names }, `Settings: ${path}`);
  if (config.SITES === "") log.info({ store: note.location, ...(note.isNew ? { new: true } : {}) }, storeLine(note));
  if (config.SITES === "" && note.warning !== undefined) log.warn(note.warning);
  const ended = new AbortController();
  const watching =
    watch === undefined ? undefined : watchInto(watch, config, { log, stop: AbortSignal.any([stop, ended.signal]) });
  try {
    if (config.WORKERS === 1) await serve(config, log, stop, { onFirstEdition });
    else await serveByWorkers(config, log, stop);
  } finally {
    ended.abort();
    await watching;
  }
}

async function watchInto(
  folder: string,
  config: Config,
  { log, stop }: { readonly log: Logger; readonly stop: AbortSignal },
): Promise<void> {
  if (config.SITES !== "") {
    const { watchFoldersOfSites } = await import("../sites/watched-sites.ts");
    return await watchFoldersOfSites(folder, config.SITES, process.env, { log, stop });
  }
  const { makeFolderImport, watchFolder } = await import("../watched-folder.ts");
  await watchFolder(folder, log, stop, {
    importFolder: makeFolderImport(config),
    storeFile: storeFileOf(config.DATABASE_URL),
  });
}

/**
 * Migrates an embedded store once, before several workers open it. With PostgreSQL, each worker waits for its turn. The
 * port is tried first, so that a port in use leaves no new store behind.
 */
async function serveByWorkers(config: Config, log: Logger, stop: AbortSignal): Promise<void> {
  const trial = createServer().listen(config.PORT, config.HOST);
  await once(trial, "listening");
  trial.close();
  await once(trial, "close");
  if (config.SITES === "" && !isPostgres(config.DATABASE_URL)) {
    const { openStore } = await import("../../store/store.ts");
    await (await openStore(config.DATABASE_URL)).close();
  }
  await superviseWorkers(config.WORKERS, log, stop);
}
