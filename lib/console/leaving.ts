// Leaving a dashboard: what is asked first while a run started there is in progress, and the line that stays afterwards: what
// ran, how it ended, where the log is.
import type { TrainStatus } from '../contract/index.js';
import { type CloudLink, isAway } from './cloud-link.js';
import { runOutcome } from './train-view.js';

/** What happens to the job of a run in progress; `unknown` if the cloud does not respond. */
export type JobFate = 'goes_on' | 'over' | 'unknown';

export const QUIT_WITHOUT_JOB = 'A run is in progress but has no job yet. Quitting stops it. Quit?';
export const QUIT_QUESTIONS: Readonly<Record<JobFate, string>> = {
  goes_on: 'A run is in progress. Its job continues, but its callbacks stop. Quit?',
  over: 'A run is in progress. Its job has ended; quitting stops its callbacks. Quit?',
  unknown:
    'A run is in progress. Its job continues once the cloud responds again, but its callbacks stop. Quit?',
};

interface Leaving {
  readonly status: TrainStatus | null;
  readonly trainerName: string | null;
  readonly fate: JobFate;
  readonly logFile: string | null;
}

export function exitLine({ status, trainerName, fate, logFile }: Leaving): string {
  const log = logFile === null ? '' : ` Log: ${logFile}`;
  return `${describeRun(status, trainerName, fate)}${log}`;
}

/** A guess from earlier calls, for when there is no time to ask the cloud. */
export function fateByLink(link: CloudLink): JobFate {
  return isAway(link) ? 'unknown' : 'goes_on';
}

function describeRun(status: TrainStatus | null, trainerName: string | null, fate: JobFate): string {
  const outcome = runOutcome(status);
  if (!status || !outcome) return 'No training was started.';
  const what = trainerName === null ? 'Training' : `Training of ${trainerName}`;
  const job = status.jobId === null ? '' : `, job ${status.jobId}`;
  if (outcome.state !== 'running') return `${what} ${outcome.text}${job}.`;
  if (status.jobId === null) return `${what} was stopped before its job was created.`;
  return `${what} ${ENDINGS[fate](job, `"svc jobs logs ${status.jobId} --follow"`)}`;
}

const ENDINGS: Readonly<Record<JobFate, (job: string, logs: string) => string>> = {
  goes_on: (job, logs) => `is still running${job}. Follow it with ${logs}.`,
  over: job => `was stopped${job}, but the job had already ended.`,
  unknown: (job, logs) =>
    `was still running${job}. The cloud is not responding; the job continues when the cloud runs. Follow it with ${logs}.`,
};
