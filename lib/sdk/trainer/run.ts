// One training run from start to end: creates the job, follows its events through interruptions, and calls the
// callbacks in order.
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { type CloudClient, createBackoff } from '../../client/index.js';
import {
  type AdapterRef,
  ApiError,
  type EditableField,
  isFinalStatus,
  type Job,
  type JobEvent,
  type JobInput,
  needsProgram,
  readJobEvent,
  scorePlace,
  toFrames,
} from '../../contract/index.js';
import { openTaskRows } from '../../task/index.js';
import type { DistilWatch } from '../distil/progress.js';
import { resolveTarget } from '../evaluation/resolve-target.js';
import type { Session } from '../session/session.js';
import { createEvaluator, type EvalHooks, type Evaluator, inferWith } from './evaluator.js';
import { type FollowHooks, followJob } from './follow-job.js';
import { toJobInput } from './job-input.js';
import type { MapProgress } from './map-rows.js';
import type { StartFrom, TrainerCallbacks, TrainerOptions, TrainerResult } from './options.js';
import { isRewardedHere } from './reward-source.js';
import { createRewarder, type Rewarder, type RewardHooks } from './rewarder.js';
import { toDatasetSource, type UploadProgress, withJsonLines } from './upload-dataset.js';

export type RunLabels = { [Name in EditableField | 'group']?: JobInput[Name] | undefined };

/** Makes what is given alike once, for all runs that start with it. */
export type Once = <T>(kind: 'data' | 'start', given: unknown, make: () => Promise<T>) => Promise<T>;

interface RunHooks extends Partial<EvalHooks>, Partial<RewardHooks>, FollowHooks, DistilWatch {
  /** Shared by the runs of a sweep: they learn from the same data, and start from the same adapter. */
  once?: Once | undefined;
  /** Where the job differs from what the trainer says. Tags are added to the trainer's. */
  labels?: RunLabels | undefined;
  /**
   * Called when the data is uploaded and the job is about to be created with this config. If it throws,
   * nothing is queued.
   */
  onReady?: ((config: JobInput['config'], cloud: CloudClient) => unknown) | undefined;
  /** Called for every event before its callback, including scores reported after the run's end. */
  onEvent?: ((event: JobEvent) => void) | undefined;
  /** The progress of the trainer's `map` function. */
  onMap?: ((progress: MapProgress) => void) | undefined;
  /** The progress of an upload. Not called for small data sets. */
  onUpload?: ((progress: UploadProgress) => void) | undefined;
  /** The cloud cannot store the job now, for this reason; retried for a while. */
  onStorageWait?: ((problem: string) => void) | undefined;
  /** Ends the preparation, as the trainer's own signal does. Does nothing once the job is queued. */
  signal?: AbortSignal | undefined;
}

export interface Run {
  readonly job: Job;
  /** Follows the job to its end; all callers share one result. Rejects with a callback's error or the abort reason. */
  wait(): Promise<TrainerResult>;
  cancel(): Promise<void>;
  /** Once the trainer's signal is aborted: resolves when the cloud knows, and rejects if the job could not be canceled. */
  aborted(): Promise<void>;
}

/** Uploads the data and queues the job. */
export async function startRun(
  options: TrainerOptions,
  session: Session,
  hooks: RunHooks = {},
): Promise<Run> {
  const signal = anyOf(options.abortSignal, hooks.signal);
  signal?.throwIfAborted();
  const { input, cloud } = await prepareJob(options, session, hooks);
  await hooks.onReady?.(input.config, cloud);
  anyOf(signal, hooks.stop)?.throwIfAborted();
  const job = await createJob(withLabels(input, hooks.labels), session, {
    signal,
    onStorageWait: hooks.onStorageWait,
  });
  return openRun(job, options, session, hooks);
}

