/**
 * The locks of simulated processes. On PostgreSQL they belong to a session that the server ends when it is silent; on
 * SQLite one process holds all of them until it dies.
 */
import type { ProcessLocks } from "../../../src/store/engine/process-locks.ts";
import { CERTAIN_MS, MAX_SILENCE_MS } from "../../../src/store/engine/session-locks.ts";
import type { VirtualProcess, VirtualTime } from "./virtual-time.ts";

export interface SimulatedLocks {
  open(process: VirtualProcess): ProcessLocks;
  /** Ends the locks of a process: it has died, or the server has ended its session. */
  endOf(process: VirtualProcess): void;
  /** Since when a process has no locks because its session ended; undefined if it has one, or never had. */
  endedAt(process: VirtualProcess): number | undefined;
  /** Who holds a lock. */
  holderOf(id: number): VirtualProcess | undefined;
}

interface Session {
  readonly number: number;
  readonly process: VirtualProcess;
  readonly openedAt: number;
  heardAt: number;
}

interface Options {
  readonly engine: "SQLite" | "PostgreSQL";
  readonly distanceMs: (process: VirtualProcess) => number;
  readonly isAway: () => boolean;
}

/** Opens the locks of all processes. */
export function openSimulatedLocks(time: VirtualTime, { engine, distanceMs, isAway }: Options): SimulatedLocks {
  const owners = new Map<number, Session>();
  const sessions = new Map<VirtualProcess, Session>();
  const ends = new Map<VirtualProcess, number>();
  let numbers = 0;

  function endOf(process: VirtualProcess): void {
    const ended = sessions.get(process);
    if (sessions.delete(process)) ends.set(process, time.now());
    for (const [id, owner] of owners) if (owner === ended) owners.delete(id);
  }

  function newSession(process: VirtualProcess): Session {
    endOf(process);
    const session = { number: numbers++, process, openedAt: time.now(), heardAt: time.now() };
    sessions.set(process, session);
    ends.delete(process);
    return session;
  }

  /** Asks the server something; it answers a process that is running. */
  function ask<T>(process: VirtualProcess, serve: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    time.after(distanceMs(process), () => {
      if (!process.isAlive) return;
      const answer = isAway() ? new Error("Connection terminated unexpectedly") : serve();
      const distance = distanceMs(process);
      time.deliver(process, () => (answer instanceof Error ? reject(answer) : resolve(answer)), distance);
    });
    return promise;
  }

  function hear(session: Session): void {
    const { process } = session;
    const heardAt = time.now();
    session.heardAt = heardAt;
    time.after(MAX_SILENCE_MS, () => {
      if (session.heardAt === heardAt && sessions.get(process) === session) endOf(process);
    });
  }

  function openSession(process: VirtualProcess): ProcessLocks {
    let brokenAt = Number.NEGATIVE_INFINITY;
    let own: { readonly session: Session; readonly heardAt: number } | undefined;

    /** Opens a session if there is none; gives it only if it is still alive at the server. */
    async function use<T>(serve: (session: Session) => T): Promise<T | undefined> {
      const sentAt = time.now();
      const before = own?.session;
      try {
        const [session, value] = await ask(process, () => {
          const alive = sessions.get(process);
          if (before !== undefined && alive !== before) return [undefined, undefined] as const;
          const usable = alive !== undefined && alive.openedAt > brokenAt ? alive : undefined;
          const session = usable ?? newSession(process); // which ends the one whose connection broke
          hear(session);
          return [session, serve(session)] as const;
        });
        own = session && { session, heardAt: sentAt };
        return value;
      } catch (error) {
        own = undefined;
        brokenAt = time.now();
        throw error;
      }
    }

    return {
      async take(ids) {
        const taken = await use((session) => {
          const free = ids.filter((id) => !owners.has(id));
          for (const id of free) owners.set(id, session);
          return { session: session.number, ids: free };
        });
        return taken ?? { session: -1, ids: [] };
      },
      async release(ids) {
        if (ids.length === 0 || own === undefined) return;
        await use((session) => {
          for (const id of ids) if (owners.get(id) === session) owners.delete(id);
        });
      },
      session: () => (own !== undefined && time.now() - own.heardAt < CERTAIN_MS ? own.session.number : undefined),
      async beat() {
        await use(() => {});
      },
      async close() {
        own = undefined;
        endOf(process);
      },
    };
  }

  function openOne(process: VirtualProcess): ProcessLocks {
    const held = new Set<number>();
    return {
      async take(ids) {
        const isFree = [...owners.values()].every((owner) => owner.process === process);
        const taken = isFree ? ids.filter((id) => !held.has(id)) : [];
        const session = sessions.get(process) ?? newSession(process);
        for (const id of taken) {
          held.add(id);
          owners.set(id, session);
        }
        return { session: 0, ids: taken };
      },
      async release(ids) {
        for (const id of ids) if (held.delete(id)) owners.delete(id);
      },
      session: () => 0,
      async beat() {},
      async close() {
        endOf(process);
      },
    };
  }

  return {
    open: engine === "SQLite" ? openOne : openSession,
    endOf,
    endedAt: (process) => ends.get(process),
    holderOf: (id) => owners.get(id)?.process,
  };
}
