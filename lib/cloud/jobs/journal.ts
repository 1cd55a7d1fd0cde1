// Takes what an attempt tells and has it written, in order: what comes while one transaction is under way goes into the
// next one together. Once the job has ended, or another attempt has begun, nothing is written any more.
import { setImmediate } from 'node:timers/promises';
import type { JobEvent } from '../../contract/index.js';
import type { JobContext } from './job-context.js';
import type { Progress } from './progress.js';
import { type Attempt, recordEvents } from './record-events.js';

export interface Journal {
  take(event: JobEvent): void;
  /** Resolves when all that was taken is written; rejects when it could not be. */
  settled(): Promise<void>;
  /** The job has ended, or is another attempt's. */
  readonly isOver: boolean;
}

/** So many events are written at once; between two such batches others get their turn. */
const BATCH = 50;

/** `onFailure` is called when the log cannot be written. */
export function openJournal(
  context: JobContext,
  attempt: Attempt,
  progress: Progress,
  onFailure: () => void,
): Journal {
  const waiting: JobEvent[] = [];
  let writing: Promise<void> = Promise.resolve();
  let isWriting = false;
  let isOver = false;
  let failure: { error: unknown } | null = null;

  async function write(): Promise<void> {
    try {
      while (waiting.length > 0 && !isOver) {
        isOver = await recordEvents(context, attempt, progress, takeBatch(waiting));
        if (waiting.length > 0) await setImmediate();
      }
    } catch (error) {
      failure = { error };
      isOver = true;
      onFailure();
    } finally {
      isWriting = false;
    }
  }

  return {
    get isOver() {
      return isOver;
    },
    take(event) {
      if (isOver) return;
      waiting.push(event);
      if (isWriting) return;
      isWriting = true;
      writing = write();
    },
    async settled() {
      while (isWriting) await writing;
      if (failure) throw failure.error;
    },
  };
}

/** The completion stands alone: what it lists is known only when everything before it is written. */
function takeBatch(waiting: JobEvent[]): JobEvent[] {
  const last = waiting.findIndex(({ type }) => type === 'training.completed');
  return waiting.splice(0, last === 0 ? 1 : Math.min(last === -1 ? waiting.length : last, BATCH));
}
