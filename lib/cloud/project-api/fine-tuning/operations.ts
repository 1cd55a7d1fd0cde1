// Operations on fine-tuning jobs. They are ordinary jobs: all of the project's jobs appear here, however they were created.
import {
  ApiError,
  type FineTuningRequest,
  fineTuningJobsQuery,
  fineTuningPageQuery,
  GRPO_DEFAULTS,
  type Hyperparameters,
  hyperparametersOf,
  IDEMPOTENCY_KEY_HEADER,
  type JobConfigInput,
  parseFineTuningRequest,
  parseIdempotencyKey,
  type ReinforcementHyperparameters,
  type Target,
  TRAINING_DEFAULTS,
} from '../../../contract/index.js';
import { readJson } from '../../../http/index.js';
import { createCursors } from '../../answers/cursors.js';
import { readQuery, toPage } from '../../answers/lists.js';
import type { Jobs, NewJob } from '../../jobs/index.js';
import type { Db } from '../../store/db.js';
import type { Call, Operations } from '../call.js';
import { type FileRow, requireFile } from '../file-rows.js';
import { requireUsable } from '../grader-operations.js';
import type { KeyScope, ProjectModels } from '../models.js';
import { listJobCheckpoints, listJobEvents } from './job-events.js';
import { findTuned, listTuned, toJobId } from './job-rows.js';
import { toFineTuningJob } from './to-job.js';

interface FineTuningContext {
  db: Db;
  /** The name of the base model. */
  baseModel: string;
  models: ProjectModels;
  jobs: Jobs;
}

type FineTuningOperation =
  | 'createFineTuningJob'
  | 'listFineTuningJobs'
  | 'getFineTuningJob'
  | 'cancelFineTuningJob'
  | 'pauseFineTuningJob'
  | 'resumeFineTuningJob'
  | 'listFineTuningEvents'
  | 'listFineTuningCheckpoints'
  | 'listCheckpointPermissions'
  | 'createCheckpointPermissions'
  | 'deleteCheckpointPermission';

const DEFAULT_LIMITS = { jobs: 20, events: 20, checkpoints: 10 };

export function fineTuningOperations({
  db,
  baseModel,
  models,
  jobs,
}: FineTuningContext): Operations<FineTuningOperation> {
  const jobCursors = createCursors();

  const read = async (scope: KeyScope, id: string) =>
    toFineTuningJob(db, scope, await findTuned(db, scope, id));

  /** The job after the action. */
  const afterwards =
    (act: (scope: KeyScope, id: string) => Promise<unknown>) =>
    async ({ scope, id }: Call) => {
      await act(scope, toJobId(id));
      return read(scope, id);
    };

  async function create({ request, scope, caller }: Call) {
    const body = await readJson(request);
    const parsed = parseFineTuningRequest(body);
    const { target } = await models.require(scope, parsed.model);
    if (parsed.method?.type === 'reinforcement') {
      const get = (id: string) => models.find(scope, id);
      await requireUsable(parsed.method.reinforcement.grader, { get }, 'method.reinforcement.grader');
    }
    const { training_file, validation_file } = parsed;
    const findNamed = (param: string, id: string) =>
      requireFile(db, scope, { param, id, purpose: 'fine-tune' });
    const training = await findNamed('training_file', training_file);
    const validation =
      validation_file === undefined ? null : await findNamed('validation_file', validation_file);
    const key = parseIdempotencyKey(request.headers.get(IDEMPOTENCY_KEY_HEADER));
    const { id } = await jobs.createJob(
      scope,
      toNewJob(parsed, { baseModel, target, training, validation }),
      {
        key,
        caller,
        request: ['createFineTuningJob', body],
      },
    );
    return read(scope, id);
  }

  async function refusePermissions({ scope, id }: Call): Promise<never> {
    await models.find(scope, id);
    throw new ApiError(
      'unsupported_parameter',
      'Only keys of its own project can use a model, so there are no permissions to change.',
      { param: 'project_ids' },
    );
  }

  return {
    createFineTuningJob: create,
    async listFineTuningJobs({ request, scope }) {
      const { after, limit = DEFAULT_LIMITS.jobs, metadata } = readQuery(request, fineTuningJobsQuery);
      const rows = await listTuned(db, scope, { after, limit, metadata }, jobCursors);
      return toPage(await Promise.all(rows.map(row => toFineTuningJob(db, scope, row))), limit);
    },
    getFineTuningJob: ({ scope, id }) => read(scope, id),
    cancelFineTuningJob: afterwards(jobs.cancelJob),
    pauseFineTuningJob: afterwards(jobs.pauseJob),
    resumeFineTuningJob: afterwards(jobs.resumeJob),
    async listFineTuningEvents({ request, scope, id }) {
      const { after, limit = DEFAULT_LIMITS.events } = readQuery(request, fineTuningPageQuery);
      return toPage(await listJobEvents(db, await findTuned(db, scope, id), { after, limit }), limit);
    },
    async listFineTuningCheckpoints({ request, scope, id }) {
      const { after, limit = DEFAULT_LIMITS.checkpoints } = readQuery(request, fineTuningPageQuery);
      const job = await findTuned(db, scope, id);
      return toPage(await listJobCheckpoints(db, scope, job, { after, limit }), limit);
    },
    async listCheckpointPermissions({ scope, id }) {
      await models.find(scope, id);
      return toPage([], 0);
    },
    createCheckpointPermissions: refusePermissions,
    deleteCheckpointPermission: refusePermissions,
  };
}

