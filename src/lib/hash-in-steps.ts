/** Hashes many bytes in steps, so that the thread can do something else in between. */
import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";

/** Two milliseconds' work. */
const STEP_BYTES = 4_000_000;

/** SHA-256 in base64url. */
export async function hashInSteps(bytes: Uint8Array): Promise<string> {
  const hash = createHash("sha256");
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    hash.update(bytes.subarray(at, at + STEP_BYTES));
    await setImmediate();
  }
  return hash.digest("base64url");
}
