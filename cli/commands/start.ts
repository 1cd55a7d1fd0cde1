// svc start [ENTRY]: runs the project's trainer and follows its job to the end.
import type { CloudClient } from '../../lib/client/index.js';
import {
  doneText,
  findSweep,
  groupText,
  noWinnerText,
  plural,
  shortId,
  winnerText,
} from '../../lib/console/index.js';
import { ApiError, isFinalStatus, type JobConfigInput, needsProgram } from '../../lib/contract/index.js';
import {
  attachRun,
  attachToJob,
  openSession,
  type Run,
  type RunLabels,
  type ServiceTrainer,
  type Session,
  type StartedSweep,
  startRun,
  startSweep,
  type TrainerOptions,
  type VariedOption,
} from '../../lib/sdk/index.js';
import { CommandError, type ExitCode, exitCode, type Io } from '../command.js';
import { printLine } from '../print.js';
import { createScreen } from '../screen.js';
import { findJob } from './project/find.js';
import { keepOutputs, routeOutputs, watchOutput } from './project/route-outputs.js';
import { sessionCommand } from './project/session-command.js';
import { createDistilStop } from './start/distil.js';
import { createFollower, describeLeft, type Ways } from './start/follow-run.js';
import { checkData, describeThrown, prepareTrainer } from './start/prepare.js';
import { createJsonReporter, type Reporter } from './start/reporter.js';
import {
  applySettings,
  chooseVaried,
  idleSettings,
  readRunOptions,
  toUsageError,
} from './start/run-options.js';
import { stopOnce } from './start/stop-once.js';
import { createTextReporter } from './start/text-reporter.js';
import { ring } from './terminal/live-line.js';

export const run = sessionCommand(async ({ positionals, values, io: shared, json }) => {
  const io = keepOutputs(shared);
  const { cwd: folder, env } = io;
  const screen = createScreen(io.stdout, env);
  const runOptions = readRunOptions(values);
  const { labels, settings, attach } = runOptions;
  const plain = json ? createJsonReporter(io) : createTextReporter(io, screen);
  const reporter = values.notify === true ? withBell(plain, io) : plain;
  const giveBack = routeOutputs(reporter.output, shared, io, screen);
  const output = watchOutput(io);
  const stop = createDistilStop(io, reporter.note);
  try {
    const trainer = await prepareTrainer(io, positionals[0], reporter.note);
    const options = applySettings(trainer.options, settings);
    const varied = chooseVaried(trainer, runOptions);
    for (const warning of idleSettings(options, varied)) reporter.note(`! ${warning}`);
    const session = openSession({ folder, env, keepsCloud: true, onCloudStart: reporter.note });
    const ways = { io, reporter, outputClosed: output.closed };
    const training =
      attach !== undefined
        ? takeUp({ trainer, options }, attach, session, ways)
        : train({ trainer, options, labels, varied }, session, ways, stop);
    return await training.catch(error => {
      throw options.abortSignal?.aborted && error === options.abortSignal.reason ? signalFired() : error;
    });
  } catch (error) {
    const text = stop.text();
    if (text === null) throw error;
    reporter.clear();
    reporter.note(text);
    return exitCode.interrupted;
  } finally {
    stop.ignore();
    output.stop();
    giveBack();
  }
});

