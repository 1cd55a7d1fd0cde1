// A run's progress according to its log, which tells which events of another attempt are new. A resumed attempt repeats some
// steps. A step has the same result wherever it is computed, so repeats are dropped.
import { type JobEvent, samplePlace } from '../../contract/index.js';
import type { Db } from '../store/db.js';

export interface Progress {
  /** Whether the start of the run was logged. */
  isStarted: boolean;
  /** The last logged step, and the last one with a checkpoint. */
  step: number;
  checkpointStep: number;
  /** Samples already answered. */
  samples: Set<string>;
  /** The number of the last event. */
  seq: number;
}

export async function readProgress(
  db: Db,
  job: { id: string; step: number | null; last_seq: number },
): Promise<Progress> {
  const told = (type: JobEvent['type'], order: 'asc' | 'desc') =>
    db
      .selectFrom('events')
      .select('payload')
      .where('job_id', '=', job.id)
      .where('type', '=', type)
      .orderBy('seq', order)
      .limit(1)
      .executeTakeFirst();
  const [started, saved] = [await told('training.started', 'asc'), await told('checkpoint.saved', 'desc')];
  const sampled = await db
    .selectFrom('events')
    .select('payload')
    .where('job_id', '=', job.id)
    .where('type', '=', 'sample.generated')
    .execute();
  return {
    isStarted: started !== undefined,
    seq: job.last_seq,
    step: job.step ?? 0,
    checkpointStep: saved ? (JSON.parse(saved.payload) as { step: number }).step : 0,
    samples: new Set(sampled.map(({ payload }) => samplePlace(JSON.parse(payload)))),
  };
}

/** The event to log, or null if the log already has it. */
export function admit<E extends JobEvent>(progress: Progress, event: E): E | null {
  switch (event.type) {
    case 'training.log':
      return event.step > progress.step ? event : null;
    case 'checkpoint.saved':
      return event.step > progress.checkpointStep ? event : null;
    case 'sample.generated':
      return progress.samples.has(samplePlace(event)) ? null : event;
    case 'training.started':
      return progress.isStarted ? { resumedFromStep: 0, ...event } : event;
    default:
      return event;
  }
}

/** Records that the event is in the log. */
export function advance(progress: Progress, event: JobEvent): void {
  if (event.type === 'training.started') progress.isStarted = true;
  else if (event.type === 'training.log') progress.step = event.step;
  else if (event.type === 'checkpoint.saved') progress.checkpointStep = event.step;
  else if (event.type === 'sample.generated') progress.samples.add(samplePlace(event));
}
