/** What environment variables make of what tests start as one program, for one file or all of them. */

/** How many processes a program is; 0 when it is what it is everywhere else: one, with an embedded store. */
export const REPLICAS = Number(process.env.GOODWORD_TEST_REPLICAS ?? 0);

/** How many sites a process serves; 0 when it is what it is everywhere else: the server of one store. */
export const SITES = Number(process.env.GOODWORD_TEST_SITES ?? 0);

/** Whether what a test starts as one program is more: several processes, or a process with many sites. */
export function isMoreThanOne(): boolean {
  return REPLICAS > 0 || SITES > 0;
}

/** Whether every round of a proof runs, in each state, and not only those that `npm test` runs (qa/README.md). */
export const IS_WHOLE = process.env.GOODWORD_TEST_WHOLE === "1";

/** Why a test is skipped that is another round of one that runs; false where every round does. */
export const skipRound: string | false = IS_WHOLE ? false : "another round of a test that runs: GOODWORD_TEST_WHOLE=1";

/** The rounds of a proof that run: all of them, or as many as are enough for `npm test`. */
export function roundsOf<Round>(all: readonly Round[], enough = 1): readonly Round[] {
  return IS_WHOLE ? all : all.slice(0, enough);
}
