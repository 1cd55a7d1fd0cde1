// Detects runs that have ended since the last poll of the job list, and reports them.

import { type Clock, createPoll, type Poll } from '../clock/index.js';
import { isFinalStatus, type JobStatus, type JobSummary } from '../contract/index.js';
import { toSafeLine } from './safe-text.js';
import { doneShareText } from './text/format.js';

/** How often to poll the list for notifications. */
const DONE_POLL_MS = 5000;

type Ended = Pick<JobSummary, 'id' | 'name' | 'status' | 'error'>;

/** A job list and when it was asked for; null before the first. */
type Look = { readonly jobs: readonly JobSummary[]; readonly at: number } | null;

/** The runs that have ended since that look, also those that had not been started then. */
function endedJobs(before: Look, jobs: readonly JobSummary[]): Ended[] {
  if (!before) return [];
  const known = new Map(before.jobs.map(({ id, status }) => [id, status]));
  return jobs.filter(({ id, status, startedAt, createdAt, origin }) => {
    const was = known.get(id);
    const isNew = was === undefined && !origin && startedAt !== null && Date.parse(createdAt) >= before.at;
    return isFinalStatus(status) && (isNew || (was !== undefined && !isFinalStatus(was)));
  });
}

/** `triage completed`; for a failed run, also the reason. */
export function doneText({ name, status, error }: Omit<Ended, 'id'>): string {
  const reason = status === 'failed' ? error?.trim().split('\n')[0] : undefined;
  return `${name} ${status === 'failed' ? 'failed' : status}${reason ? `: ${reason}` : ''}`;
}

interface DoneWatchOptions {
  listJobs(): Promise<{ readonly jobs: readonly JobSummary[] }>;
  onDone(job: Ended, text: string): void;
  readonly clock: Clock;
}

/** Reports each run that ends while this is running, and none that ended before it was started again. */
export function createDoneWatch({ listJobs, onDone, clock }: DoneWatchOptions): Poll {
  let before: Look = null;
  let starts = 0;
  const look = async () => {
    const [at, start] = [clock.now(), starts];
    const answer = await listJobs().catch(() => null);
    if (!answer || start !== starts) return;
    for (const job of endedJobs(before, answer.jobs)) onDone(job, doneText(job));
    before = { jobs: answer.jobs, at };
  };
  const poll = createPoll(clock, look, DONE_POLL_MS);
  return {
    start: poll.start,
    stop() {
      poll.stop();
      before = null;
      starts++;
    },
  };
}

/**
 * Notifies users who are looking elsewhere: the terminal bell, plus a desktop notification (OSC 9) if
 * supported. tmux passes notifications on only if they are wrapped; it handles the bell itself.
 */
export function bellSequence(text: string, env: Readonly<Record<string, string | undefined>> = {}): string {
  const notification = `\u001b]9;${toSafeLine(text)}\u0007`;
  return `\u0007${env.TMUX ? `\u001bPtmux;\u001b${notification}\u001b\\` : notification}`;
}

const SIGNS: Readonly<Partial<Record<JobStatus, string>>> = { completed: '✓', failed: '✗', cancelled: '■' };

/**
 * The prefix of the browser tab's title before a job's name: its progress, or how it ended while the page was
 * open.
 */
export function titleSign(
  status: JobStatus | null,
  fraction: number | null,
  hasEndedHere: boolean,
): string | null {
  if (status === 'running') return fraction === null ? null : doneShareText(fraction);
  return hasEndedHere && status !== null ? (SIGNS[status] ?? null) : null;
}
