// Detects runs that have ended since the last poll of the job list, and reports them.

import { type Clock, createPoll, type Poll } from '../clock/index.js';
import { isFinalStatus, type JobStatus, type JobSummary } from '../contract/index.js';
import { toSafeLine } from './safe-text.js';
import { doneShareText } from './text/format.js';

/** How often to poll the list for notifications. */
const DONE_POLL_MS = 5000;

type Seen = Pick<JobSummary, 'id' | 'name' | 'status' | 'error'>;

/** The jobs that were queued or running before and have ended. */
function endedJobs(before: readonly Seen[], now: readonly Seen[]): Seen[] {
  const open = new Set(before.filter(({ status }) => !isFinalStatus(status)).map(({ id }) => id));
  return now.filter(({ id, status }) => open.has(id) && isFinalStatus(status));
}

/** `triage completed`; for a failed run, also the reason. */
export function doneText({ name, status, error }: Omit<Seen, 'id'>): string {
  const reason = status === 'failed' ? error?.trim().split('\n')[0] : undefined;
  return `${name} ${status === 'failed' ? 'failed' : status}${reason ? `: ${reason}` : ''}`;
}

interface DoneWatchOptions {
  listJobs(): Promise<{ readonly jobs: readonly JobSummary[] }>;
  onDone(job: Seen, text: string): void;
  readonly clock: Clock;
}

/** Reports each run that ends while this is running, and none that ended before it was started again. */
export function createDoneWatch({ listJobs, onDone, clock }: DoneWatchOptions): Poll {
  let before: readonly JobSummary[] = [];
  const look = async () => {
    const known = before;
    const answer = await listJobs().catch(() => null);
    if (!answer || before !== known) return;
    for (const job of endedJobs(before, answer.jobs)) onDone(job, doneText(job));
    before = answer.jobs;
  };
  const poll = createPoll(clock, look, DONE_POLL_MS);
  return {
    start: poll.start,
    stop() {
      poll.stop();
      before = [];
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
