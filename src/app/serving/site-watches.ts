/** Watches on the folders of sites: they tell whose files may have changed since they were last looked at. */
import { type FSWatcher, watch } from "node:fs";
import { dirname } from "node:path";
import { storeFileOf } from "../../store/engine/store-url.ts";
import type { HostedSite } from "./hosted-site.ts";

/** Calls back for each change of what is in a folder. @throws Error if that cannot be watched. */
export type WatchFolder = (
  folder: string,
  options: { readonly persistent: false },
  onChange: () => void,
) => Pick<FSWatcher, "on" | "close">;

type Watched = Pick<HostedSite, "name" | "folder" | "storeUrl">;

export interface SiteWatches {
  /** Whether a site's files are to be looked at now. What changes from now on is told the next time. */
  mayDiffer(each: Watched): boolean;
  /** Watches a site's folders anew: others may have taken their places. */
  renew(each: Watched): void;
  /** Ends the watches of all other sites. */
  keep(sites: readonly Watched[]): void;
}

interface SiteWatch {
  readonly watchers: Pick<FSWatcher, "close">[];
  /** Whether something was told of its folders, and whether something there may change untold. */
  isTold: boolean;
  isBlind: boolean;
}

/** Makes watches, of no site at first. Elsewhere than on Linux, a folder need not tell what happens to its files. */
export function makeSiteWatches(watchFolder: WatchFolder | undefined = linuxWatch()): SiteWatches {
  const watches = new Map<string, SiteWatch>();

  function renew({ name, folder, storeUrl }: Watched): void {
    end(name);
    const found: SiteWatch = { watchers: [], isTold: false, isBlind: watchFolder === undefined };
    watches.set(name, found);
    const store = storeFileOf(storeUrl);
    for (const path of [folder, ...(store === undefined ? [] : [dirname(store)])]) {
      try {
        const watcher = watchFolder?.(path, { persistent: false }, () => {
          found.isTold = true;
        });
        watcher?.on("error", () => {
          found.isBlind = true;
        });
        if (watcher !== undefined) found.watchers.push(watcher);
      } catch (error) {
        // The folder of the store may be made later, which the site's own tells.
        if (path === folder || (error as NodeJS.ErrnoException).code !== "ENOENT") found.isBlind = true;
      }
    }
  }

  function end(name: string): void {
    for (const watcher of watches.get(name)?.watchers ?? []) watcher.close();
    watches.delete(name);
  }

  return {
    mayDiffer(each) {
      const found = watches.get(each.name);
      if (found === undefined || found.isTold) renew(each); // before the look, so that nothing changes between them untold
      return found === undefined || found.isTold || found.isBlind;
    },
    renew,
    keep(sites) {
      const names = new Set(sites.map(({ name }) => name));
      for (const name of [...watches.keys()]) if (!names.has(name)) end(name);
    },
  };
}

function linuxWatch(): WatchFolder | undefined {
  return process.platform === "linux" ? watch : undefined;
}
