// A cloud's jobs: the queue that runs them, their routes, and what other parts of the cloud need from them.
import { type Clock, realClock } from '../../clock/index.js';
import { type FileReader, startFileReader } from '../../engine/index.js';
import { createAdapterFinder, createAdapterVerifier } from '../artifacts/find-adapter.js';
import type { Access, ProjectScope } from '../auth/authorize.js';
import { createDatasetStore } from '../datasets/dataset-store.js';
import { openUploadDesk } from '../datasets/receive-upload.js';
import { createFolders } from '../disk/folders.js';
import { answerRefusals } from '../engine-faults.js';
import { createHealth, type Health } from '../health.js';
import type { LeaseTimes } from '../runs/remote-run.js';
import { createRemoteRuns } from '../runs/remote-runs.js';
import { createMaterials, createModelReader } from '../runs/run-materials.js';
import type { AnswerSample } from '../seams/backend.js';
import type { Db } from '../store/db.js';
import type { IdempotentRequest } from '../store/once.js';
import { createJob, type NewJob } from './create-job.js';
import { createEventHub } from './event-hub.js';
import { collectGarbage } from './garbage.js';
import { jobHandlers } from './handlers.js';
import { cancelJob, deleteJob, pauseJob, resumeJob } from './job-actions.js';
import { createJobChanges } from './job-changes.js';
import type { JobContext } from './job-context.js';
import { listSomeJobs } from './job-lists.js';
import { createJobWaits } from './job-waits.js';
import { createPendingRewards } from './pending-rewards.js';
import { JobQueue } from './queue.js';

export type { NewJob } from './create-job.js';

export type Jobs = ReturnType<typeof createJobs>;

interface JobsOptions {
  /** For remote workers. */
  leaseTimes?: LeaseTimes;
  /** Shared with others, so it is not closed with the jobs. */
  files?: FileReader | undefined;
  /** If missing, job samples are not answered. */
  answerSample?: AnswerSample;
  /** If missing, graders of jobs ask no model. */
  judge?: JobContext['judge'];
}

export function createJobs(
  deps: JobContext['deps'] & { clock?: Clock | undefined; health?: Health },
  db: Db,
  access: Access,
  options: JobsOptions = {},
) {
  const { clock = realClock } = deps;
  const ownFiles = options.files ? null : startFileReader();
  const hub = createEventHub(db, clock);
  const changes = createJobChanges(hub);
  const health = deps.health ?? createHealth(deps.log);
  health.onChange(() => {
    changes.announceAll();
    if (health.problems().some(({ part }) => part === 'store')) return;
    hub.refresh();
    queue.wake();
  });
  const isFull = () => queue.running.size >= deps.concurrency;
  const folders = createFolders(deps.folder);
  const files = answerRefusals(options.files ?? ownFiles!);
  const desk = openUploadDesk(folders.uploads);
  const readModel = createModelReader(files, deps.baseModel.folder);
  const runs = createRemoteRuns(db, deps.workerUrl ?? '', { clock, times: options.leaseTimes });
  const waits = createJobWaits(health, isFull, changes.announce);
  const context: JobContext = {
    deps,
    db,
    folders,
    desk,
    importing: new Set(),
    files,
    changes,
    waits,
    secrets: new Map(),
    runs,
    prepareMaterials: createMaterials({ deps, folders, files }, readModel),
    answerSample: options.answerSample,
    judge: options.judge,
    pendingRewards: createPendingRewards(clock, waits),
    clock,
  };
  const queue = new JobQueue(context);
  const datasets = createDatasetStore(context);
  const isIntact = createAdapterVerifier(context.files);
  const deletion = { ...context, queue, hub, datasets };
  type InProject = Pick<ProjectScope, 'projectId'>;
  return {
    handlers: jobHandlers({ ...deletion, access, isIntact }),
    datasets,
    folders,
    /** The remote runs, and the files that their workers need. */
    remote: { runs, folders, desk },
    /** What is running on the cluster, and what is waiting for it. */
    listPlaces: () => ({ runs: runs.list(), waits: context.waits.places() }),
    /** For remote machines that serve models. */
    serving: { files, readModel },
    findAdapter: createAdapterFinder({ ...context, isIntact }),
    /** Queues a job. */
    async createJob(
      scope: Pick<ProjectScope, 'orgId' | 'projectId'>,
      job: NewJob,
      idempotency: IdempotentRequest,
    ) {
      const created = await createJob(context, scope, job, idempotency);
      queue.wake();
      return created;
    },
    /** Has no effect on a job that has ended. */
    cancelJob: (scope: InProject, id: string) => cancelJob(deletion, scope, id),
    /** Takes effect after the current step, until the job is resumed. Both throw for a job that has ended. */
    pauseJob: (scope: InProject, id: string) => pauseJob(deletion, scope, id),
    resumeJob: (scope: InProject, id: string) => resumeJob(deletion, scope, id),
    /** Deletes an ended job that no endpoint uses or follows. */
    deleteJob: (scope: InProject, id: string) => deleteJob(deletion, scope, id),
    /** Starts interrupted jobs, then queued ones. */
    start: () => queue.start(),
    /** A few of a project's jobs: active ones, or ended ones. */
    listSome: (projectId: string, which: 'running' | 'ended', most: number) =>
      listSomeJobs(context, projectId, which, most),
    /** Excludes paused jobs. */
    count: () => countJobs(db),
    collectGarbage: () => collectGarbage({ ...context, queue, datasets }),
    /** Ends the event streams and pauses running jobs. Kills whatever is still running after `graceMs`. */
    async close(graceMs?: number) {
      hub.close();
      await queue.close(graceMs);
      await deps.runner.close?.();
      ownFiles?.close();
    },
  };
}

async function countJobs(db: Db): Promise<{ queued: number; running: number }> {
  const rows = await db
    .selectFrom('jobs')
    .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
    .where('status', 'in', ['queued', 'running'])
    .where('paused_at', 'is', null)
    .groupBy('status')
    .execute();
  const of = (status: string) => rows.find(row => row.status === status)?.count ?? 0;
  return { queued: of('queued'), running: of('running') };
}
