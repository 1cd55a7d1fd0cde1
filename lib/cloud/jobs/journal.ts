// Records an attempt's events in order. Events that arrive during a transaction go into the next one together. While the
// store or the disk fails, it waits and holds the trainer back. Once the job has ended or another attempt has started, it
// records nothing more.
import { setImmediate } from 'node:timers/promises';
import type { JobEvent } from '../../contract/index.js';
import type { JobContext } from './job-context.js';
import { persist } from './job-waits.js';
import type { Progress } from './progress.js';
import { type Attempt, recordEvents } from './record-events.js';

export interface Journal {
  /**
   * Resolves when the event is recorded, or no longer needs to be. `next`: recorded with the event, the number of a remote
   * worker's events recorded so far.
   */
  record(event: JobEvent, next?: number): Promise<void>;
  /** Resolves when every event is recorded; rejects if that failed. */
  settled(): Promise<void>;
  /** The job has ended or belongs to another attempt. */
  readonly isOver: boolean;
}

interface JournalOptions {
  /** Called when the log cannot be written at all. */
  onFailure(): void;
  /** Called when the job no longer belongs to this attempt, which may not know. */
  onLost(): void;
  /** Drops events that cannot be written now. */
  signal: AbortSignal;
}

interface Entry {
  event: JobEvent;
  next: number | null;
  /** Lets the trainer continue. */
  release(): void;
}

/** The maximum number of events per write; other work runs between two batches. */
const BATCH = 100;

export function openJournal(
  context: JobContext,
  attempt: Attempt,
  progress: Progress,
  { onFailure, onLost, signal }: JournalOptions,
): Journal {
  const waiting: Entry[] = [];
  let writing: Promise<void> = Promise.resolve();
  let isWriting = false;
  let isOver = false;
  let failure: { error: unknown } | null = null;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0 && !isOver) {
      const batch = takeBatch(waiting);
      const events = batch.map(({ event }) => event);
      // Those of this cloud, such as samples, have none.
      const next = batch.findLast(entry => entry.next !== null)?.next;
      const recorded = await persist(context, { job: attempt, waiter: 'log', signal }, () =>
        recordEvents(context, attempt, progress, events, next),
      );
      isOver = recorded !== 'open';
      if (recorded === 'lost') onLost();
      for (const { release } of batch) release();
      if (waiting.length > 0) await setImmediate();
    }
  }

  async function write(): Promise<void> {
    try {
      // A trainer may report its next event as soon as the last one is released.
      do await writeAll();
      while (waiting.length > 0 && !isOver);
    } catch (error) {
      failure = { error };
      isOver = true;
      onFailure();
    } finally {
      isWriting = false;
      if (isOver) for (const { release } of waiting.splice(0)) release();
    }
  }

  return {
    get isOver() {
      return isOver;
    },
    record(event, next) {
      if (isOver) return Promise.resolve();
      return new Promise(release => {
        waiting.push({ event, next: next ?? null, release });
        if (isWriting) return;
        isWriting = true;
        writing = write();
      });
    },
    async settled() {
      while (isWriting) await writing;
      if (failure) throw failure.error;
    },
  };
}

/** Completion is written alone, because the list of adapters is known only after everything before it is written. */
function takeBatch(waiting: Entry[]): Entry[] {
  const last = waiting.findIndex(({ event }) => event.type === 'training.completed');
  return waiting.splice(0, last === 0 ? 1 : Math.min(last === -1 ? waiting.length : last, BATCH));
}
