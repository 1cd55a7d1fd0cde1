// svc verify ID: trains a job again and compares the losses, bit for bit on the same kind of machine.
import { shortId } from '../../../lib/console/index.js';
import {
  ApiError,
  isFinalStatus,
  type Job,
  type JobConfigInput,
  type JobEvent,
  needsProgram,
  type RunManifest,
  readJobEvent,
} from '../../../lib/contract/index.js';
import {
  createRewarder,
  findRewardMisfit,
  followJob,
  rewardFailure,
  type Session,
  type TrainerOptions,
} from '../../../lib/sdk/index.js';
import { CommandError, exitCode } from '../../command.js';
import { endSentence } from '../../style.js';
import { findJob } from '../project/find.js';
import { countOption } from '../project/option-values.js';
import { projectCommand, type SessionContext } from '../project/session-command.js';
import { prepareTrainer } from '../start/prepare.js';
import { onFirstSignal } from '../terminal/interruptible.js';
import { createLiveLine } from '../terminal/live-line.js';
import { createAbsence } from '../training/event-log.js';
import { advance, noProgress, renderProgress } from '../training/progress.js';
import { reportWaiting } from '../training/waiting.js';
import {
  findChangedInputs,
  findDifferences,
  isSameKind,
  type LoggedLosses,
  lastStepOf,
  lossesOf,
  TOLERANCE,
} from './compare-runs.js';
import { renderVerdict, type Verdict } from './verdict.js';

export const run = projectCommand(async context => {
  const { positionals, session, screen, answer } = context;
  const steps = countOption(context, 'steps');
  const { cloud, id } = await findJob(session, positionals[0]!);
  const { job } = await cloud.getJob(id);
  const { manifest } = await cloud.getJobManifest(id);
  requireEnded(job);
  const before: JobEvent[] = [];
  for await (const frame of followJob(session, id)) before.push(readJobEvent(frame));
  const losses = lossesOf(before);
  requireLosses(job, losses);
  const trainer = await loadRewardingTrainer(context, job);
  const left = new AbortController();
  const ignore = onFirstSignal(context.io, () => left.abort());
  const verdict = await repeat(context, { cloud, job, manifest, losses, steps, trainer }, left).finally(
    ignore,
  );
  if (verdict === null) return exitCode.interrupted;
  const hasRewards = [...losses.values()].some(({ reward }) => reward !== null);
  answer(verdict, () => renderVerdict(verdict, hasRewards, screen.style));
  return verdict.verified ? exitCode.ok : exitCode.failure;
});

function requireEnded({ id, status }: Job): void {
  if (isFinalStatus(status)) return;
  const short = shortId(id);
  throw new CommandError(`Job ${short} is ${status}. Wait until it has ended: svc jobs wait ${short}.`);
}

function requireLosses({ id, config }: Job, losses: LoggedLosses): void {
  if (config?.dryRun !== true && losses.size > 0) return;
  throw new CommandError(
    `Job ${shortId(id)} has no losses to compare: it logged none, was a dry run, or was not trained by this cloud.`,
  );
}

interface Original {
  cloud: Awaited<ReturnType<typeof findJob>>['cloud'];
  job: Job;
  manifest: RunManifest;
  losses: LoggedLosses;
  steps: number | undefined;
  /** Gives the rewards, if the job needs a program for that. */
  trainer: TrainerOptions | null;
}

/** Null if the user interrupted. */
async function repeat(
  context: SessionContext,
  original: Original,
  left: AbortController,
): Promise<Verdict | null> {
  const { cloud, job, manifest, losses, steps } = original;
  const upTo = Math.min(steps ?? Number.POSITIVE_INFINITY, lastStepOf(losses));
  const nothing = {
    compared: 0,
    differences: [],
    sameAdapter: null,
    changed: [],
    exact: false,
    tolerance: TOLERANCE,
  };
  let created: Job;
  try {
    created = await createRepetition({ cloud, job });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const failed = { verified: false, jobId: job.id, repeatedAs: null, error: error.message };
    return { ...nothing, ...failed };
  }
  const isWhole = job.status === 'completed' && (steps === undefined || steps > upTo);
  const until = isWhole ? Number.POSITIVE_INFINITY : upTo;
  const after = await follow(context, original, created, until, left);
  if (after === null) return null;
  const { manifest: repeated } = await (await context.session.projectClient()).getJobManifest(created.id);
  const exact = isSameKind(manifest, repeated);
  const compared = findDifferences(losses, lossesOf(after), { isExact: exact, upTo });
  const sameAdapter =
    exact && isWhole && repeated.adapter ? manifest.adapter?.sha256 === repeated.adapter.sha256 : null;
  const error = reasonOf(after, upTo);
  return {
    verified: error === null && compared.differences.length === 0 && sameAdapter !== false,
    jobId: job.id,
    repeatedAs: created.id,
    exact,
    tolerance: exact ? 0 : TOLERANCE,
    ...compared,
    sameAdapter,
    changed: repeated.run ? findChangedInputs(manifest, repeated) : [],
    error,
  };
}

