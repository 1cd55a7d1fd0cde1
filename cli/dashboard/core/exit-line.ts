// What stays on the normal screen when the dashboard is left: what ran, how it ended, where the log is.
import { type CloudLink, runOutcome } from '../../../lib/console/index.js';
import type { TrainStatus } from '../../../lib/contract/index.js';

/** What becomes of the job of a run that is still going; `unknown` when the cloud cannot be asked. */
export type JobFate = 'goes_on' | 'over' | 'unknown';

export interface Leaving {
  readonly status: TrainStatus | null;
  readonly trainerName: string | null;
  readonly fate: JobFate;
  readonly logFile: string | null;
}

export function exitLine({ status, trainerName, fate, logFile }: Leaving): string {
  const log = logFile === null ? '' : ` Log: ${logFile}`;
  return `${describeRun(status, trainerName, fate)}${log}`;
}

/** As far as the calls tell that were made anyway, when there is no time to ask. */
export function fateByLink(link: CloudLink): JobFate {
  return link === 'away' || link === 'studio_gone' ? 'unknown' : 'goes_on';
}

function describeRun(status: TrainStatus | null, trainerName: string | null, fate: JobFate): string {
  const outcome = runOutcome(status);
  if (!status || !outcome) return 'No training was run.';
  const what = trainerName === null ? 'Training' : `Training of ${trainerName}`;
  const job = status.jobId === null ? '' : `, job ${status.jobId}`;
  if (outcome.state !== 'running') return `${what} ${outcome.text}${job}.`;
  if (status.jobId === null) return `${what} was stopped before it had a job.`;
  return `${what} was still going${job}${ENDINGS[fate](`"svc jobs logs ${status.jobId} --follow"`)}`;
}

const ENDINGS: Readonly<Record<JobFate, (watch: string) => string>> = {
  goes_on: watch => `: it goes on, see ${watch}.`,
  over: () => ', which had ended.',
  unknown: watch => `. The cloud did not answer: the job goes on when the cloud runs, see ${watch}.`,
};
