// One attempt at a job: claimed, prepared, run, and recorded up to its trainer's last event.
import { sql } from 'kysely';
import {
  type RewardQuestion,
  type RewardRequest,
  type RewardResponse,
  type RunDocument,
  templateVariablesOf,
} from '../../contract/index.js';
import { pruneCheckpoints } from '../../engine/index.js';
import { isThere, keepResult } from '../../system/index.js';
import { takeAttempt } from '../runs/attempt-rows.js';
import {
  claimRunFolder,
  findResumeFile,
  type ResumeArchive,
  removeUnrecordedCheckpoints,
  writeResumeArchive,
} from '../runs/run-folder.js';
import { locateFiles, type RunMaterials, readQuestion, toRunFile } from '../runs/run-materials.js';
import type { AttemptDesk, JobRun, RemoteAttempt } from '../seams/runner.js';
import { describeStorageCode } from '../store/storage-fault.js';
import type { StoredConfig } from './defaults.js';
import { JobError } from './failure.js';
import type { JobContext } from './job-context.js';
import { persist } from './job-waits.js';
import { type Journal, openJournal } from './journal.js';
import { keepStepAnswers } from './kept-answers.js';
import { type Progress, readProgress } from './progress.js';
import type { Attempt } from './record-events.js';
import type { RunControl } from './run-control.js';
import { prepareRun } from './run-document.js';
import { createSampledJournal } from './sampled-journal.js';
import { createScoring, openJudge, type ScoreAnswers } from './score-answers.js';
import { traceAttempt, traceEvents } from './trace-attempt.js';

interface StartedAttempt extends Attempt {
  /** It has been running remotely since before this cloud restarted. */
  isAttached: boolean;
  org_id: string;
  config: string;
  step: number | null;
  base_digest: string | null;
  last_seq: number;
}

const COLUMNS = [
  'id',
  'org_id',
  'project_id',
  'config',
  'step',
  'attempt',
  'base_digest',
  'last_seq',
] as const;

export type Ending = Awaited<JobRun['ended']> & {
  /** The job has ended, and its log is complete. */
  isReported: boolean;
  /** It got further than any earlier attempt. */
  hasProgressed: boolean;
  /** The fault that interrupted it. */
  diskProblem?: DiskProblem;
};

export interface DiskProblem {
  /** The disk is a remote worker's, not the cloud's. */
  isElsewhere: boolean;
  /** In a sentence. */
  message: string;
}

const OPTIMIZER_STAYS =
  'This cloud trains on other machines, which cannot continue with the optimizer of an earlier run. Start the run again without `keepOptimizer`.';

const TOOLS_STAY =
  "Rows with `tools` are learned from rewards by svc's own engine on the cloud's machine alone. With `--torch`, set the job's engine to node.";

function createAttemptScoring(
  context: JobContext,
  job: StartedAttempt,
  { options: { method } }: RunDocument,
  signal: AbortSignal,
): ScoreAnswers {
  if (method?.type !== 'grpo') throw new JobError('The job has no grader for the answers of its model.');
  if (method.reward.type === 'function') return request => context.pendingRewards.ask(job, request, signal);
  return createScoring(method.reward, openJudge(context, job.project_id, signal), signal);
}

/** The run does not fail if they cannot be kept. */
function keepingAnswers(
  { db, deps }: JobContext,
  { id }: StartedAttempt,
  { options: { loggingSteps } }: RunDocument,
  score: ScoreAnswers,
): (request: RewardRequest, part?: number) => Promise<RewardResponse> {
  return async (request, part = 0) => {
    const response = await score(request);
    await keepStepAnswers(db, { id, loggingSteps }, { request, part, response }).catch(error =>
      deps.log({ message: `Answers of step ${request.step} of job ${id} could not be kept.`, error }),
    );
    return response;
  };
}

