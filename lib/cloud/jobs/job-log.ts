// Collects events to append to a job's log in one transaction, and ends jobs. The last event is always `end`, written
// together with the final status, time and error.
import type { Transaction } from 'kysely';
import { isFinalStatus, type JobEvent, type JobStatus } from '../../contract/index.js';
import { type JobChange, type LogNews, writeEvents } from '../store/events.js';
import type { Tables } from '../store/tables.js';
import type { JobContext } from './job-context.js';

type FinalStatus = Extract<JobStatus, 'completed' | 'failed' | 'cancelled'>;

export interface JobLog {
  readonly isOver: boolean;
  append(event: JobEvent, change?: JobChange): void;
  /** Sets the status and appends `end`. */
  end(status: FinalStatus, at: Date, error?: string | null): void;
  /** Writes the collected events. */
  write(transaction: Transaction<Tables>): Promise<LogNews>;
}

export function openJobLog(job: { id: string; last_seq: number }): JobLog {
  const events: JobEvent[] = [];
  let changes: JobChange = {};
  let isOver = false;

  function append(event: JobEvent, change: JobChange = {}): void {
    events.push(event);
    changes = { ...changes, ...change };
  }

  return {
    get isOver() {
      return isOver;
    },
    append,
    end(status, at, error = null) {
      isOver = true;
      const timestamp = at.toISOString();
      const change = { status, error, completed_at: timestamp };
      append({ type: 'end', jobId: job.id, timestamp, status }, change);
    },
    async write(transaction) {
      return { lastSeq: await writeEvents(transaction, job, events, changes), isOver };
    },
  };
}

/** Ends a job unless it has already ended; returns whether it did. A failure is reported before the end. */
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
    if (!job) return null;
    // Perhaps by this very call, if its commit was reported as failed. Its readers have not been notified then.
    if (isFinalStatus(job.status))
      return { job, news: { lastSeq: job.last_seq, isOver: true }, hasEnded: false };
    const log = openJobLog(job);
    const at = new Date(context.clock.now());
    if (error !== null) log.append({ type: 'training.failed', jobId, timestamp: at.toISOString(), error });
    log.end(status, at, error);
    return { job, news: await log.write(transaction), hasEnded: true };
  });
  if (!ended) return false;
  context.secrets.delete(jobId);
  context.changes.announce(ended.job, ended.news);
  return ended.hasEnded;
}
