/** Does long work of a request in slices, so that other requests are answered between them. */
import type { Steps } from "../edition/steps.ts";

/** How long steps follow one another, in milliseconds. */
const SLICE_MS = 4;

/** Does the steps, with a pause whenever they have taken a few milliseconds. Short work is done without any. */
export function inSlices<Result>(steps: Steps<Result>, pause: () => Promise<void>): Result | Promise<Result> {
  const end = performance.now() + SLICE_MS;
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (performance.now() > end) return pause().then(() => inSlices(steps, pause));
  }
}
