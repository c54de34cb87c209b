/** What environment variables make of what tests start as one program, for one file or all of them. */

/** How many processes a program is; 0 when it is what it is everywhere else: one, with an embedded store. */
export const REPLICAS = Number(process.env.GOODWORD_TEST_REPLICAS ?? 0);

/** How many sites a process serves; 0 when it is what it is everywhere else: the server of one store. */
export const SITES = Number(process.env.GOODWORD_TEST_SITES ?? 0);

/** Whether what a test starts as one program is more: several processes, or a process with many sites. */
export function isMoreThanOne(): boolean {
  return REPLICAS > 0 || SITES > 0;
}
