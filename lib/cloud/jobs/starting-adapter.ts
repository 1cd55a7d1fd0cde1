// The adapter that a job continues from: found and compared with the job's config when the job is created, and
// looked up again for each attempt.
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AdapterRef,
  ApiError,
  isSameModel,
  type JobConfigInput,
  type RunDocument,
  type StartingAdapter,
  toAdapterRef,
} from '../../contract/index.js';
import { STATE_FILES } from '../../engine/index.js';
import { unlessMissing } from '../../system/index.js';
import { findArtifact } from '../artifacts/find-adapter.js';
import type { Db } from '../store/db.js';
import { toStorageFault } from '../store/storage-fault.js';
import type { StoredConfig } from './defaults.js';
import { JobError } from './failure.js';
import type { JobContext } from './job-context.js';

type Reader = Pick<Db, 'selectFrom'>;

/** What has to be equal, so that the adapter's tensors fit and compute the same. */
const SHAPE = ['loraR', 'loraAlpha', 'targetModules'] as const;

type Shape = Pick<StoredConfig, (typeof SHAPE)[number]>;

/** The options in a trainer. */
const NAMES = { loraR: 'lora.r', loraAlpha: 'lora.alpha', targetModules: 'lora.targetModules' };

/**
 * Completes the config of a job that continues from an adapter: with its step and digest, and with its rank, alpha and modules,
 * unless the request says others, which is an error.
 */
export async function withStartingAdapter(
  context: Pick<JobContext, 'deps' | 'folders'>,
  db: Reader,
  orgId: string,
  { input, config }: { input: JobConfigInput; config: StoredConfig },
): Promise<StoredConfig> {
  const { from } = input;
  if (!from) return config;
  const { kind, jobId } = from;
  const { job, artifact } = await findArtifact(db, orgId, startingRef(from));
  const refuse = (message: string, param: string): never => {
    throw new ApiError('invalid_value', message, { param: `config.${param}` });
  };
  const { baseModel } = context.deps;
  const source = JSON.parse(job.config) as StoredConfig & { useRslora?: boolean };
  if (!isSameModel({ name: source.model, digest: job.base_digest }, baseModel))
    throw new ApiError(
      'model_not_supported',
      `The adapter of job ${jobId} belongs to ${describeBase(source.model, baseModel.name)}, which this cloud does not train.`,
      { param: 'config.from' },
    );
  if (from.sha256 !== undefined && from.sha256 !== artifact.sha256)
    refuse(`The adapter of job ${jobId} is not the one with the digest ${from.sha256}.`, 'from.sha256');
  const shape = shapeOf(source);
  for (const name of SHAPE)
    if (input[name] !== undefined && !isEqual(input[name], shape[name]))
      refuse(
        `The adapter of job ${jobId} has ${NAMES[name]} ${describe(shape[name])}, not ${describe(input[name])}. Leave \`${NAMES[name]}\` out to continue with it unchanged.`,
        name,
      );
  if (input.keepOptimizer && kind !== 'final')
    refuse(
      `The state of the optimizer is kept with a job's final adapter, not with its checkpoints. Leave out \`keepOptimizer\`, or go on from the final adapter of job ${jobId}.`,
      'keepOptimizer',
    );
  if (input.keepOptimizer && !(await hasState(context.folders.adapter(jobId, artifact))))
    refuse(
      `The state of the optimizer was not kept with the adapter of job ${jobId}: PyTorch, earlier versions of svc and other programs do not keep it. Leave out \`keepOptimizer\`.`,
      'keepOptimizer',
    );
  const {
    replaySources = input.replay ? await listReplaySources(db, orgId, jobId, config.method) : undefined,
  } = input;
  return {
    ...config,
    ...shape,
    ...(replaySources && { replaySources }),
    from: { kind, jobId, step: artifact.step, sha256: artifact.sha256 },
  };
}

