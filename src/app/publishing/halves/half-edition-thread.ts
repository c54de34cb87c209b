/** The thread that makes the older half of an edition with very many new reviews, beside the one that renders it. */
import { parentPort, workerData } from "node:worker_threads";
import { lowerThreadPriority } from "../../../analysis/low-priority.ts";
import { taxonomyOf } from "../../../analysis/trade-taxonomy.ts";
import type { Half } from "../../../store/review-rows.ts";
import { openStore, readBusiness } from "../../../store/store.ts";
import { type HalfEdition, makeHalf } from "./half-edition.ts";

export interface HalfEditionSettings {
  readonly databaseUrl: string;
}

/** What the thread says: the half that it was asked for, or why there is none. */
export type HalfAnswer = { readonly half: HalfEdition | undefined } | { readonly fault: string };

if (parentPort !== null) {
  lowerThreadPriority();
  const port = parentPort;
  const { databaseUrl } = workerData as HalfEditionSettings;
  const opening = openStore(databaseUrl).then(async (store) => {
    taxonomyOf(await readBusiness(store.database)); // before it is asked for anything
    return store;
  });
  opening.catch(() => {}); // the answer reports it
  port.on("message", async (half: Half) => {
    try {
      port.postMessage({ half: await makeHalf(await opening, half) } satisfies HalfAnswer);
    } catch (error) {
      port.postMessage({ fault: String(error) } satisfies HalfAnswer);
    }
  });
}
