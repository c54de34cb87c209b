/**
 * The clock of an embedded store. Leases, due times and claims go by it, so a machine whose clock is set wrongly for some
 * minutes must not end every subscription: a jump is followed only once it has lasted.
 */

/** A smaller difference is a correction, and followed at once. */
const CORRECTION_MS = 60_000;
/** A jump that lasts this long is believed. */
const LASTING_MS = 600_000;

export interface SteadyClockParts {
  /** Milliseconds since 1970, which may jump. */
  readonly machine: () => number;
  /** Milliseconds of a clock that never jumps. */
  readonly steady: () => number;
  /** Called with the milliseconds of a jump, when it is seen. */
  readonly onJump?: ((milliseconds: number) => void) | undefined;
}

export interface SteadyClock {
  now(): Date;
  /** How far the machine's clock is ahead of this one, in milliseconds. */
  aheadMs(): number;
}

/** Opens a clock that starts with the machine's time. */
export function openSteadyClock({ machine, steady, onJump }: SteadyClockParts): SteadyClock {
  let offset = machine() - steady();
  /** The offset that the machine's clock has jumped to, and since when. */
  let jumped: { readonly offset: number; readonly since: number } | undefined;

  function adjust(): void {
    const newest = machine() - steady();
    const isNear = (other: number) => Math.abs(newest - other) <= CORRECTION_MS;
    if (isNear(offset)) {
      [offset, jumped] = [newest, undefined];
    } else if (jumped === undefined || !isNear(jumped.offset)) {
      jumped = { offset: newest, since: steady() };
      onJump?.(newest - offset);
    } else if (steady() - jumped.since >= LASTING_MS) {
      [offset, jumped] = [newest, undefined];
    }
  }

  return {
    now() {
      adjust();
      return new Date(offset + steady());
    },
    aheadMs() {
      adjust();
      return machine() - steady() - offset;
    },
  };
}
