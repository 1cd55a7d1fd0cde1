// Says what a job is waiting for: one that does not start right away, or one whose training has paused. Checked whenever
// there has been no event for a while.
import { type Clock, realClock } from '../../../lib/clock/index.js';
import type { Job } from '../../../lib/contract/index.js';
import type { Session } from '../../../lib/sdk/index.js';
import { askHealth, describeJobCounts } from '../cloud/local-cloud.js';

export interface WaitTeller {
  /** An event of the job has arrived. */
  noteEvent(): void;
  stop(): void;
}

const PATIENCE_MS = 2000;

export function tellWaiting(
  { id }: Job,
  session: Session,
  note: (line: string) => void,
  clock: Clock = realClock,
): WaitTeller {
  let isOver = false;
  let isHeard = false;
  let told: string | null = null;
  let timer = clock.after(PATIENCE_MS, ask);

  async function ask(): Promise<void> {
    const text = isHeard ? null : await describeWaiting(id, session).catch(() => told);
    if (isOver) return;
    if (text !== null && text !== told && !isHeard) note(text);
    told = text;
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

/** Null for a job that is not waiting. */
async function describeWaiting(id: string, session: Session): Promise<string | null> {
  const project = await session.projectClient();
  const { job } = await project.getJob(id);
  if (job.status === 'queued') return describeQueue(job, session);
  return job.waitingFor && toLine(job.waitingFor);
}

async function describeQueue({ id, waitingFor }: Job, session: Session): Promise<string | null> {
  const { url, secret } = await session.reach();
  const health = secret === null ? null : await askHealth({ url, secret });
  // Of a queue of its own, more can be said than what the job knows.
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
