/** Work in small steps, so that a long piece of it need not keep its thread: a generator that returns the result. */
export type Steps<Result> = Generator<undefined, Result>;

/** Does all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

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