interface Named {
  baseModel: string;
  /** The base model starts a new adapter; an adapter is trained further. */
  target: Target;
  training: FileRow;
  validation: FileRow | null;
}

const LONGEST_NAME = 100;

/** Converts the request to one of our jobs. */
function toNewJob(request: FineTuningRequest, { baseModel, target, training, validation }: Named): NewJob {
  const { suffix, seed, metadata } = request;
  const hyperparameters = hyperparametersOf(request.method) ?? request.hyperparameters ?? {};
  const options = toOptions(hyperparameters, training.rows);
  // At least once per epoch, as OpenAI does, and often enough to resume a long run.
  const stepsPerEpoch = Math.ceil(training.rows / options.batchSize);
  const saveSteps = Math.min(TRAINING_DEFAULTS.saveSteps, stepsPerEpoch);
  const { eval_interval: evalSteps } = reinforcementOf(request) ?? {};
  return {
    name: suffix ?? toName(training.name),
    config: {
      model: baseModel,
      ...(target.kind === 'adapter' && { from: target.adapter }),
      datasetSource: { type: 'upload', datasetId: training.dataset_id },
      ...(validation && {
        evalDatasetSource: { type: 'upload', datasetId: validation.dataset_id },
        evalSteps: typeof evalSteps === 'number' ? evalSteps : saveSteps,
      }),
      ...options,
      ...toMethod(request, hyperparameters),
      ...(seed !== undefined && { seed }),
      saveSteps,
    },
    fineTuning: {
      trainingFile: training.id,
      validationFile: validation?.id ?? null,
      metadata: metadata ?? null,
    },
  };
}

const reinforcementOf = ({ method }: FineTuningRequest): ReinforcementHyperparameters | undefined =>
  method?.type === 'reinforcement' ? method.reinforcement.hyperparameters : undefined;

/** `auto` means the default. */
function toMethod({ method }: FineTuningRequest, { beta }: Hyperparameters): Pick<JobConfigInput, 'method'> {
  if (method?.type === 'dpo') return { method: { type: 'dpo', ...(typeof beta === 'number' && { beta }) } };
  if (method?.type !== 'reinforcement') return {};
  const { grader: reward, hyperparameters, response_format: format } = method.reinforcement;
  const { compute_multiplier: multiplier } = hyperparameters ?? {};
  return {
    method: {
      type: 'grpo',
      reward,
      ...(typeof multiplier === 'number' && { group: toGroup(multiplier) }),
      ...(format && { schema: format.json_schema.schema }),
    },
  };
}

const GROUPS = { smallest: 2, largest: 64 };

function toGroup(multiplier: number): number {
  const group = Math.round(GRPO_DEFAULTS.group * multiplier);
  return Math.min(GROUPS.largest, Math.max(GROUPS.smallest, group));
}

/** `auto` depends on the number of rows, as OpenAI's does. The multiplier is of svc's default learning rate. */
function toOptions({ n_epochs, batch_size, learning_rate_multiplier }: Hyperparameters, rows: number) {
  return {
    numTrainEpochs: typeof n_epochs === 'number' ? n_epochs : chooseEpochs(rows),
    batchSize: typeof batch_size === 'number' ? batch_size : chooseBatchSize(rows),
    ...(typeof learning_rate_multiplier === 'number' && {
      learningRate: TRAINING_DEFAULTS.learningRate * learning_rate_multiplier,
    }),
  };
}

const FEW_EXAMPLES = 100;
const MANY_EXAMPLES = 25_000;
const MOST_EPOCHS = 25;

/** svc's default, but few rows are read more often and many less. */
function chooseEpochs(rows: number): number {
  const epochs = TRAINING_DEFAULTS.numTrainEpochs;
  if (rows * epochs < FEW_EXAMPLES) return Math.min(MOST_EPOCHS, Math.floor(FEW_EXAMPLES / rows));
  return Math.max(1, Math.min(epochs, Math.floor(MANY_EXAMPLES / rows)));
}

const BATCH_SHARE = 0.002;
const LARGEST_BATCH = 32;

function chooseBatchSize(rows: number): number {
  return Math.max(1, Math.min(LARGEST_BATCH, Math.round(rows * BATCH_SHARE)));
}

/** A job without a suffix is named after its file. */
function toName(fileName: string): string {
  const name = fileName.replace(/(?<=.)\.\w+$/, '');
  return Array.from(name).slice(0, LONGEST_NAME).join('').trim();
}