export function startingRef({ kind, jobId, step }: StartingAdapter): AdapterRef {
  return toAdapterRef(jobId, kind === 'final' ? null : step!);
}

function describeBase(model: string, own: string): string {
  return model === own ? `other weights of ${model}` : model;
}

function shapeOf({
  loraR,
  loraAlpha,
  targetModules,
  useRslora,
}: StoredConfig & { useRslora?: boolean }): Shape {
  return { loraR, loraAlpha: useRslora ? loraAlpha * Math.sqrt(loraR) : loraAlpha, targetModules };
}

function isEqual(one: unknown, other: unknown): boolean {
  const toKey = (value: unknown) => JSON.stringify(Array.isArray(value) ? [...value].sort() : value);
  return toKey(one) === toKey(other);
}

const describe = (value: unknown) => (Array.isArray(value) ? value.join(', ') : String(value));

async function hasState(folder: string): Promise<boolean> {
  const found = STATE_FILES.map(name => access(join(folder, name)));
  return Promise.all(found).then(
    () => true,
    () => false,
  );
}

/** For a run's document. */
export async function findStart(
  { db, files, folders }: Pick<JobContext, 'db' | 'files' | 'folders'>,
  orgId: string,
  { from, keepOptimizer = false }: StoredConfig,
  signal: AbortSignal,
): Promise<Pick<RunDocument, 'from'>> {
  if (!from) return {};
  const { kind, jobId } = from;
  const { artifact } = await findArtifact(db, orgId, startingRef(from)).catch(error => {
    const isRefused = error instanceof ApiError && toStorageFault(error) === null;
    throw isRefused ? new JobError(error.message) : error;
  });
  const { sha256 } = artifact;
  const folder = folders.adapter(jobId, artifact);
  const asked = { caller: orgId, signal, isAccepted: true };
  const found = await unlessMissing(files.run('digestAdapter', { folder }, asked), null);
  if (found !== sha256)
    throw new JobError(
      `The files of ${artifact.name} of job ${jobId}, from which this job continues, are damaged or missing in the cloud.`,
    );
  return { from: { adapter: { kind, jobId, step: artifact.step }, sha256, keepsOptimizer: keepOptimizer } };
}

type Replayed = NonNullable<JobConfigInput['replaySources']>;

/** How many runs back. */
const MOST_RUNS = 20;

/**
 * The data sets of a job, of the one that it went on from, and so on, each once. A run that learned in another way ends the list,
 * as does one that was deleted. Throws if there are none, or if one cannot be read again.
 */
async function listReplaySources(
  db: Pick<Db, 'selectFrom'>,
  orgId: string,
  jobId: string,
  method: StoredConfig['method'],
): Promise<Replayed> {
  const found = new Map<string, Replayed[number]>();
  for (let next: string | undefined = jobId, runs = 0; next !== undefined && runs < MOST_RUNS; runs++) {
    const job = await db
      .selectFrom('jobs')
      .select('config')
      .where('id', '=', next)
      .where('org_id', '=', orgId)
      .executeTakeFirst();
    if (!job) break;
    const config = JSON.parse(job.config) as Partial<StoredConfig>;
    const { datasetSource: source, evalFraction } = config;
    if (!source || (config.method?.type ?? 'sft') !== (method?.type ?? 'sft')) break;
    if (source.type === 'blob')
      throw refusal(
        `The rows of job ${next} came from a URL and cannot be replayed. Upload them, or leave out \`replay\`.`,
      );
    found.set(JSON.stringify([source, evalFraction]), { source, ...(evalFraction && { evalFraction }) });
    next = config.from?.jobId;
  }
  if (found.size > 0) return [...found.values()];
  throw refusal(
    `Job ${jobId} has no rows that this run could replay: it was imported, or learned in another way. Leave out \`replay\`.`,
  );
}

function refusal(message: string): ApiError {
  return new ApiError('invalid_value', message, { param: 'config.replay' });
}
