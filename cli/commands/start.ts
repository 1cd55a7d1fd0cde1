// svc start [ENTRY]: runs the project's trainer and follows its job to the end.
import { doneText, findSweep, groupText, plural, shortId, winnerText } from '../../lib/console/index.js';
import { ApiError, isFinalStatus, type JobEvent, type JobStatus } from '../../lib/contract/index.js';
import {
  attachRun,
  openSession,
  type Run,
  type RunLabels,
  reportJob,
  type ServiceTrainer,
  type Session,
  startRun,
  startSweep,
  type TrainerOptions,
  type VariedOption,
} from '../../lib/sdk/index.js';
import { CommandError, type ExitCode, exitCode, type Io } from '../command.js';
import { createScreen, type Screen } from '../screen.js';
import { sessionCommand } from './project/session-command.js';
import { followRun, tellWaiting, type WaitTeller } from './start/follow-run.js';
import { checkData, describeThrown, prepareTrainer } from './start/prepare.js';
import { createJsonReporter, type Reporter } from './start/reporter.js';
import { keepOutputs, routeConsole, routeStream } from './start/route-outputs.js';
import {
  applySettings,
  chooseVaried,
  idleSettings,
  orUsageError,
  readRunOptions,
} from './start/run-options.js';
import { createTextReporter } from './start/text-reporter.js';
import { ring } from './terminal/live-line.js';

export const run = sessionCommand(async ({ positionals, values, io: shared, json }) => {
  const io = keepOutputs(shared);
  const { cwd: folder, env } = io;
  const screen = createScreen(io.stdout, env);
  const given = readRunOptions(values);
  const { labels, settings } = given;
  const plain = json ? createJsonReporter(io) : createTextReporter(io, screen);
  const reporter = values.notify === true ? ringing(plain, io) : plain;
  const onCloudStart = (url: string) => reporter.note(`Started the local cloud at ${url}.`);
  const giveBack = routeOutputs(reporter, shared, io, screen);
  const output = watchOutput(io);
  try {
    const trainer = await prepareTrainer(folder, positionals[0], reporter.note);
    const options = applySettings(trainer.options, settings);
    const varied = chooseVaried(trainer, given);
    for (const warning of idleSettings(options, varied)) reporter.note(`! ${warning}`);
    const session = openSession({ folder, env, onCloudStart });
    if (varied.length > 0)
      return await trainSweep({ options, labels, varied }, session, { io, reporter, output });
    return await train({ trainer, options, labels }, session, { io, reporter, output });
  } finally {
    output.stop();
    giveBack();
  }
});

/** Also tells the terminal how the run ended. */
function ringing(reporter: Reporter, io: Io): Reporter {
  let name = 'The run';
  return {
    ...reporter,
    onQueued(job) {
      name = job.name;
      reporter.onQueued(job);
    },
    onEnd(result) {
      reporter.onEnd(result);
      ring(
        io,
        doneText({ name, status: result.status, error: result.status === 'failed' ? result.error : null }),
      );
    },
  };
}

/** Sends everything the project's code writes through the reporter. */
function routeOutputs({ output }: Reporter, shared: Io, { stderr, env }: Io, screen: Screen): () => void {
  const isOneScreen = screen.isLive && stderr.isTTY === true;
  const giveBack = [
    routeConsole(output, isOneScreen ? output : stderr, screen.isTerminal && !env.NO_COLOR),
    routeStream(shared.stdout, output),
  ];
  if (isOneScreen) giveBack.push(routeStream(shared.stderr, output));
  return () => giveBack.forEach(give => void give());
}

/** Starts early, so that a job is created even if no one reads the output. */
function watchOutput({ onOutputClosed }: Io): { closed: Promise<void>; stop(): void } {
  let stop: (() => void) | undefined;
  const closed = new Promise<void>(resolve => {
    stop = onOutputClosed?.(resolve);
  });
  return { closed, stop: () => stop?.() };
}

interface Ways {
  io: Io;
  reporter: Reporter;
  output: ReturnType<typeof watchOutput>;
}

interface Plan {
  trainer: ServiceTrainer;
  /** Its own, with what was set for this run. */
  options: TrainerOptions;
  labels: RunLabels;
}

async function train(plan: Plan, session: Session, { io, reporter, output }: Ways): Promise<ExitCode> {
  const { trainer, options, labels } = plan;
  let teller: WaitTeller | undefined;
  const onEvent = (event: JobEvent) => {
    teller?.noteEvent();
    reporter.onEvent(event);
  };
  const onStorageWait = (problem: string) => reporter.note(`Waiting: ${problem}`);
  const starting = startRun(options, session, {
    ...reporter,
    labels,
    onReady: (config, cloud) => checkData(config, cloud, reporter.note),
    onEvent,
    onStorageWait,
  });
  attachRun(trainer, starting);
  const run = await starting;
  reporter.onQueued(run.job);
  teller = tellWaiting(run.job, session, reporter.note, io.clock);
  reportJob(run.job.id);
  try {
    return await followRun(run, io, reporter, output.closed);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (options.abortSignal?.aborted)
      throw new CommandError("The project's abort signal fired, so the job was cancelled.");
    const { message } = describeThrown(error, 'A callback threw');
    throw new CommandError(`${message}\n${await describeStanding(run, session)}`);
  } finally {
    teller.stop();
  }
}

/** Asks for the status, since the callback that threw may have run after the job ended. */
async function describeStanding({ job: { id } }: Run, session: Session): Promise<string> {
  const status = await askStatus(id, session).catch(() => null);
  if (status === null)
    return `It is unknown whether the job is still running. Check it with "svc jobs show ${id}".`;
  return isFinalStatus(status)
    ? `The job is ${status}. See it with "svc jobs show ${id}".`
    : `The job is still running. Check it with "svc jobs show ${id}".`;
}

async function askStatus(id: string, session: Session): Promise<JobStatus> {
  return (await (await session.projectClient()).getJob(id)).job.status;
}

interface SweepPlan {
  options: TrainerOptions;
  labels: RunLabels;
  varied: readonly VariedOption[];
}

/**
 * Queues the runs of a sweep as a group, follows one after another, and says which one won. Ok if all of them
 * completed.
 */
async function trainSweep(
  { options, labels, varied }: SweepPlan,
  session: Session,
  { io, reporter, output }: Ways,
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
      const code = await followRun(run, io, reporter, output.closed);
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
