// Turns a job into the document for its runner.
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import {
  choosesOwnEngine,
  type DatasetSource,
  isSameModel,
  type RunDocument,
  type RunSource,
  toRunOptions,
} from '../../contract/index.js';
import { fetchSource, findSource, readDownload } from './data-sources.js';
import type { StoredConfig } from './defaults.js';
import { JobError } from './failure.js';
import type { JobContext } from './job-context.js';
import type { Attempt } from './record-events.js';
import type { BlobSource, Role } from './secrets.js';
import { findStart } from './starting-adapter.js';

/** Downloads missing data. Throws errors whose messages are for the job's owner. */
export async function prepareRun(
  context: JobContext,
  attempt: Attempt & { org_id: string; config: string; base_digest: string | null },
  signal: AbortSignal,
): Promise<RunDocument> {
  const config = JSON.parse(attempt.config) as StoredConfig;
  const { baseModel } = context.deps;
  if (!isSameModel({ name: config.model, digest: attempt.base_digest }, baseModel))
    throw new JobError(
      config.model === baseModel.name
        ? `The weights of ${baseModel.name} changed since the run started, so it cannot continue. Start the run again.`
        : `The job is for ${config.model}, but this cloud now has ${baseModel.name}.`,
    );
  const resolve = (role: Role, source: DatasetSource) =>
    resolveSource(context, attempt, role, source, signal);
  const training = await resolve('training', config.datasetSource);
  const evaluation = config.evalDatasetSource ? await resolve('evaluation', config.evalDatasetSource) : null;
  const { replay: share = 0, replaySources = [] } = config;
  const replayed: Replay['sources'] = [];
  if (share > 0)
    for (const { source, evalFraction } of replaySources)
      replayed.push({ source: await resolve('training', source), evaluationFraction: evalFraction ?? null });
  const run = toRunDocument(config, {
    jobId: attempt.id,
    attempt: attempt.number,
    model: { name: baseModel.name, sha256: baseModel.digest ?? null },
    training,
    evaluation,
    ...(replayed.length > 0 && { replay: { share, sources: replayed } }),
    ...(await findStart(context, attempt.org_id, config, signal)),
  });
  const weights = context.deps.torchWeights;
  if (weights === 'nf4' && run.engine === 'node')
    throw new JobError(
      "This job needs svc's own engine, which does not have base weights in nf4. Start the cloud with other --base-weights.",
    );
  return { ...run, ...(weights && { weights }) };
}

interface Run extends Pick<RunDocument, 'jobId' | 'attempt' | 'model' | 'from'> {
  training: RunSource;
  evaluation: RunSource | null;
  replay?: Replay;
}

type Replay = NonNullable<RunDocument['data']['replay']>;

export function toRunDocument(
  config: StoredConfig,
  { jobId, attempt, model, training, evaluation, replay, from }: Run,
): RunDocument {
  return {
    format: 1,
    jobId,
    attempt,
    engine: config.engine ?? (choosesOwnEngine(config) ? 'node' : null),
    resources: config.resources ?? {},
    dryRun: config.dryRun,
    model,
    data: {
      training,
      evaluation,
      evaluationFraction: config.evalFraction ?? null,
      trainOn: config.trainOnResponsesOnly ? 'assistant' : 'all',
      ...(config.enableThinking !== undefined && { enableThinking: config.enableThinking }),
      tooLong: config.tooLong,
      ...(replay && { replay }),
    },
    options: toRunOptions(config),
    ...(from && { from }),
  };
}

interface Owner {
  id: string;
  org_id: string;
}

async function resolveSource(
  context: JobContext,
  job: Owner,
  role: Role,
  source: DatasetSource,
  signal: AbortSignal,
): Promise<RunSource> {
  const found = await findSource(context.db, job.org_id, source, blob =>
    download(context, job, role, blob, signal),
  );
  const isGone =
    !found || (found.type === 'file' && !(await isThere(join(context.folders.datasets, found.sha256))));
  if (!isGone) return found;
  const { datasetId } = source as Extract<DatasetSource, { type: 'upload' }>;
  throw new JobError(`Data set ${datasetId} no longer exists. Upload it and start the run again.`);
}

/** Downloads it once: later attempts read the same bytes even if the URL or its token no longer works. */
async function download(
  context: JobContext,
  job: Owner,
  role: Role,
  source: BlobSource,
  signal: AbortSignal,
) {
  const { db, folders, secrets } = context;
  const known = await readDownload(db, job.id, role);
  if (known?.file && (await isThere(join(folders.downloads, known.file))))
    return { file: known.file, name: known.name };
  const secret = secrets.get(job.id)?.[role];
  if (known?.file === null && !secret) throw secretLost(source);
  const asked = { caller: job.org_id, signal, isAccepted: true };
  const fetched = await fetchSource(context, secret ?? source, asked);
  await db
    .insertInto('job_downloads')
    .values({ job_id: job.id, role, ...fetched })
    .onConflict(conflict => conflict.columns(['job_id', 'role']).doUpdateSet(fetched))
    .execute();
  return fetched;
}

function secretLost({ url }: BlobSource): JobError {
  return new JobError(
    `The token or signature for ${new URL(url).host} was kept in memory alone, and is gone since the cloud was started \
anew before the data set was fetched. Start the run again.`,
  );
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
