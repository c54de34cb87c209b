/** Work in small steps, so that a long piece of it need not keep its thread: a generator that returns the result. */
export type Steps<Result> = Generator<undefined, Result>;

/** Does all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
