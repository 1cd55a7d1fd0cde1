// Which runs have ended since the last look at the list of jobs, and how that is told.

import { type Clock, createPoll, type Poll } from '../clock/index.js';
import { isFinalStatus, type JobStatus, type JobSummary } from '../contract/index.js';
import { toSafeLine } from './safe-text.js';

/** How often the list is looked at by whoever wants to be told. */
const DONE_POLL_MS = 5000;

type Seen = Pick<JobSummary, 'id' | 'name' | 'status' | 'error'>;

/** The jobs that were queued or running before and are over now. */
function endedJobs(before: readonly Seen[], now: readonly Seen[]): Seen[] {
  const open = new Set(before.filter(({ status }) => !isFinalStatus(status)).map(({ id }) => id));
  return now.filter(({ id, status }) => open.has(id) && isFinalStatus(status));
}

/** `triage completed`; of a failed one also why. */
export function doneText({ name, status, error }: Omit<Seen, 'id'>): string {
  const reason = status === 'failed' ? error?.trim().split('\n')[0] : undefined;
  return `${name} ${status === 'failed' ? 'failed' : status}${reason ? `: ${reason}` : ''}`;
}

interface DoneWatchOptions {
  listJobs(): Promise<{ readonly jobs: readonly JobSummary[] }>;
  onDone(job: Seen, text: string): void;
  readonly clock: Clock;
}

/** Tells when a run ends while it goes on. */
export function createDoneWatch({ listJobs, onDone, clock }: DoneWatchOptions): Poll {
  let before: readonly JobSummary[] = [];
  const look = async () => {
    const answer = await listJobs().catch(() => null);
    if (!answer) return;
    for (const job of endedJobs(before, answer.jobs)) onDone(job, doneText(job));
    before = answer.jobs;
  };
  return createPoll(clock, look, DONE_POLL_MS);
}

/**
 * Tells somebody who looks elsewhere, through the terminal: its bell, and a notification (OSC 9) where it has them. tmux
 * passes on only what is wrapped; the bell itself it knows.
 */
export function bellSequence(text: string, env: Readonly<Record<string, string | undefined>> = {}): string {
  const notification = `\u001b]9;${toSafeLine(text)}\u0007`;
  return `\u0007${env.TMUX ? `\u001bPtmux;\u001b${notification}\u001b\\` : notification}`;
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