/** Claims the next attempt at a queued or interrupted job; null if there is nothing to do. */
export async function startAttempt(context: JobContext, jobId: string): Promise<StartedAttempt | null> {
  const { db, deps, changes, clock } = context;
  const attached = deps.runner.attach ? await findOpenAttempt(context, jobId) : null;
  if (attached) return attached;
  const started = await db
    .updateTable('jobs')
    .set({
      status: 'running',
      attempt: sql`attempt + 1`,
      base_digest: sql`coalesce(base_digest, ${deps.baseModel.digest ?? null})`,
      started_at: sql`coalesce(started_at, ${new Date(clock.now()).toISOString()})`,
    })
    .where('id', '=', jobId)
    .where('status', 'in', ['queued', 'running'])
    .where('paused_at', 'is', null)
    .returning(COLUMNS)
    .executeTakeFirst();
  if (!started) return null;
  changes.announce(started);
  const { attempt, ...job } = started;
  return { ...job, number: attempt, isAttached: false };
}

/** The attempt that a remote worker may still be running. */
async function findOpenAttempt({ db, runs }: JobContext, jobId: string): Promise<StartedAttempt | null> {
  const job = await db
    .selectFrom('jobs')
    .select(COLUMNS)
    .where('id', '=', jobId)
    .where('status', '=', 'running')
    .where('paused_at', 'is', null)
    .executeTakeFirst();
  if (!job || !(await runs.isOpen({ jobId, attempt: job.attempt }))) return null;
  const { attempt, ...rest } = job;
  return { ...rest, number: attempt, isAttached: true };
}

/** Runs it to its end. The control stops its preparation, and then its trainer. */
export async function runAttempt(
  context: JobContext,
  attempt: StartedAttempt,
  control: RunControl,
): Promise<Ending> {
  const patiently = <T>(stopped: AbortSignal, act: () => Promise<T>) =>
    persist(context, { job: attempt, waiter: 'attempt', signal: stopped }, act);
  const { document, progress } = await patiently(control.signal, () =>
    prepare(context, attempt, control.signal),
  );
  control.signal.throwIfAborted();
  const before = progress.step;
  let run: JobRun | undefined;
  const plain = openJournal(context, attempt, progress, {
    onFailure: () => run?.kill(),
    onLost: () => run?.cancel(),
    signal: control.killed,
  });
  const { samples = [], ...config } = JSON.parse(attempt.config) as StoredConfig;
  const trace = traceAttempt(context.deps.tracer, { ...attempt, model: String(config.model) });
  const sampled = createSampledJournal(context, plain, {
    jobId: attempt.id,
    samples: document.dryRun ? [] : samples,
    variables: templateVariablesOf(config),
    progress,
    signal: control.signal,
  });
  const { runner } = context.deps;
  const journal = traceEvents(trace, sampled);
  let remote: RemoteAttempt | null = null;
  const describeFault = (fault: string): DiskProblem => {
    const worker = remote?.lease.claimedBy;
    return worker
      ? { isElsewhere: true, message: describeWorkerDisk(worker, fault) }
      : { isElsewhere: false, message: describeStorageCode(fault) };
  };
  const heldUp = (fault: string | null) => {
    const problem = fault === null ? null : describeFault(fault);
    context.waits.report(attempt, 'worker', problem?.isElsewhere ? problem.message : null);
    context.waits.report(attempt, 'trainer', problem?.isElsewhere === false ? problem.message : null);
  };
  /** Aborted when the attempt is over: the next one asks again. */
  const over = new AbortController();
  const signal = AbortSignal.any([control.signal, over.signal]);
  const scoring = keepResult(async () =>
    keepingAnswers(context, attempt, document, createAttemptScoring(context, attempt, document, signal)),
  );
  const prepareFiles = async () => {
    if (document.from?.keepsOptimizer) throw new JobError(OPTIMIZER_STAYS);
    context.waits.report(attempt, 'place', 'Its rows are being read.');
    const asked = { caller: attempt.org_id, signal: control.signal, isAccepted: true };
    const materials = await context
      .prepareMaterials(document, asked)
      .finally(() => context.waits.report(attempt, 'place', null));
    if (materials.rows.answers?.hasTools) throw new JobError(TOOLS_STAY);
    return materials;
  };
  const score = async (request: RewardRequest, part?: number) => (await scoring())(request, part);
  /** A run that is told to stop gets no answer. */
  async function scoreRows(question: RewardQuestion): Promise<RewardResponse> {
    const asked = { caller: attempt.org_id, signal, isAccepted: true };
    try {
      const request = await patiently(signal, () => readQuestion(context, document, question, asked));
      return await score(request, question.part);
    } catch (error) {
      return signal.aborted ? new Promise(() => {}) : Promise.reject(error);
    }
  }
  const desk: AttemptDesk = {
    record: event => journal.record(event),
    heldUp,
    waitsFor: reason => context.waits.report(attempt, 'place', reason),
    score,
    scoreRows,
    locate: given => locateFiles(context, given),
    prepare: () => patiently(control.signal, async () => toRunFile(context, document, await prepareFiles())),
    admit: () =>
      patiently(control.signal, async () => {
        const materials = await prepareFiles();
        const host = { attempt, document, progress, journal, heldUp, materials, scoreRows };
        remote = await admitWorker(context, host);
        return remote;
      }),
  };
  run = attempt.isAttached ? runner.attach!(document, desk) : runner.start(document, desk);
  control.attach(run);
  void run.ended.then(
    ({ status }) => trace.end(status),
    () => trace.end(null),
  );
  const release = () => context.runs.release(document, control.isDetached ? 'detached' : 'over');
  const ended = await run.ended.finally(() => {
    over.abort();
    return patiently(control.killed, release);
  });
  await journal.settled();
  return {
    ...ended,
    isReported: journal.isOver,
    hasProgressed: progress.step > before,
    ...(ended.diskFault !== undefined && { diskProblem: describeFault(ended.diskFault) }),
  };
}

