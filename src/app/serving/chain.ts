/** The page of a chain at its own host: its places as their stores say, read again when they have changed. */

import { setImmediate, setTimeout as wait } from "node:timers/promises";
import { aggregateRatingOf } from "../../edition/aggregate-rating.ts";
import type { Document } from "../../edition/document.ts";
import type { ChainPlace } from "../../edition/places-schema.ts";
import { shownError } from "../../http/page-answers.ts";
import { otherSpelling } from "../../http/path-spellings.ts";
import { refuse } from "../../http/refusal.ts";
import { deliverDocument, moved, preflight } from "../../http/routes.ts";
import { normalForm } from "../../lib/normal-form.ts";
import { renderChainDocuments, renderChainMiss, renderChainPage } from "../../page/chain-page.ts";
import { readBusiness } from "../../store/store.ts";
import { readPublishedFigures, readStoreAt } from "../../store/store-survey.ts";
import type { ChainFile } from "../sites/chain-file.ts";

/** A site of the chain that is published. */
export interface ChainSite {
  readonly name: string;
  readonly baseUrl: string;
  readonly storeUrl: string;
  /** Changes with the site's store. */
  readonly stamp: string;
}

export interface ServedChain {
  answer(request: Request): Promise<Response>;
}

const RETRY_SOON = { "Retry-After": "5" };
/** How long what was read of the places is served before their files are looked at again. */
const FRESH_MS = 1_000;
/** How long an answer waits until the places have been read for the first time: each takes some milliseconds. */
const MAX_FIRST_MS = 10_000;

interface Contents {
  readonly places: readonly ChainPlace[];
  readonly documents: ReadonlyMap<string, Document>;
  readonly changedAt: Date;
}

/** Opens the page of a chain. `sites` lists its sites with their stamps as they are now. */
export function openChain(
  chain: ChainFile,
  sites: () => Promise<readonly ChainSite[]>,
  { cacheControl, maxFirstMs = MAX_FIRST_MS }: { readonly cacheControl: string; readonly maxFirstMs?: number },
): ServedChain {
  const known = new Map<string, { readonly stamp: string; readonly place: ChainPlace; readonly at: string }>();
  let contents: Contents | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<Contents> | undefined;

  async function read(): Promise<Contents> {
    const startedAt = performance.now();
    const listed = await sites();
    let isNew = contents === undefined || listed.length !== known.size;
    for (const site of listed) {
      const key = `${site.name} ${site.baseUrl}`;
      if (known.get(key)?.stamp === site.stamp) continue;
      const place = await readPlace(site).catch(() => undefined); // goodword sites says what is wrong with it
      if (place === undefined) known.delete(key);
      else known.set(key, { stamp: site.stamp, ...place });
      isNew = true;
      await setImmediate();
    }
    const keys = new Set(listed.map(({ name, baseUrl }) => `${name} ${baseUrl}`));
    for (const key of known.keys()) if (!keys.has(key)) known.delete(key);
    readAt = startedAt;
    if (!isNew && contents !== undefined) return contents;
    const found = [...known.values()];
    const places = found.map(({ place }) => place).toSorted(byName);
    const changedAt = new Date(
      found
        .map(({ at }) => at)
        .toSorted()
        .at(-1) ?? 0,
    );
    contents = {
      places,
      changedAt,
      documents: new Map(renderChainDocuments(chain, places).map((each) => [each.path, each])),
    };
    return contents;
  }

  function current(): Promise<Contents> {
    if (contents !== undefined && performance.now() - readAt < FRESH_MS) return Promise.resolve(contents);
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  async function documentAt({ pathname, searchParams }: URL): Promise<readonly [Document | undefined, Date]> {
    const { places, documents, changedAt } = await current();
    if (pathname !== "/") return [documents.get(pathname), changedAt];
    const [query, at] = [searchParams.get("query") ?? "", searchParams.get("offset") ?? "0"];
    const offset = /^\d{1,6}$/.test(at) ? Number(at) : 0;
    return [renderChainPage(chain, places, { query: query.slice(0, 200), offset }), changedAt];
  }

  return {
    async answer(request) {
      const url = new URL(request.url);
      const { method } = request;
      const first = contents ?? (await Promise.race([current(), wait(maxFirstMs, undefined, { ref: false })]));
      if (first === undefined) return await shownError(request, url.pathname, refuseUntilRead());
      const [document, lastModified] = await documentAt(url);
      const spelling = document ?? otherSpelling(url.pathname, [...(await current()).documents.keys(), "/"]);
      if (typeof spelling === "string") return moved(spelling, request.url);
      if (document === undefined) {
        const refused = refuse(404, `Nothing is at ${url.pathname.slice(0, 200)}`);
        return await shownError(request, url.pathname, refused, { render: () => renderChainMiss(chain) });
      }
      if (method === "OPTIONS") return preflight(ALLOW, request);
      if (method !== "GET" && method !== "HEAD")
        return refuse(405, `${url.pathname} does not take ${method}, but ${ALLOW}`, { headers: { Allow: ALLOW } });
      const settings = { baseUrl: chain.base_url, cacheControl, lastModified, path: url.pathname };
      return await deliverDocument(request, document, settings, () => new Date());
    },
  };
}

/** At the last host of a chain whose file is at fault. */
export const FAULTY_CHAIN: ServedChain = {
  answer: async (request) => {
    const refused = refuse(503, "What is published here cannot be shown at the moment", { headers: RETRY_SOON });
    return await shownError(request, new URL(request.url).pathname, refused);
  },
};

const ALLOW = "GET, HEAD, OPTIONS";

function refuseUntilRead(): Response {
  return refuse(503, "The places are still being read: ask again in some seconds", { headers: RETRY_SOON });
}

const { compare } = new Intl.Collator("en");

/** A name may have marks without end, which take minutes to compare, while every site of the process waits. */
const nameToCompare = ({ name }: PlaceOrder) => normalForm(name.slice(0, MAX_COMPARED), "NFC");
const MAX_COMPARED = 100;

type PlaceOrder = Pick<ChainPlace, "name" | "base_url">;

/** The order of places on a chain's page: by the beginnings of their names, then by address. */
export function byName(one: PlaceOrder, other: PlaceOrder): number {
  return compare(nameToCompare(one), nameToCompare(other)) || (one.base_url < other.base_url ? -1 : 1);
}

async function readPlace({ name, baseUrl, storeUrl }: ChainSite) {
  return await readStoreAt(storeUrl, async (database) => {
    const business = await readBusiness(database);
    const { ratingCounts, newestReview, lastChangeAt } = await readPublishedFigures(database);
    const place: ChainPlace = {
      name: business?.name ?? name,
      base_url: baseUrl,
      locality: business?.address?.locality ?? null,
      aggregate_rating: aggregateRatingOf(ratingCounts),
      newest_review: newestReview ?? null,
    };
    return { place, at: lastChangeAt ?? "" };
  });
}
