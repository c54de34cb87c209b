/** Preloaded into a process: its clock is ahead by GOODWORD_TEST_SKEW_MS, as on a machine that is set wrongly. */
const skewMs = Number(process.env.GOODWORD_TEST_SKEW_MS ?? 0);
const RealDate = Date;
const realNow = RealDate.now;

class SkewedDate extends RealDate {
  constructor(...given: readonly unknown[]) {
    if (given.length === 0) super(realNow() + skewMs);
    else super(...(given as [number]));
  }

  static override now(): number {
    return realNow() + skewMs;
  }
}

globalThis.Date = SkewedDate as DateConstructor;