async function follow(
  { session, screen, json, io, note: say }: SessionContext,
  { trainer }: Pick<Original, 'trainer'>,
  created: Job,
  upTo: number,
  left: AbortController,
): Promise<JobEvent[] | null> {
  const { id } = created;
  const refusals: unknown[] = [];
  const line = createLiveLine(io.stdout, { isLive: screen.isLive && !json });
  const note = (text: string) => {
    line.clear();
    say(text);
  };
  const waiting = reportWaiting(created, session, note, io.clock);
  const stopRewards =
    trainer &&
    giveRewards(trainer, id, session, {
      note,
      onRefused(error) {
        refusals.push(error);
        left.abort();
      },
    });
  let progress = noProgress;
  const onEvent = (event: JobEvent) => {
    waiting.noteEvent();
    progress = advance(progress, event);
    line.draw(renderProgress(progress, screen.width - 1, screen.style));
  };
  try {
    const events = await followRepetition(id, { session, upTo, note, onEvent, signal: left.signal });
    if (refusals.length > 0) throw refusals[0];
    return left.signal.aborted ? null : events;
  } finally {
    stopRewards?.();
    waiting.stop();
    line.clear();
  }
}

/** Why the run did not reach the last step to compare. */
function reasonOf(events: readonly JobEvent[], upTo: number): string | null {
  const reached = lastStepOf(lossesOf(events));
  if (reached >= upTo) return null;
  const failed = events.find(event => event.type === 'training.failed');
  return failed?.type === 'training.failed' ? failed.error : `It ended at step ${reached}.`;
}

interface Repetition {
  session: Session;
  /** Stops after this step. The options stay, since the learning rate depends on the planned end. */
  upTo: number;
  note(line: string): void;
  onEvent(event: JobEvent): void;
  /** Aborted when the user leaves; the new job is then canceled. */
  signal: AbortSignal;
}

/** Trains the job again as a new job, up to the last step to compare. */
async function createRepetition({ cloud, job }: Pick<Original, 'cloud' | 'job'>): Promise<Job> {
  const name = `verify ${job.name.replace(/^verify /, '')}`.slice(0, 100).trim();
  // These only measure the run and do not affect it.
  const { samples: _, evals: __, bestBy: ___, ...config } = job.config as unknown as JobConfigInput;
  const created = await cloud.createJob({ name, config });
  return created.job;
}

/** The new job's events up to that step, or up to the job's end or its cancellation. */
async function followRepetition(
  id: string,
  { session, upTo, note, onEvent, signal }: Repetition,
): Promise<JobEvent[]> {
  const events: JobEvent[] = [];
  const { end, ...absence } = createAbsence(note);
  // The cloud may have moved meanwhile.
  const cancel = async () => (await session.projectClient()).cancelJob(id);
  try {
    for await (const frame of followJob(session, id, { ...absence, signal })) {
      end();
      const event = readJobEvent(frame);
      events.push(event);
      onEvent(event);
      if (event.type === 'training.log' && event.step >= upTo) break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (events.at(-1)?.type !== 'end')
    await cancel().catch((error: Error) => {
      note(`! Could not cancel the job: ${endSentence(error.message)} Try "svc jobs cancel ${shortId(id)}".`);
    });
  return events;
}

/** Null for a run that needs no program. Throws if the project's trainer cannot give the rewards. */
async function loadRewardingTrainer(
  { io, note }: Pick<SessionContext, 'io' | 'note'>,
  job: Job,
): Promise<TrainerOptions | null> {
  if (!needsProgram(job)) return null;
  const { options } = await prepareTrainer(io, undefined, note);
  const problem = findRewardMisfit(options, job);
  if (problem !== null)
    throw new CommandError(
      `${problem} Build the entry of the trainer that started it with "svc build ENTRY", then run "svc verify" again.`,
    );
  note(`Rewards come from the trainer ${options.name} as it is now.`);
  return options;
}

/** Rewards a job's answers until it is stopped. `onRefused`: the cloud does not accept the rewards. */
function giveRewards(
  options: TrainerOptions,
  jobId: string,
  session: Session,
  { note, onRefused }: { note(line: string): void; onRefused(error: unknown): void },
): () => void {
  const rewarder = createRewarder(options, jobId, session, {
    onRewardsFailed: failure => note(`! ${rewardFailure(failure)}`),
  });
  rewarder?.serve().catch(onRefused);
  return () => rewarder?.stop();
}