function anyOf(...signals: (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter(signal => signal !== undefined);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}

/**
 * Takes up a job that the same trainer started in another process, from its next event on: its rewards, evals and callbacks are
 * this process's again.
 */
export async function attachToJob(
  options: TrainerOptions,
  jobId: string,
  session: Session,
  hooks: RunHooks = {},
): Promise<Run> {
  options.abortSignal?.throwIfAborted();
  const project = await session.projectClient();
  const { job } = await project.getJob(jobId);
  assertAttachable(options, job);
  let after = 0;
  for await (const parts of project.readJobLog(jobId)) after = Number(toFrames(parts).at(-1)?.id ?? after);
  // It may have ended meanwhile, and nothing follows that.
  assertAttachable(options, (await project.getJob(jobId)).job);
  return openRun(job, options, session, hooks, after);
}

function assertAttachable(options: TrainerOptions, job: Job): void {
  const { id, status } = job;
  if (isFinalStatus(status))
    throw new ApiError('invalid_value', `Job ${id} has ended: it is ${status}.`, { param: 'jobId' });
  const problem = findRewardMisfit(options, job);
  if (problem === null) return;
  throw new ApiError('invalid_value', `${problem} Attach the trainer that started it.`, { param: 'jobId' });
}

/** Why a trainer cannot give a job its rewards, or gives some that it does not need; null if both fit. */
export function findRewardMisfit({ name, method }: TrainerOptions, job: Pick<Job, 'id' | 'config'>) {
  const learns = needsProgram(job);
  const rewards = method?.type === 'grpo' && isRewardedHere(method.reward);
  if (learns === rewards) return null;
  return learns
    ? `Job ${job.id} gets its rewards from its trainer, and the trainer ${name} has no reward function.`
    : `The trainer ${name} has a reward function, and job ${job.id} learns without one.`;
}

/** `after`: events up to this number are not this process's. */
async function openRun(
  job: Job,
  options: TrainerOptions,
  session: Session,
  hooks: RunHooks,
  after?: number,
): Promise<Run> {
  const { abortSignal: signal } = options;
  const tell = dedupeScores(hooks.onEvent);
  const evaluator = createEvaluator(options, job.id, session, { ...hooks, onScored: tell });
  const rewarder = createRewarder(options, job.id, session, hooks);
  let canceling: Promise<void> | undefined;
  const onAbort = () => {
    evaluator.stop();
    canceling = cancel();
    canceling.catch(() => {});
  };
  const onEnded = () => signal?.removeEventListener('abort', onAbort);
  const cancel = async () => {
    const { status } = (await (await session.projectClient()).cancelJob(job.id)).job;
    if (status === 'cancelled') evaluator.stop();
    if (isFinalStatus(status)) onEnded();
  };
  const aborted = async () => canceling;
  if (signal) {
    // Each run of a sweep listens.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    await aborted();
    signal.throwIfAborted();
  }
  let end: Promise<TrainerResult> | undefined;
  const wait = () => {
    const parts = { cancel, aborted, onEnded, evaluator, rewarder, after };
    end ??= follow(job, options, session, { ...hooks, onEvent: tell }, parts);
    return end;
  };
  return { job, cancel, aborted, wait };
}

/** The trainer keeps its own name. */
function withLabels(input: JobInput, { tags = [], ...labels }: RunLabels = {}): JobInput {
  const given = Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== undefined));
  const allTags = [...(input.tags ?? []), ...tags];
  return {
    ...input,
    ...given,
    ...(labels.name !== undefined && { trainer: input.name }),
    ...(allTags.length > 0 && { tags: allTags }),
  };
}

type DataHooks = Pick<RunHooks, 'once' | 'onMap' | 'onUpload' | 'signal' | keyof DistilWatch>;

/** Makes and uploads a trainer's data, and completes the job request. */
export async function prepareJob(
  options: TrainerOptions,
  session: Session,
  {
    once = (_kind, _given, make) => make(),
    onMap,
    onUpload,
    onDistil,
    mayAsk,
    stop,
    ...hooks
  }: DataHooks = {},
): Promise<{ input: JobInput; cloud: CloudClient }> {
  const signal = anyOf(options.abortSignal, hooks.signal);
  await session.projectClient();
  const model = options.model ?? (await session.baseModel());
  const { folder, env, clock } = session;
  const task = options.task && openTaskRows(options.task);
  const cloud = () => session.projectClient();
  const upload = { folder, env, clock, cloud, task, onMap, onUpload, onDistil, mayAsk, stop, signal };
  const source = (input: TrainerOptions['dataset']) =>
    once('data', input, () => toDatasetSource(input, upload));
  const start = (from: StartFrom) => once('start', from, () => resolveStart(session, from));
  const from = options.from === undefined ? undefined : await start(options.from);
  const datasetSource = await source(options.dataset);
  const evalDatasetSource = options.evalDataset && (await source(options.evalDataset));
  const input = toJobInput(options, model, { datasetSource, evalDatasetSource, from }, task?.description());
  return { input, cloud: await session.projectClient() };
}

/** Runs `use` on the rows of a trainer's data set, as JSON lines: those that it makes, or that its teacher has answered. */
export function withTrainerRows<Result>(
  { dataset, task, abortSignal: signal }: TrainerOptions,
  { folder, env, clock }: Session,
  { onMap, onDistil, mayAsk, stop }: Omit<DataHooks, 'once' | 'onUpload' | 'signal'>,
  use: (lines: Blob) => Promise<Result>,
): Promise<Result> {
  const rows = task && openTaskRows(task);
  const context = { folder, env, clock, task: rows, onMap, onDistil, mayAsk, stop, signal };
  return withJsonLines(dataset, context, use);
}

