/**
 * The clock of an embedded store, for leases and due times. A machine whose clock is wrong for some minutes must
 * not end every subscription, so a jump is followed only once it has lasted.
 */

/** A smaller difference is a correction, and followed at once. */
const MAX_CORRECTION_MS = 60_000;
/** How long a jump must last until it is followed. */
const MIN_JUMP_MS = 600_000;

export interface SteadyClockParts {
  /** Milliseconds since 1970, which may jump. */
  readonly machine: () => number;
  /** Milliseconds of a clock that never jumps. */
  readonly steady: () => number;
  /** Called with the milliseconds of a jump, when it is detected. */
  readonly onJump?: ((milliseconds: number) => void) | undefined;
  /** What another process has followed so far; otherwise the clock starts with the machine's time. */
  readonly offset?: number | undefined;
}

export interface SteadyClock {
  now(): Date;
  /** How far the machine's clock is ahead of this one, in milliseconds. */
  aheadMs(): number;
  /** Milliseconds from the steady clock to 1970. */
  offset(): number;
  /** Goes on by the offset of another process. */
  follow(offset: number): void;
}

/** Opens a clock. */
export function openSteadyClock({ machine, steady, onJump, ...start }: SteadyClockParts): SteadyClock {
  let offset = start.offset ?? machine() - steady();
  /** The offset that the machine's clock has jumped to, and since when. */
  let jumped: { readonly offset: number; readonly since: number } | undefined;

  function adjust(): void {
    const newest = machine() - steady();
    const isNear = (other: number) => Math.abs(newest - other) <= MAX_CORRECTION_MS;
    if (isNear(offset)) {
      [offset, jumped] = [newest, undefined];
    } else if (jumped === undefined || !isNear(jumped.offset)) {
      jumped = { offset: newest, since: steady() };
      onJump?.(newest - offset);
    } else if (steady() - jumped.since >= MIN_JUMP_MS) {
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
    offset() {
      adjust();
      return offset;
    },
    follow(given) {
      [offset, jumped] = [given, undefined];
    },
  };
}