/** Also notifies the terminal when the run ends. */
function withBell(reporter: Reporter, io: Io): Reporter {
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

type DistilStop = ReturnType<typeof createDistilStop>;

interface Plan {
  trainer: ServiceTrainer;
  /** The trainer's options, with this run's settings applied. */
  options: TrainerOptions;
  labels: RunLabels;
  /** For a sweep: what varies among its runs. */
  varied: readonly VariedOption[];
}

async function train(plan: Plan, session: Session, ways: Ways, stop: DistilStop): Promise<ExitCode> {
  const { trainer, options, labels, varied } = plan;
  const { reporter } = ways;
  const follower = createFollower(session, ways);
  const { follow, onEvent } = follower;
  const hooks = {
    ...reporter,
    ...stop.watch(reporter.onDistil),
    labels,
    onReady: (config: JobConfigInput, cloud: CloudClient) => checkData(config, cloud, reporter.note),
    onEvent,
    onStorageWait: (problem: string) => reporter.note(`Waiting: ${problem}`),
  };
  if (varied.length > 0) {
    const stopped = new AbortController();
    let wasQueued = false;
    // While a teacher is asked, the generation ends in its own way, and the sweep with it.
    const ignore = stopOnce(ways.io, () => !stop.isListening() && stopped.abort());
    const onCanceling = () => {
      wasQueued = true;
      reporter.note('Canceling the runs that were queued. Press Ctrl-C again to leave them.');
    };
    const queueing = startSweep(options, varied, session, { ...hooks, signal: stopped.signal, onCanceling });
    const first = queueing.then(({ runs }) => runs[0]!.run);
    // What it fails with is told once.
    first.catch(() => {});
    attachRun(trainer, first, queueing);
    const sweep = await queueing
      .catch(error => {
        if (stopped.signal.aborted) return null;
        throw toUsageError(error, 'sweep');
      })
      .finally(ignore);
    if (!sweep) {
      reporter.clear();
      if (!wasQueued) reporter.note('Stopped. No run was queued.');
      return exitCode.interrupted;
    }
    return await followSweep(sweep, plan, session, { ...ways, ...follower }).finally(() =>
      // An abort of the project's signal cancels the queued runs, too.
      Promise.all(sweep.runs.map(({ run }) => run.aborted())),
    );
  }
  const starting = startRun(options, session, hooks);
  attachRun(trainer, starting);
  const run = await starting;
  return explained(run, plan, session, () => follow(run));
}

/** Follows a job that another process started, from now on. */
async function takeUp(
  plan: Pick<Plan, 'trainer' | 'options'>,
  typed: string,
  session: Session,
  ways: Ways,
): Promise<ExitCode> {
  const { id } = await findJob(session, typed);
  const { follow, onEvent } = createFollower(session, ways);
  const attaching = attachToJob(plan.options, id, session, { ...ways.reporter, onEvent });
  attachRun(plan.trainer, attaching);
  const run = await attaching;
  return explained(run, plan, session, () => follow(run, true));
}

const signalFired = () =>
  new CommandError("The project's abort signal fired, so what was running or queued was canceled.");

/** Errors of the project's code say what has become of the job. */
async function explained(
  run: Run,
  { options }: Pick<Plan, 'options'>,
  session: Session,
  follow: () => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await follow();
  } catch (error) {
    if (error instanceof ApiError || options.abortSignal?.aborted) throw error;
    const { message } = describeThrown(error, 'A callback threw');
    throw new CommandError(`${message}\n${await describeJobState(run, session)}`);
  }
}

/** Fetches the status, since the callback that threw may have run after the job ended. */
async function describeJobState({ job }: Run, session: Session): Promise<string> {
  const { id } = job;
  const project = await session.projectClient().catch(() => null);
  const status = await project?.getJob(id).then(
    ({ job }) => job.status,
    () => null,
  );
  if (!status) return `It is unknown whether the job is still running. Check it with "svc jobs show ${id}".`;
  if (isFinalStatus(status)) return `The job is ${status}. See it with "svc jobs show ${id}".`;
  return needsProgram(job)
    ? describeLeft(job)
    : `The job is still running. Check it with "svc jobs show ${id}".`;
}

/** Follows the runs one after another and reports the winner. Succeeds if all of them completed. */
async function followSweep(
  sweep: StartedSweep,
  plan: Plan,
  session: Session,
  { io, reporter: { note }, follow, isUnread }: Ways & ReturnType<typeof createFollower>,
): Promise<ExitCode> {
  const { group, runs } = sweep;
  note(`Queued ${plural(runs.length, 'run')} as the sweep ${shortId(group)}.`);
  let outcome: ExitCode = exitCode.ok;
  for (const [index, { run, settings }] of runs.entries()) {
    note(`\nRun ${index + 1} of ${runs.length}: ${groupText({ id: group, settings })}`);
    const left = describeRest(runs.length - index - 1, group);
    attachRun(plan.trainer, Promise.resolve(run), Promise.resolve(sweep));
    const code = await explained(run, plan, session, () => follow(run)).catch(error => {
      if (left && !plan.options.abortSignal?.aborted) note(left);
      throw error;
    });
    if (code !== exitCode.ok) outcome = code;
    if (!isUnread() && outcome !== exitCode.interrupted) continue;
    if (left && isUnread()) printLine(io.stderr, left, io.env);
    else if (left) note(left);
    return outcome;
  }
  const { jobs } = await (await session.projectClient()).listJobs();
  const found = findSweep(jobs, group);
  const best = found && winnerText(found);
  const reason = found && noWinnerText(found);
  if (best) note(`\nBest: ${best} (job ${shortId(found.winner!.id)}).`);
  else if (reason) note(`\n${reason}`);
  note(`Compare: svc jobs list --group ${shortId(group)}`);
  return outcome;
}

/** Null if no run is left. */
function describeRest(rest: number, group: string): string | null {
  if (rest === 0) return null;
  return `${plural(rest, 'more run')} of the sweep ${rest === 1 ? 'is' : 'are'} queued. Cancel with "svc jobs cancel --group ${shortId(group)}".`;
}
