/** `goodword digest`: the last week or month against those before, on the terminal, as data or as a page to print. */
import { digestText, renderDigestPage } from "../../page/digest-page.ts";
import { readDigest } from "../../publication/store-digest.ts";
import { baseUrlOf, type Config } from "../config.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { withExistingStore } from "./existing-store.ts";

export interface DigestFlags {
  readonly month?: boolean;
  readonly print?: boolean;
  readonly json?: boolean;
}

/** Prints the digest. @throws Error if nothing was ever imported into the store. */
export async function digestCommand(config: Config, { month, print, json }: DigestFlags): Promise<void> {
  await withExistingStore(config.DATABASE_URL, async (store) => {
    const digest = await readDigest(store, {
      ...{ cadence: month === true ? "monthly" : "weekly", now: new Date() },
      ...{ baseUrl: baseUrlOf(config, config.PORT), model: config.ANALYZER_MODEL || undefined },
    });
    if (digest === undefined) throw new Error("The store holds no reviews: import some first.");
    if (json === true) process.stdout.write(`${JSON.stringify(digest)}\n`);
    else if (print === true) process.stdout.write(renderDigestPage(digest));
    else process.stdout.write(`${digestText(digest).split("\n").map(terminalText).join("\n")}\n`);
  });
}
