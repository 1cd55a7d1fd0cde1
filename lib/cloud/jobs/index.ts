// The jobs of a cloud: the queue that runs them, their routes, and what other rooms need to know about them.
import { type Clock, realClock } from '../../clock/index.js';
import type { ClusterActivity, Collected, Job, JobSummary } from '../../contract/index.js';
import { type FileReader, startFileReader } from '../../engine/index.js';
import type { Handlers } from '../../http/index.js';
import type { Access, ProjectScope } from '../access.js';
import { createAdapterVerifier } from '../artifacts/adapter-damage.js';
import { createAdapterFinder, type FindAdapter } from '../artifacts/find-adapter.js';
import { createDatasetStore, type DatasetStore } from '../datasets/dataset-store.js';
import { openUploadDesk, type UploadDesk } from '../datasets/receive-upload.js';
import { createFolders, type Folders } from '../disk/folders.js';
import { answerRefusals } from '../engine-faults.js';
import { createHealth, type Health } from '../health.js';
import type { LeaseTimes } from '../runs/remote-run.js';
import { createRemoteRuns, type RemoteRuns } from '../runs/remote-runs.js';
import { createMaterials, createModelReader, type ReadModelFiles } from '../runs/run-materials.js';
import type { AnswerSample } from '../seams/backend.js';
import type { Db } from '../store/db.js';
import type { Asked } from '../store/once.js';
import { createJob, type NewJob } from './create-job.js';
import { createEventHub } from './event-hub.js';
import { collectGarbage } from './garbage.js';
import { type JobRoutes, jobHandlers } from './handlers.js';
import { cancelJob, deleteJob, pauseJob, resumeJob } from './job-actions.js';
import { createJobChanges } from './job-changes.js';
import type { JobContext } from './job-context.js';
import { listSomeJobs } from './job-lists.js';
import { createJobWaits } from './job-waits.js';
import { JobQueue } from './queue.js';

export type { NewJob } from './create-job.js';

export interface Jobs {
  handlers: Handlers<JobRoutes>;
  findAdapter: FindAdapter;
  datasets: DatasetStore;
  /** What runs elsewhere, and what its workers need of the data folder. */
  remote: { runs: RemoteRuns; folders: Folders; desk: UploadDesk };
  /** What runs elsewhere, and what waits for a place there. */
  listPlaces(): Pick<ClusterActivity, 'runs' | 'waits'>;
  /** What machines that answer elsewhere need of it. */
  serving: { files: FileReader; readModel: ReadModelFiles };
  /** Queues a job. */
  createJob(scope: Pick<ProjectScope, 'orgId' | 'projectId'>, job: NewJob, asked: Asked): Promise<Job>;
  /** Has no effect on a job that has ended. */
  cancelJob(scope: Pick<ProjectScope, 'projectId'>, id: string): Promise<unknown>;
  /** After its current step, until it is resumed. Throws for a job that has ended, as does resuming. */
  pauseJob(scope: Pick<ProjectScope, 'projectId'>, id: string): Promise<void>;
  resumeJob(scope: Pick<ProjectScope, 'projectId'>, id: string): Promise<void>;
  /** Deletes an ended job that no endpoint uses. */
  deleteJob(scope: Pick<ProjectScope, 'projectId'>, id: string): Promise<Job>;
  /** Starts interrupted jobs, then queued ones. */
  start(): Promise<void>;
  /** A few of a project's jobs: those under way, or those that ended. */
  listSome(projectId: string, which: 'running' | 'ended', most: number): Promise<JobSummary[]>;
  /** Without paused ones. */
  count(): Promise<{ queued: number; running: number }>;
  collectGarbage(): Promise<Collected>;
  /** Ends the event streams and pauses running jobs. What has not ended after `graceMs` is killed. */
  close(graceMs?: number): Promise<void>;
}

interface JobsOptions {
  /** Of workers elsewhere. */
  leaseTimes?: LeaseTimes;
  /** Shared with others, so it is not closed with the jobs. */
  files?: FileReader | undefined;
  /** Without it, the samples of jobs are not answered. */
  answerSample?: AnswerSample;
}

export function createJobs(
  deps: JobContext['deps'] & { clock?: Clock | undefined; health?: Health },
  db: Db,
  access: Access,
  options: JobsOptions = {},
): Jobs {
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
  const context: JobContext = {
    deps,
    db,
    folders,
    desk,
    importing: new Set(),
    files,
    changes,
    waits: createJobWaits(health, isFull, changes.announce),
    secrets: new Map(),
    runs,
    prepareMaterials: createMaterials({ deps, folders, files }, readModel),
    answerSample: options.answerSample,
    clock,
  };
  const queue = new JobQueue(context);
  const datasets = createDatasetStore(context);
  const isIntact = createAdapterVerifier(context.files);
  const deletion = { ...context, queue, hub, datasets };
  return {
    handlers: jobHandlers({ ...deletion, access, isIntact }),
    datasets,
    remote: { runs, folders, desk },
    listPlaces: () => ({ runs: runs.list(), waits: context.waits.places() }),
    serving: { files, readModel },
    findAdapter: createAdapterFinder({ ...context, isIntact }),
    async createJob(scope, job, asked) {
      const created = await createJob(context, scope, job, asked);
      queue.wake();
      return created;
    },
    cancelJob: (scope, id) => cancelJob(deletion, scope, id),
    pauseJob: (scope, id) => pauseJob(deletion, scope, id),
    resumeJob: (scope, id) => resumeJob(deletion, scope, id),
    deleteJob: (scope, id) => deleteJob(deletion, scope, id),
    start: () => queue.start(),
    listSome: (projectId, which, most) => listSomeJobs(context, projectId, which, most),
    count: () => countJobs(db),
    collectGarbage: () => collectGarbage({ ...context, queue, datasets }),
    async close(graceMs) {
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
