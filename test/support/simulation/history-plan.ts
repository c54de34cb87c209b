/** The plan of a simulated history: everything that will happen, and when, in virtual milliseconds. A seed makes one. */

export interface Plan {
  readonly engine: "SQLite" | "PostgreSQL";
  /** Milliseconds from the processes to the database. */
  readonly distanceMs: number;
  readonly processes: number;
  /** The number of deliveries that a process may have in progress or unrecorded. */
  readonly places: number;
  readonly hosts: readonly Host[];
  readonly subscribers: number;
  /** The share of the subscribers that fail for a while although their hosts do not. */
  readonly faultyShare: number;
  readonly happenings: readonly Happening[];
}

/** A host answers after a while; all its subscribers fail while it has a fault. */
export interface Host {
  readonly latencyMs: number;
  readonly fault?: Fault | undefined;
}

export interface Fault {
  readonly kind: "fails" | "hangs" | "gone";
  readonly from: number;
  readonly to: number;
}

/** Something that happens at `at` and lasts for `ms`, to the process that `pick`, from 0 to 1, chooses of those alive. */
export interface Happening {
  readonly kind: HappeningKind;
  readonly at: number;
  readonly ms: number;
  readonly pick: number;
}

/** After a loss of its own a process may repeat deliveries; all the others must pass without a repeated one. */
export const LOSSES = ["killed", "stands still", "session ended", "restarted"] as const;
const TROUBLES = ["answers slow", "answers lost", "way held", "write lock held", "database away", "starved"] as const;
export type HappeningKind =
  | (typeof LOSSES)[number]
  | (typeof TROUBLES)[number]
  | "change"
  | "subscription"
  | "clock jumps"
  | "no network";

/** How often each happens, at most, and how long it lasts. */
const FREQUENCIES: readonly { readonly kind: HappeningKind; readonly times: number; readonly ms: [number, number] }[] =
  [
    { kind: "subscription", times: 3, ms: [0, 0] },
    { kind: "answers slow", times: 1, ms: [500, 6000] },
    { kind: "answers lost", times: 1, ms: [500, 6000] },
    { kind: "way held", times: 1, ms: [500, 12_000] },
    { kind: "write lock held", times: 1, ms: [500, 14_000] },
    { kind: "database away", times: 1, ms: [300, 12_000] },
    { kind: "starved", times: 3, ms: [500, 8000] },
    { kind: "clock jumps", times: 1, ms: [-5000, 5000] },
    { kind: "no network", times: 1, ms: [200, 4000] },
    { kind: "killed", times: 3, ms: [0, 3000] },
    { kind: "stands still", times: 2, ms: [100, 15_000] },
    { kind: "session ended", times: 1, ms: [0, 0] },
    { kind: "restarted", times: 1, ms: [0, 3000] },
  ];

/** In a history without losses, shorter than PostgreSQL ends a session for. */
const MAX_CALM_OUTAGE_MS = 2500;

/** Whether a history may repeat deliveries. */
export function mayRepeat({ happenings }: Plan): boolean {
  return happenings.some(({ kind }) => (LOSSES as readonly string[]).includes(kind));
}

/** Whether nothing delays what the processes record. */
export function isHealthy({ happenings, distanceMs }: Plan): boolean {
  return distanceMs <= 2 && !happenings.some(({ kind }) => (TROUBLES as readonly string[]).includes(kind));
}

/** Makes a plan by `random`, which gives numbers from 0 to 1. */
export function makePlan(random: () => number): Plan {
  const { between, chance, oneOf, whole } = makeChoices(random);
  const length = between(4000, 12_000);
  const isCalm = chance(0.5);
  const hasTroubles = chance(0.8);
  const engine = oneOf(["SQLite", "PostgreSQL"] as const);
  const changes = Array.from({ length: whole(1, 4) }, () => between(0, length));
  const happenings: Happening[] = changes.map((at) => ({ kind: "change", at, ms: 0, pick: 0 }));
  for (const { kind, times, ms } of FREQUENCIES) {
    const isLoss = (LOSSES as readonly string[]).includes(kind);
    if (isLoss ? isCalm : !hasTroubles && kind !== "subscription") continue;
    for (let left = whole(0, times); left > 0; left--) {
      if (!chance(0.6)) continue;
      const soonAfter = oneOf(changes) + oneOf([0, 100, 3000]) * random();
      const longest = kind === "database away" && isCalm ? MAX_CALM_OUTAGE_MS : ms[1];
      const at = chance(0.7) ? soonAfter : between(0, length);
      happenings.push({ kind, at, ms: between(ms[0], longest), pick: random() });
    }
  }
  const makeFault = (): Fault => {
    const from = between(0, length);
    const kind = oneOf(["fails", "fails", "fails", "fails", "hangs", "hangs", "gone"] as const);
    return { kind, from, to: from + between(500, 8000) };
  };
  const makeHost = (): Host => {
    const fault = chance(0.4) ? makeFault() : undefined;
    return { latencyMs: oneOf([1, 5, 30, 300, 2500]), fault };
  };
  return {
    ...{ engine, happenings, processes: whole(1, 4), places: oneOf([8, 16, 32]) },
    distanceMs: engine === "SQLite" ? 0 : oneOf([0, 0, 2, 40]),
    hosts: Array.from({ length: oneOf([1, 4, 12, 40]) }, makeHost),
    subscribers: oneOf([5, 20, 60, 150]),
    faultyShare: 0.15,
  };
}

/** Choices by `random`, which gives numbers from 0 to 1. */
export function makeChoices(random: () => number) {
  const between = (from: number, to: number) => from + random() * (to - from);
  const whole = (from: number, to: number) => Math.floor(between(from, to + 1));
  return {
    ...{ between, whole },
    chance: (share: number) => random() < share,
    oneOf: <T>(choices: readonly T[]): T => choices[whole(0, choices.length - 1)] as T,
  };
}
