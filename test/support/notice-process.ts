/** A process that sends the owner of a store what is recorded for him, to be killed: the store's URL is its argument. */
import { sourceNaming } from "../../src/follow/shown-source.ts";
import { addressNaming, openNoticeSender } from "../../src/notices/notice-sender.ts";
import { openNotifier } from "../../src/notices/notifier.ts";
import { openTroubleWatch } from "../../src/notices/trouble.ts";
import { openClaims } from "../../src/store/claims.ts";
import { openDatabaseClock } from "../../src/store/database-clock.ts";
import { openStore } from "../../src/store/store.ts";

const [url = ""] = process.argv.slice(2);
const store = await openStore(url);
const { now } = await openDatabaseClock(store.database);
const secret = Buffer.from("secret of the store");
const sender = openNoticeSender({
  ...{ allowedAddresses: ["127.0.0.0/8", "::1"], mail: undefined, now },
  keySetting: () => undefined,
});
openNotifier({
  ...{ store, sender, now, claims: openClaims(store), baseUrl: "http://localhost:8080", nameOf: addressNaming(secret) },
  troubles: openTroubleWatch({ store, databaseUrl: url, nameOfSource: sourceNaming(secret), now }),
  digest: () => Promise.reject(new Error("No address has one")),
  servedRevision: () => Number.POSITIVE_INFINITY,
  log: ({ event }) => process.send?.(event),
  ...{ intervalMs: 50, waitsSeconds: [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1] },
}).start();
process.once("disconnect", () => process.exit());
process.send?.("started");
