// Trains a job again as a new job, as far as it is compared, and returns what it logged.
import type { CloudClient } from '../../../lib/client/index.js';
import type { Job, JobConfigInput, JobEvent } from '../../../lib/contract/index.js';
import type { Session } from '../../../lib/sdk/index.js';
import { createAbsence } from '../training/absence.js';
import { followEventLog } from '../training/event-log.js';

interface Repetition {
  cloud: CloudClient;
  session: Session;
  /** The job to repeat. */
  job: Job;
  /** Stops after this step. The options stay, since the learning rate depends on the planned end. */
  upTo: number;
  note(line: string): void;
  onEvent(event: JobEvent): void;
  /** Aborted when the user leaves; the new job is then canceled. */
  signal: AbortSignal;
}

export async function createRepetition({ cloud, job }: Pick<Repetition, 'cloud' | 'job'>): Promise<Job> {
  const name = `verify ${job.name}`.slice(0, 100).trim();
  // They say what a run has learned, and change nothing about it.
  const { samples: _, evals: __, bestBy: ___, ...config } = job.config as unknown as JobConfigInput;
  const created = await cloud.createJob({ name, config });
  return created.job;
}

/** The events of the new job up to the step, or up to its end. */
export async function followRepetition(
  id: string,
  { cloud, session, upTo, note, onEvent, signal }: Omit<Repetition, 'job'>,
): Promise<JobEvent[]> {
  const events: JobEvent[] = [];
  const { end, ...absence } = createAbsence(note);
  const cancel = () => cloud.cancelJob(id).catch(() => {});
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for await (const { data } of followEventLog({ cloud, id, session }, absence)) {
      end();
      const event = JSON.parse(data) as JobEvent;
      events.push(event);
      onEvent(event);
      if (event.type === 'training.log' && event.step >= upTo) {
        await cancel();
        break;
      }
    }
  } finally {
    signal.removeEventListener('abort', cancel);
  }
  return events;
}
