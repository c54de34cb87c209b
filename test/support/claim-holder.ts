/**
 * A process that claims shards 1 and 2 of the store argv[2], to be killed, stopped or cut off. It says "held", and answers
 * each message with whether its claims are certain and lost.
 */
import { openClaims } from "../../src/store/claims.ts";
import { openStore } from "../../src/store/store.ts";

const store = await openStore(process.argv[2] ?? "");
const held = await openClaims(store).take([1, 2]);
process.on("message", () => {
  process.send?.({ certain: held.some((claim) => claim.isCertain()), lost: held.every(({ lost }) => lost.aborted) });
});
process.send?.(held.length === 2 ? "held" : "not held");
setInterval(() => {}, 60_000); // claims alone keep no process running
