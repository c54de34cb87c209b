/** The system's Chromium, for tests that need a real browser. */
import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

const PATH = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
  existsSync(path),
);

/** Why a test that needs a browser is skipped, or false where there is one. */
export const withoutChromium: string | false =
  PATH === undefined ? "there is no Chromium here (Debian: apt-get install chromium)" : false;

/** Starts it without a window, and without any request of its own. */
export async function openChromium(): Promise<Browser> {
  return await chromium.launch({
    executablePath: PATH ?? "",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--in-process-gpu", // with one process for all pages a new page takes a third less of the processor
      "--renderer-process-limit=1",
      "--disable-quic",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** Longer than anything takes on a machine that does thirty things at once. */
export const DEADLINE_MS = 180_000;
const VIEWPORT = { width: 1280, height: 720 };

export interface Tabs {
  /** A tab with these options that no other test uses now. */
  take(options?: BrowserContextOptions): Promise<Page>;
  /** Called after each test: takes its tabs back, without what it set and listened to, and closes those it opened itself. */
  release(): Promise<void>;
}

/** Tabs that tests use one after the other: a new one costs as much of the processor as some ten pages. */
export function openTabs(browser: Browser): Tabs {
  const all: { readonly page: Page; readonly options: string; isFree: boolean }[] = [];
  return {
    async take(given = {}) {
      const options = JSON.stringify(given);
      const free = all.find((tab) => tab.isFree && tab.options === options);
      if (free !== undefined) {
        free.isFree = false;
        return free.page;
      }
      const context = await browser.newContext({ viewport: VIEWPORT, ...given });
      context.setDefaultTimeout(DEADLINE_MS);
      const page = await context.newPage();
      all.push({ page, options, isFree: false });
      return page;
    },
    async release() {
      const kept = new Set(all.map(({ page }) => page.context()));
      for (const context of browser.contexts()) if (!kept.has(context)) await context.close();
      for (const tab of all.filter(({ isFree }) => !isFree)) {
        const { page, options } = tab;
        for (const event of ["console", "pageerror", "request", "response", "load"]) page.removeAllListeners(event);
        await page.goto("about:blank");
        await page.context().clearCookies();
        await page.emulateMedia({ media: null });
        await page.setViewportSize((JSON.parse(options) as BrowserContextOptions).viewport ?? VIEWPORT);
        tab.isFree = true;
      }
    },
  };
}
