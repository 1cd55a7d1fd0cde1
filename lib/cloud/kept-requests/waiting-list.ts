// What waits to be written, in memory. It never grows beyond its limits: the oldest are dropped.
interface WaitingList<Entry> {
  readonly length: number;
  add(entry: Entry): void;
  /** The oldest ones, which are then no longer waiting. */
  take(count: number): Entry[];
  /** Could not be written yet. */
  putBack(entries: readonly Entry[]): void;
  /** How many were dropped since this was last asked. */
  takeLost(): number;
}

export function createWaitingList<Entry extends { size: number }>(
  limits: Pick<KeptLimits, 'waiting' | 'waitingBytes'>,
): WaitingList<Entry> {
  let entries: Entry[] = [];
  let bytes = 0;
  let lost = 0;

  function dropOldest(): void {
    let dropped = 0;
    while (entries.length - dropped > limits.waiting || bytes > limits.waitingBytes)
      bytes -= entries[dropped++]!.size;
    entries.splice(0, dropped);
    lost += dropped;
  }

  const sizeOf = (some: readonly Entry[]) => some.reduce((sum, { size }) => sum + size, 0);

  return {
    get length() {
      return entries.length;
    },
    add(entry) {
      entries.push(entry);
      bytes += entry.size;
      dropOldest();
    },
    take(count) {
      const taken = entries.splice(0, count);
      bytes -= sizeOf(taken);
      return taken;
    },
    putBack(returned) {
      entries = [...returned, ...entries];
      bytes += sizeOf(returned);
      dropOldest();
    },
    takeLost() {
      const count = lost;
      lost = 0;
      return count;
    },
  };
}

/** How much is kept. Marked answers are somebody's work, so they go last. */
export interface KeptLimits {
  /** Of each deployment. */
  requests: number;
  /** Of each deployment, in all. */
  bytes: number;
  /** A larger request is skipped: half a conversation would teach something else. */
  requestBytes: number;
  /** What waits in memory to be written. */
  waiting: number;
  waitingBytes: number;
}

export const KEPT_LIMITS: KeptLimits = {
  requests: 10_000,
  bytes: 64 * 1024 ** 2,
  requestBytes: 256 * 1024,
  waiting: 2000,
  waitingBytes: 32 * 1024 ** 2,
};
