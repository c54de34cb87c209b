/** Copies a store, and kills itself after some batches, in the middle of the transaction: `FROM TO BATCHES`. */
import { copyStore } from "../../src/store/history/store-copy.ts";
import { openStore } from "../../src/store/store.ts";

const [from = "", to = "", batches = "1"] = process.argv.slice(2);
let copied = 0;
await copyStore(await openStore(from), await openStore(to), () => {
  copied += 1;
  if (copied === Number(batches)) process.kill(process.pid, "SIGKILL");
});
process.exit(0);