/** The adapter as it is now: `latest` is another one once a job has completed. */
async function resolveStart(session: Session, from: StartFrom): Promise<AdapterRef> {
  if (typeof from === 'object' && 'kind' in from) return from;
  const { job, step } = typeof from === 'string' ? { job: from } : from;
  const word = step === undefined ? job : `${job}:checkpoint:${step}`;
  const { subject } = await resolveTarget(session, word);
  if (subject.target.kind === 'adapter') return subject.target.adapter;
  throw new ApiError(
    'target_not_found',
    `\`from\` is "${word}", which is a base model. Name an adapter, or leave it out to train a new one.`,
  );
}

interface FollowedParts extends Pick<Run, 'cancel' | 'aborted'> {
  onEnded(): void;
  evaluator: Evaluator;
  rewarder: Rewarder | null;
  after: number | undefined;
}

async function follow(
  { id }: Job,
  { callbacks = {}, abortSignal: signal }: TrainerOptions,
  session: Session,
  hooks: RunHooks,
  { cancel, aborted, onEnded, evaluator, rewarder, after }: FollowedParts,
): Promise<TrainerResult> {
  const refused = new AbortController();
  rewarder?.serve().catch(error => refused.abort(error));
  const stopped = signal ? AbortSignal.any([signal, refused.signal]) : refused.signal;
  let result: TrainerResult = { jobId: id, status: 'cancelled' };
  try {
    for await (const frame of followJob(session, id, { ...hooks, after, signal: stopped })) {
      const event = readJobEvent(frame);
      hooks.onEvent?.(event);
      evaluator.take(event);
      await callBack(event, id, callbacks, session, cancel);
      if (event.type === 'training.completed') {
        const { artifacts, metrics } = event;
        result = { jobId: id, status: 'completed', artifacts, metrics };
      } else if (event.type === 'training.failed')
        result = { jobId: id, status: 'failed', error: event.error };
    }
    rewarder?.stop();
    await evaluator.settled();
    signal?.throwIfAborted();
    onEnded();
    return result;
  } finally {
    evaluator.stop();
    rewarder?.stop();
    // The caller may exit right after this, so the cloud must know first. If the job could not be canceled it keeps
    // running, and that becomes the error.
    await aborted();
  }
}

/** Deduplicates scores, which may be known here before they arrive in the log. */
function dedupeScores(onEvent: RunHooks['onEvent']): (event: JobEvent) => void {
  const reportedScores = new Set<string>();
  return event => {
    if (event.type === 'score.recorded') {
      if (reportedScores.has(scorePlace(event))) return;
      reportedScores.add(scorePlace(event));
    }
    onEvent?.(event);
  };
}

async function callBack(
  event: JobEvent,
  jobId: string,
  callbacks: TrainerCallbacks,
  session: Session,
  cancel: () => Promise<void>,
): Promise<void> {
  switch (event.type) {
    case 'training.started':
      await callbacks.onStarted?.(event);
      return;
    case 'training.log':
      await callbacks.onLog?.(event);
      return;
    case 'checkpoint.saved': {
      const adapter: AdapterRef = { kind: 'checkpoint', jobId, step: event.step };
      await callbacks.onCheckpoint?.({ ...event, adapter, infer: inferWith(adapter, session), cancel });
      return;
    }
    case 'training.completed': {
      if (event.artifacts.length === 0) return;
      const adapter: AdapterRef = { kind: 'final', jobId };
      await callbacks.onCompleted?.({ ...event, adapter, infer: inferWith(adapter, session) });
      return;
    }
    case 'training.failed':
      await callbacks.onFailed?.(event);
  }
}

interface CreateJobOptions {
  signal?: AbortSignal | undefined;
  /** The cloud's storage is unavailable and will be retried. Called once. */
  onStorageWait?: ((problem: string) => void) | undefined;
}

/** How long to retry. */
const STORAGE_MS = 60_000;

/**
 * Queues a job exactly once, however often the request is retried: a local cloud may exit during the request,
 * and a cloud's database may be locked. The key identifies the job if it was already created. @internal
 */
export async function createJob(
  input: JobInput,
  session: Session,
  { signal, onStorageWait }: CreateJobOptions = {},
): Promise<Job> {
  const { clock } = session;
  const idempotencyKey = randomUUID();
  const backoff = createBackoff({ firstMs: 500, longestMs: 4000 });
  let hasVanished = false;
  let until: number | null = null;
  for (;;) {
    try {
      // Not interrupted: there would be a job whose ID nobody has.
      return (await (await session.projectClient()).createJob(input, { idempotencyKey })).job;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'cloud_unreachable' && !hasVanished) {
        hasVanished = true;
        continue;
      }
      if (error.code !== 'storage_unavailable' || (until !== null && clock.elapsed() >= until)) throw error;
      if (until === null) onStorageWait?.(error.message);
      until ??= clock.elapsed() + STORAGE_MS;
    }
    await clock.sleep(backoff.next(), signal);
  }
}
