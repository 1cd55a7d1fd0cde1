// Runs the tests again with each adapter that a job saves, newest first: one that is saved while tests run replaces those that wait.
import { adapterNotation, readJobEvent, toAdapterRef } from '../../../lib/contract/index.js';
import { followJob, type Session } from '../../../lib/sdk/index.js';

export interface AdapterWatch {
  /** The next adapter that no test has asked yet, in its notation; null after the last one. */
  next(): Promise<string | null>;
}

/** `after`: the step of what was tested already. */
export function watchAdapters(
  session: Session,
  jobId: string,
  { after, signal }: { after: number; signal: AbortSignal },
): AdapterWatch {
  let newest: string | null = null;
  let hasEnded = false;
  let fault: unknown;
  let wake = () => {};

  async function follow(): Promise<void> {
    for await (const frame of followJob(session, jobId, { signal })) {
      const step = stepOf(readJobEvent(frame));
      // Nothing is later than a final adapter.
      if (step === undefined || (step ?? Number.POSITIVE_INFINITY) <= after) continue;
      newest = adapterNotation(toAdapterRef(jobId, step));
      wake();
    }
  }

  follow()
    .catch(error => {
      fault = error;
    })
    .finally(() => {
      hasEnded = true;
      wake();
    });

  return {
    async next() {
      while (newest === null && !hasEnded)
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      const found = newest;
      newest = null;
      if (found === null && fault !== undefined) throw fault;
      return found;
    },
  };
}

/** The step of a checkpoint that was saved, null for the final adapter. */
function stepOf(event: ReturnType<typeof readJobEvent>): number | null | undefined {
  if (event.type === 'checkpoint.saved') return event.step;
  if (event.type !== 'training.completed') return undefined;
  return event.artifacts.some(({ kind }) => kind === 'final') ? null : undefined;
}
