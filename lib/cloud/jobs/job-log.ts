// Writes to a job's log inside a transaction, and ends jobs: however one ends, its last event is `end`, and its status,
// its time and its error are written with it.
import type { Transaction } from 'kysely';
import { isFinalStatus, type JobEvent, type JobStatus } from '../../contract/index.js';
import { type StoredEvent, writeEvent } from '../store/events.js';
import type { Tables } from '../store/tables.js';
import type { JobContext } from './job-context.js';

type JobChange = Parameters<typeof writeEvent>[3];
type FinalStatus = Extract<JobStatus, 'completed' | 'failed' | 'cancelled'>;

export interface JobLog {
  /** What was written so far. */
  readonly events: StoredEvent[];
  readonly isOver: boolean;
  append(event: JobEvent, change?: JobChange): Promise<void>;
  /** The status and the event `end`. */
  end(status: FinalStatus, at: Date, error?: string | null): Promise<void>;
}

export function openJobLog(
  transaction: Transaction<Tables>,
  { id, last_seq }: { id: string; last_seq: number },
): JobLog {
  const events: StoredEvent[] = [];
  let isOver = false;

  async function append(event: JobEvent, change: JobChange = {}): Promise<void> {
    events.push(await writeEvent(transaction, { id, last_seq: last_seq + events.length }, event, change));
  }

  return {
    events,
    get isOver() {
      return isOver;
    },
    append,
    async end(status, at, error = null) {
      isOver = true;
      const timestamp = at.toISOString();
      const change = { status, error, completed_at: timestamp };
      await append({ type: 'end', jobId: id, timestamp, status }, change);
    },
  };
}

/** Ends a job that nobody else has ended; false when somebody has. A failure is told before the end. */
export async function endJob(
  context: JobContext,
  jobId: string,
  status: FinalStatus,
  error: string | null = null,
): Promise<boolean> {
  const ended = await context.db.transaction().execute(async transaction => {
    const job = await transaction
      .selectFrom('jobs')
      .select(['id', 'project_id', 'status', 'last_seq'])
      .where('id', '=', jobId)
      .executeTakeFirst();
    if (!job || isFinalStatus(job.status)) return null;
    const log = openJobLog(transaction, job);
    const at = context.now();
    if (error !== null)
      await log.append({ type: 'training.failed', jobId, timestamp: at.toISOString(), error });
    await log.end(status, at, error);
    return { job, events: log.events };
  });
  if (!ended) return false;
  context.secrets.delete(jobId);
  context.changes.announce(ended.job, ended.events);
  return true;
}