async function prepare(context: JobContext, attempt: StartedAttempt, signal: AbortSignal) {
  const folder = context.folders.job(attempt.id);
  await claimRunFolder(folder, attempt.number);
  const progress = await readProgress(context.db, attempt);
  // A remote worker may have saved a checkpoint that it is about to report.
  if (!attempt.isAttached) await removeUnrecordedCheckpoints(folder, progress.checkpointStep);
  return { document: await prepareRun(context, attempt, signal), progress };
}

interface Admission {
  attempt: Pick<StartedAttempt, keyof Attempt | 'isAttached'>;
  document: RunDocument;
  progress: Progress;
  journal: Journal;
  heldUp(diskFault: string | null): void;
  materials: RunMaterials;
  scoreRows: AttemptDesk['scoreRows'];
}

/** Opens the run API for the remote worker that trains an attempt, and records the events it reports. */
function admitWorker(
  { db, deps, folders, runs }: JobContext,
  { attempt, document, progress, journal, heldUp, materials, scoreRows }: Admission,
): Promise<RemoteAttempt> {
  const folder = folders.job(attempt.id);
  /** The one of the latest claim: a worker whose claim took too long claims again. */
  let resume: ResumeArchive | null = null;
  /** A worker prunes its own folder. What it is about to report may be here already. */
  const prune = () =>
    pruneCheckpoints(folder, {
      upTo: progress.checkpointStep,
      keep: document.options.keepCheckpoints,
      best: null,
      keepsTrained: true,
    }).catch(error =>
      deps.log({ message: `Old checkpoints of job ${attempt.id} could not be pruned.`, error }),
    );
  return runs.admit(document, {
    isOpen: attempt.isAttached,
    materials,
    heldUp,
    score: scoreRows,
    async record(event, next) {
      await journal.record(event, next);
      if (event.type === 'checkpoint.saved') await prune();
    },
    settled: journal.settled,
    findResume: () => findResumeFile(folder),
    async take(claim) {
      await removeUnrecordedCheckpoints(folder, progress.checkpointStep);
      await takeAttempt(db, document, claim);
      const step = progress.checkpointStep;
      const isPacked = resume?.facts.step === step && (await isThere(resume.path));
      if (!isPacked) resume = await writeResumeArchive(folder, step);
      return resume;
    },
  });
}

/** A disk fault of a remote worker, in a sentence that does not sound like the cloud's own disk. */
function describeWorkerDisk(worker: string, code: string): string {
  if (code === 'ENOSPC' || code === 'EDQUOT') return `The disk of ${worker}, where the job runs, is full.`;
  if (code === 'EROFS') return `The disk of ${worker}, where the job runs, is read-only.`;
  return `The disk of ${worker}, where the job runs, failed (${code}).`;
}
