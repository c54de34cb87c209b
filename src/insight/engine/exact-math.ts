/**
 * The logistic function, computed with additions, multiplications and divisions only. JavaScript engines may differ in
 * the last bit of Math.exp; these operations give the same bits everywhere, so that trained weights and analyses are
 * reproducible.
 */

const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
/** Beyond these log odds, the logistic function returns 0 or 1. */
const MAX_LOGIT = 30;

/**
 * e^x for |x| up to 30, to about twelve digits: thirteen terms of the Taylor series, the last first. The loop is
 * unrolled, so that the processor can overlap consecutive calls.
 */
function exponential(x: number): number {
  const power = Math.round(x / Math.LN2);
  const rest = x - power * LN2_HIGH - power * LN2_LOW;
  let sum = 1 + rest * (1 / 13);
  sum = 1 + rest * (1 / 12) * sum;
  sum = 1 + rest * (1 / 11) * sum;
  sum = 1 + rest * (1 / 10) * sum;
  sum = 1 + rest * (1 / 9) * sum;
  sum = 1 + rest * (1 / 8) * sum;
  sum = 1 + rest * (1 / 7) * sum;
  sum = 1 + rest * (1 / 6) * sum;
  sum = 1 + rest * (1 / 5) * sum;
  sum = 1 + rest * (1 / 4) * sum;
  sum = 1 + rest * (1 / 3) * sum;
  sum = 1 + rest * (1 / 2) * sum;
  sum = 1 + rest * sum;
  return sum * (POWERS[power + MAX_POWER] as number);
}

/** Powers of two, from that of -44 to that of 44: what |x| up to 30 needs. */
const MAX_POWER = 44;
const POWERS = new Float64Array(2 * MAX_POWER + 1);
POWERS[MAX_POWER] = 1;
for (let power = 1; power <= MAX_POWER; power++) {
  POWERS[MAX_POWER + power] = (POWERS[MAX_POWER + power - 1] as number) * 2;
  POWERS[MAX_POWER - power] = (POWERS[MAX_POWER - power + 1] as number) / 2;
}

/** 1 / (1 + e^-x): converts log odds `x` to a probability. */
export function logistic(x: number): number {
  if (x > MAX_LOGIT) return 1;
  if (x < -MAX_LOGIT) return 0;
  return 1 / (1 + exponential(-x));
}

/** Converts a probability to log odds, the inverse of `logistic`; limited to -30 and 30. */
export function logOdds(chance: number): number {
  if (chance <= 0) return -MAX_LOGIT;
  if (chance >= 1) return MAX_LOGIT;
  return Math.max(-MAX_LOGIT, Math.min(MAX_LOGIT, logarithm(chance / (1 - chance))));
}

/** ln x for x above 0, to about twelve digits. */
export function logarithm(x: number): number {
  let power = 0;
  let rest = x;
  for (; rest > 1.5; power++) rest /= 2;
  for (; rest < 0.75; power--) rest *= 2;
  const ratio = (rest - 1) / (rest + 1);
  let sum = 1 / 25;
  sum = sum * ratio * ratio + 1 / 23;
  sum = sum * ratio * ratio + 1 / 21;
  sum = sum * ratio * ratio + 1 / 19;
  sum = sum * ratio * ratio + 1 / 17;
  sum = sum * ratio * ratio + 1 / 15;
  sum = sum * ratio * ratio + 1 / 13;
  sum = sum * ratio * ratio + 1 / 11;
  sum = sum * ratio * ratio + 1 / 9;
  sum = sum * ratio * ratio + 1 / 7;
  sum = sum * ratio * ratio + 1 / 5;
  sum = sum * ratio * ratio + 1 / 3;
  sum = sum * ratio * ratio + 1;
  return 2 * ratio * sum + power * Math.LN2;
}
