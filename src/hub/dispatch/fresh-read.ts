/**
 * Reads of subscriptions beside writes: a row that this process has written while it was being read may be older than
 * that write. Delivering to it would repeat what has just been acknowledged.
 */

interface Row {
  readonly id: string;
}

export interface FreshReads {
  /** Notes that a subscription has been written. */
  note(id: string): void;
  /** Reads rows. Those that were written meanwhile are read again, by `readAgain`. */
  read<Each extends Row>(
    read: () => Promise<Each[]>,
    readAgain: (ids: readonly string[]) => Promise<Each[]>,
  ): Promise<Each[]>;
}

/** Opens the reads of the work on a shard. */
export function openFreshReads(): FreshReads {
  /** The ids that were written since each read began. */
  const reading = new Set<Set<string>>();
  return {
    note(id) {
      for (const written of reading) written.add(id);
    },
    async read(read, readAgain) {
      const written = new Set<string>();
      reading.add(written);
      try {
        let rows = await read();
        for (;;) {
          const stale = rows.map(({ id }) => id).filter((id) => written.has(id));
          if (stale.length === 0) return rows;
          rows = rows.filter(({ id }) => !written.has(id));
          written.clear();
          rows.push(...(await readAgain(stale)));
        }
      } finally {
        reading.delete(written);
      }
    },
  };
}
