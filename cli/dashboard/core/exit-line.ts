// What stays on the normal screen when the dashboard is left: what ran, how it ended, where the log is.
import { runOutcome } from '../../../lib/console/index.js';
import type { TrainStatus } from '../../../lib/contract/index.js';

export interface Leaving {
  readonly status: TrainStatus | null;
  readonly trainerName: string | null;
  readonly logFile: string | null;
}

export function exitLine({ status, trainerName, logFile }: Leaving): string {
  const log = logFile === null ? '' : ` Log: ${logFile}`;
  return `${describeRun(status, trainerName)}${log}`;
}

function describeRun(status: TrainStatus | null, trainerName: string | null): string {
  const outcome = runOutcome(status);
  if (!status || !outcome) return 'No training was run.';
  const what = trainerName === null ? 'Training' : `Training of ${trainerName}`;
  const job = status.jobId === null ? '' : `, job ${status.jobId}`;
  if (outcome.state !== 'running') return `${what} ${outcome.text}${job}.`;
  return status.jobId === null
    ? `${what} was still going.`
    : `${what} was still going${job}: it goes on, see svc jobs logs ${status.jobId} --follow.`;
}
