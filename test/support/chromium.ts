/** The system's Chromium, for tests that need a real browser. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

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
