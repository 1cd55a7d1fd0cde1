// Moves a job that has ended: its files, events and checkpoints into the folder, a job into the cloud, and a trainer into the
// project. Each part is done once, so that a run that was killed is repeated as a whole.
import { readFile } from 'node:fs/promises';
import type { CloudClient } from '../../client/index.js';
import { type DownloadContext, type KeptFile, keepFile } from './download.js';
import { keepList, readCheckpoints, readEvents } from './events.js';
import { type Mapping, mapJob, toSettings } from './map-job.js';
import { toDataName, toLabel } from './names.js';
import { type Metrics, type ReadSteps, readMetricEvents, readResultFile, toSteps } from './read-results.js';
import { describeRows } from './rows.js';
import { type AccountJob, graderOf } from './shapes.js';
import { inProject, type WrittenTrainer, writeTrainer } from './write-trainer.js';

export interface MoveContext extends DownloadContext {
  /** The project's folder. */
  project: string;
  cloud: Pick<CloudClient, 'importJob'>;
  /** The jobs that the project has already, by their IDs in the account. */
  imported: ReadonlyMap<string, string>;
  onEvents?(count: number): void;
}

export interface MovedFile {
  role: 'training' | 'validation' | 'results';
  file: KeptFile;
  /** Rows of data. */
  rows?: number;
}

export interface MovedJob {
  name: string;
  method: string;
  /** In the project. */
  jobId: string;
  isNew: boolean;
  files: MovedFile[];
  events: number;
  steps: number;
  thinnedFrom: number | null;
  sources: ReadSteps['sources'];
  mappings: Mapping[];
  /** Relative to the project. */
  grader: string | null;
  trainer: WrittenTrainer | null;
}

export async function moveJob(
  context: MoveContext,
  job: AccountJob,
  wantsTrainer: boolean,
): Promise<MovedJob> {
  const { store, cloud, imported, project } = context;
  const files = await keepFiles(context, job);
  const events = await keepList(context, job.id, 'events');
  const checkpoints = await keepList(context, job.id, 'checkpoints');
  const grader = await keepGrader(context, job);
  await store.write(job.id, 'job.json', `${JSON.stringify(job, null, 2)}\n`);
  const training = find(files, 'training');
  const longestRow = training ? training.longestRow : null;
  const mapped = mapJob(job, { longestRow });
  const measured = [
    ...(await readResults(files)),
    readMetricEvents(readEvents(events)) as Metrics[],
    readCheckpoints(checkpoints),
  ];
  const { steps, thinnedFrom, sources } = toSteps(measured);
  const known = imported.get(job.id);
  const jobId = known ?? (await importInto(cloud, job, mapped, steps));
  const pathOf = (role: MovedFile['role']) => {
    const path = find(files, role)?.path;
    return path === undefined ? null : inProject(project, path);
  };
  const data = {
    training: pathOf('training'),
    validation: pathOf('validation'),
    grader,
    missing: inProject(project, store.filePath(toDataName(job.training_file ?? 'training', null, '.jsonl'))),
  };
  return {
    name: mapped.name,
    method: mapped.method,
    jobId,
    isNew: known === undefined,
    files: files.map(({ role, file, rows }) => ({ role, file, ...(rows !== undefined && { rows }) })),
    events: events.length,
    steps: steps?.step.length ?? 0,
    thinnedFrom,
    sources,
    mappings: mapped.mappings,
    grader,
    trainer: wantsTrainer ? await writeTrainer(project, job, mapped, data) : null,
  };
}

interface FoundFile extends MovedFile {
  /** Where it is, if it is. */
  path?: string;
  longestRow: number | null;
}

async function keepFiles(context: MoveContext, job: AccountJob): Promise<FoundFile[]> {
  const wanted = [
    ...(job.training_file ? [['training', job.training_file] as const] : []),
    ...(job.validation_file ? [['validation', job.validation_file] as const] : []),
    ...job.result_files.map(id => ['results', id] as const),
  ];
  const found: FoundFile[] = [];
  for (const [role, id] of wanted) {
    const file = await keepFile(context, id, role === 'results' ? '.csv' : '.jsonl');
    const path = 'path' in file ? file.path : undefined;
    const facts = path !== undefined && role !== 'results' ? await describeRows(path) : null;
    found.push({
      role,
      file,
      ...(path !== undefined && { path }),
      ...(facts && { rows: facts.rows }),
      longestRow: facts?.longestRow ?? null,
    });
  }
  return found;
}

function find(files: readonly FoundFile[], role: MovedFile['role']): FoundFile | undefined {
  return files.find(file => file.role === role && file.path !== undefined);
}

async function readResults(files: readonly FoundFile[]): Promise<Metrics[][]> {
  const paths = files.flatMap(({ role, path }) => (role === 'results' && path !== undefined ? [path] : []));
  return Promise.all(paths.map(async path => readResultFile(await readFile(path, 'utf8'))));
}

/** What a job for reinforcement was graded by. */
async function keepGrader({ store, project }: MoveContext, job: AccountJob): Promise<string | null> {
  const grader = graderOf(job);
  if (grader === null) return null;
  await store.write(job.id, 'grader.json', `${JSON.stringify(grader, null, 2)}\n`);
  return inProject(project, store.jobPath(job.id, 'grader.json'));
}

const STATUSES = { succeeded: 'completed', failed: 'failed', cancelled: 'cancelled' } as const;
const LONGEST_ERROR = 10_000;

async function importInto(
  cloud: MoveContext['cloud'],
  job: AccountJob,
  mapped: ReturnType<typeof mapJob>,
  steps: ReadSteps['steps'],
): Promise<string> {
  const toTime = (seconds: number) => new Date(seconds * 1000).toISOString();
  const { id, model, created_at, finished_at, fine_tuned_model, error } = job;
  const fineTunedModel = toLabel(fine_tuned_model ?? '');
  const answer = await cloud.importJob({
    name: mapped.name,
    origin: {
      provider: 'openai',
      id,
      model: toLabel(model) || 'unknown',
      ...(fineTunedModel && { fineTunedModel }),
    },
    status: STATUSES[job.status as keyof typeof STATUSES],
    ...(error?.message && { error: error.message.slice(0, LONGEST_ERROR) }),
    createdAt: toTime(created_at),
    completedAt: toTime(finished_at ?? created_at),
    settings: toSettings(job, mapped),
    ...(steps && { steps }),
  });
  return answer.job.id;
}
