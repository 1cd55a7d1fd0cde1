// Says what a job waits for while a command follows it.
import { type Clock, realClock } from '../../../lib/clock/index.js';
import type { Job } from '../../../lib/contract/index.js';
import type { Session } from '../../../lib/sdk/index.js';
import { askHealth, describeJobCounts } from '../cloud/local-cloud.js';

export interface WaitReporter {
  /** Called when an event of the job arrives. */
  noteEvent(): void;
  stop(): void;
}

const PATIENCE_MS = 2000;

/**
 * Reports why a job does not start, or why its training has paused. Checks whenever there has been no event
 * for a while.
 */
export function reportWaiting(
  { id }: Pick<Job, 'id'>,
  session: Session,
  note: (line: string) => void,
  clock: Clock = realClock,
): WaitReporter {
  let isOver = false;
  let isHeard = false;
  let lastText: string | null = null;
  let timer = clock.after(PATIENCE_MS, ask);

  async function ask(): Promise<void> {
    const text = isHeard ? null : await describeWaiting(id, session).catch(() => lastText);
    if (isOver) return;
    if (text !== null && text !== lastText && !isHeard) note(text);
    lastText = text;
    isHeard = false;
    timer = clock.after(PATIENCE_MS, ask);
  }

  return {
    noteEvent() {
      isHeard = true;
    },
    stop() {
      isOver = true;
      timer.stop();
    },
  };
}

/** Null if the job is not waiting. */
async function describeWaiting(id: string, session: Session): Promise<string | null> {
  const project = await session.projectClient();
  const { job } = await project.getJob(id);
  if (job.status === 'queued') return describeQueue(job, session);
  return job.waitingFor && toLine(job.waitingFor);
}

async function describeQueue({ id, waitingFor }: Job, session: Session): Promise<string | null> {
  const { url, secret } = await session.reach();
  const health = secret === null ? null : await askHealth({ url, secret });
  // For a plain local queue, the health check says more than the job itself.
  const isPlainQueue = health?.status !== 'degraded' && !health?.cluster;
  if (waitingFor && !isPlainQueue) return toLine(waitingFor);
  if (secret === null) {
    const { jobs } = await (await session.projectClient()).listJobs();
    return toText(countOthers(jobs.filter(job => job.id !== id)), '');
  }
  if (health === null) return null;
  // The local cloud has one queue for all projects.
  const { running, queued } = health.jobs ?? { running: 0, queued: 1 };
  const hint = ' To run more at once, run "svc cloud stop", then "svc cloud start --concurrency N".';
  return toText({ running, queued: Math.max(0, queued - 1) }, health.cluster ? '' : hint);
}

const toLine = (reason: string) => (/^(?:Waiting|Starting) /.test(reason) ? reason : `Waiting: ${reason}`);

interface Others {
  running: number;
  queued: number;
}

function countOthers(jobs: readonly Pick<Job, 'status'>[]): Others {
  const count = (status: Job['status']) => jobs.filter(job => job.status === status).length;
  return { running: count('running'), queued: count('queued') };
}

function toText(others: Others, hint: string): string {
  const counts = describeJobCounts(others);
  return counts === null ? 'Waiting in the queue.' : `Waiting for ${counts} on this cloud.${hint}`;
}
