/**
 * A process that claims shards 1 and 2 of the store argv[2], to be killed, stopped or cut off. It says "held", and answers
 * each message with whether its claims are certain and lost. PostgreSQL ends its session after four seconds of silence.
 */
import { openClaims } from "../../src/store/claims.ts";
import { isOnPostgres } from "../../src/store/engine/postgres.ts";
import { openSessionLocks } from "../../src/store/engine/session-locks.ts";
import { openStore } from "../../src/store/store.ts";

const store = await openStore(process.argv[2] ?? "");
const { database } = store;
const locks = isOnPostgres(database) ? openSessionLocks(database, "claim", { maxSilenceMs: 4000 }) : undefined;
const held = await openClaims(store, locks).take([1, 2]);
process.on("message", () => {
  process.send?.({ certain: held.some((claim) => claim.isCertain()), lost: held.every(({ lost }) => lost.aborted) });
});
process.send?.(held.length === 2 ? "held" : "not held");
setInterval(() => {}, 60_000); // claims alone keep no process running
