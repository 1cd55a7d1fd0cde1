// Says of a job that does not begin at once what it waits for: asked once, after a while in which most jobs have begun.
import type { Job } from '../../../lib/contract/index.js';
import type { Session } from '../../../lib/sdk/index.js';
import { askHealth } from '../cloud/ask-health.js';
import { describeJobCounts } from '../cloud/job-counts.js';

const PATIENCE_MS = 2000;

/** Returns how to call it off: the job has begun, or nobody listens any more. */
export function tellWaiting({ id }: Job, session: Session, note: (line: string) => void): () => void {
  let isOver = false;
  const timer = setTimeout(async () => {
    const text = await describeWaiting(id, session).catch(() => null);
    if (text !== null && !isOver) note(text);
  }, PATIENCE_MS);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** Null for a job that waits no more. */
async function describeWaiting(id: string, session: Session): Promise<string | null> {
  const { url, secret } = await session.reach();
  const project = await session.project();
  const { jobs } = await project.listJobs();
  if (jobs.find(job => job.id === id)?.status !== 'queued') return null;
  if (secret === null) return toText(countOthers(jobs), '');
  // Its queue is one for all projects.
  const health = await askHealth({ url, secret });
  if (health === null) return null;
  const { running, queued } = health.jobs ?? { running: 0, queued: 1 };
  return toText(
    { running, queued: queued - 1 },
    ' More run at once after "svc cloud stop" and "svc cloud start --concurrency N".',
  );
}

interface Others {
  running: number;
  queued: number;
}

function countOthers(jobs: readonly Pick<Job, 'status'>[]): Others {
  const count = (status: Job['status']) => jobs.filter(job => job.status === status).length;
  return { running: count('running'), queued: count('queued') - 1 };
}

function toText(others: Others, hint: string): string {
  const counts = describeJobCounts(others);
  return counts === null ? 'Waits for its turn.' : `Waits for ${counts} of this cloud.${hint}`;
}
