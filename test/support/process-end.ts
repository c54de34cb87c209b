/** Preloaded by `npm test`: ends the process of a file that something, such as a failed test's server, keeps running after its tests. */
import { isMainThread } from "node:worker_threads";

/** Time for what closes late, and for the run to read every report. */
const GRACE_MS = 120_000;

const [, file = ""] = process.argv;
if (isMainThread && process.env.NODE_TEST_CONTEXT !== undefined && file.endsWith(".test.ts")) {
  const { after } = await import("node:test");
  after(() => {
    const end = () => {
      console.error(`${file} is still running ${GRACE_MS} ms after its tests, and is ended`);
      process.exit(1);
    };
    setTimeout(end, GRACE_MS).unref();
  });
}
