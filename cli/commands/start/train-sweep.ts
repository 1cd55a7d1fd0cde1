// svc start for a sweep: queues its runs as a group, follows one after another, and says which one won.
import { findSweep, groupText, plural, shortId, winnerText } from '../../../lib/console/index.js';
import {
  type RunLabels,
  reportJob,
  type Session,
  startSweep,
  type TrainerOptions,
  type VariedOption,
} from '../../../lib/sdk/index.js';
import type { Io } from '../../command.js';
import { type ExitCode, exitCode } from '../../exit-code.js';
import { checkData } from './check-data.js';
import { followRun } from './follow-run.js';
import type { Reporter } from './reporter.js';
import { orUsageError } from './run-options.js';
import { tellWaiting, type WaitTeller } from './tell-waiting.js';

interface Plan {
  options: TrainerOptions;
  labels: RunLabels;
  varied: readonly VariedOption[];
}

interface Ways {
  io: Io;
  reporter: Reporter;
  outputClosed: Promise<void>;
}

/** Ok if all of them completed. */
export async function trainSweep(
  { options, labels, varied }: Plan,
  session: Session,
  { io, reporter, outputClosed }: Ways,
): Promise<ExitCode> {
  let teller: WaitTeller | undefined;
  const { group, runs } = await startSweep(options, varied, session, {
    ...reporter,
    labels,
    onReady: (config, cloud) => checkData(config, cloud, reporter.note),
    onEvent(event) {
      teller?.noteEvent();
      reporter.onEvent(event);
    },
    onStorageWait: problem => reporter.note(`Waiting: ${problem}`),
  }).catch(error => orUsageError('sweep', () => rethrow(error)));
  reporter.note(`Queued ${plural(runs.length, 'run')} as the sweep ${shortId(group)}.`);
  let outcome: ExitCode = exitCode.ok;
  for (const [index, { run, settings }] of runs.entries()) {
    reporter.note(`\nRun ${index + 1} of ${runs.length}: ${groupText({ id: group, settings })}`);
    reporter.onQueued(run.job);
    reportJob(run.job.id);
    teller = tellWaiting(run.job, session, reporter.note, io.clock);
    try {
      const code = await followRun(run, io, reporter, outputClosed);
      if (code !== exitCode.ok) outcome = code;
    } finally {
      teller.stop();
    }
    if (outcome === exitCode.interrupted) {
      const rest = runs.length - index - 1;
      if (rest > 0)
        reporter.note(
          `${plural(rest, 'more run')} of the sweep ${rest === 1 ? 'is' : 'are'} queued. Cancel with "svc jobs cancel --group ${shortId(group)}".`,
        );
      return outcome;
    }
  }
  const { jobs } = await (await session.projectClient()).listJobs();
  const sweep = findSweep(jobs, group);
  const best = sweep && winnerText(sweep);
  if (best) reporter.note(`\nBest: ${best} (job ${shortId(sweep.winner!.id)}).`);
  reporter.note(`Compare: svc jobs list --group ${shortId(group)}`);
  return outcome;
}

function rethrow(error: unknown): never {
  throw error;
}
