// Which runs have ended since the last look at the list of jobs, and how that is told.
import { isFinalStatus, type JobStatus, type JobSummary } from '../contract/index.js';

/** How often the list is looked at by whoever wants to be told. */
export const DONE_POLL_MS = 5000;

type Seen = Pick<JobSummary, 'id' | 'name' | 'status' | 'error'>;

/** The jobs that were queued or running before and are over now. */
export function endedJobs(before: readonly Seen[], now: readonly Seen[]): Seen[] {
  const open = new Set(before.filter(({ status }) => !isFinalStatus(status)).map(({ id }) => id));
  return now.filter(({ id, status }) => open.has(id) && isFinalStatus(status));
}

/** `triage completed`; of a failed one also why. */
export function doneText({ name, status, error }: Omit<Seen, 'id'>): string {
  const reason = status === 'failed' ? error?.trim().split('\n')[0] : undefined;
  return `${name} ${status === 'failed' ? 'failed' : status}${reason ? `: ${reason}` : ''}`;
}

const SIGNS: Readonly<Partial<Record<JobStatus, string>>> = { completed: '✓', failed: '✗', cancelled: '■' };

/** What stands before a job's name in the title of its tab: how far it is, and how it ended while somebody had it open. */
export function titleSign(
  status: JobStatus | null,
  fraction: number | null,
  hasEndedHere: boolean,
): string | null {
  if (status === 'running') return fraction === null ? null : `${Math.floor(fraction * 100)} %`;
  return hasEndedHere && status !== null ? (SIGNS[status] ?? null) : null;
}
