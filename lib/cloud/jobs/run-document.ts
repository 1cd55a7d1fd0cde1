// Turns a job into the document for its runner.
import { access } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type DatasetSource, type RunDocument, type RunSource, toRunOptions } from '../../contract/index.js';
import { isOther } from '../artifacts/adapter-damage.js';
import type { StoredConfig } from './defaults.js';
import { JobError } from './failure.js';
import type { JobContext } from './job-context.js';
import type { Attempt } from './record-events.js';
import type { BlobSource, Role } from './secrets.js';

/** Downloads what is needed. Throws errors whose messages are for the job's user. */
export async function prepareRun(
  context: JobContext,
  attempt: Attempt & { org_id: string; config: string; base_digest: string | null },
  signal: AbortSignal,
): Promise<RunDocument> {
  const config = JSON.parse(attempt.config) as StoredConfig;
  const { baseModel } = context.deps;
  if (config.model !== baseModel.name)
    throw new JobError(`The job is for ${config.model}, but this cloud now has ${baseModel.name}.`);
  if (isOther(attempt.base_digest, baseModel.digest))
    throw new JobError(
      `The weights of ${baseModel.name} changed since the run started, so it cannot continue. Start the run again.`,
    );
  const resolve = (role: 'training' | 'evaluation', source: StoredConfig['datasetSource']) =>
    resolveSource(context, attempt, role, source, signal);
  return {
    format: 1,
    jobId: attempt.id,
    attempt: attempt.number,
    // PyTorch does not compare answers.
    engine: config.engine ?? (config.method ? 'node' : null),
    resources: config.resources ?? {},
    dryRun: config.dryRun,
    model: { name: baseModel.name, sha256: baseModel.digest ?? null },
    data: {
      training: await resolve('training', config.datasetSource),
      evaluation: config.evalDatasetSource ? await resolve('evaluation', config.evalDatasetSource) : null,
      evaluationFraction: config.evalFraction ?? null,
      trainOn: config.trainOnResponsesOnly ? 'assistant' : 'all',
      tooLong: config.tooLong,
    },
    options: toRunOptions(config),
  };
}

interface Owner {
  id: string;
  org_id: string;
}

/**
 * Turns the source that a job names into one that stays the same: by digest, or by the name of a download. What a URL
 * serves is downloaded once: another attempt reads the same bytes, whatever has happened to the URL or its token.
 */
async function resolveSource(
  context: JobContext,
  job: Owner,
  role: Role,
  source: DatasetSource,
  signal: AbortSignal,
): Promise<RunSource> {
  const found = await resolve(context, job, role, source, signal);
  return source.columns ? { ...found, columns: source.columns } : found;
}

async function resolve(
  context: JobContext,
  job: Owner,
  role: Role,
  source: DatasetSource,
  signal: AbortSignal,
): Promise<RunSource> {
  switch (source.type) {
    case 'upload':
      return resolveUpload(context, job, source.datasetId);
    case 'blob':
      return resolveBlob(context, job, role, source, signal);
    case 'huggingface': {
      const { name, split, subset } = source;
      return { type: 'huggingface', name, split, subset };
    }
  }
}

async function resolveUpload(
  { db, folders }: JobContext,
  { org_id }: Owner,
  datasetId: string,
): Promise<RunSource> {
  const dataset = await db
    .selectFrom('datasets')
    .select(['sha256', 'file_name'])
    .where('id', '=', datasetId)
    .where('org_id', '=', org_id)
    .executeTakeFirst();
  const path = dataset && join(folders.datasets, dataset.sha256);
  if (!path || !(await isThere(path)))
    throw new JobError(`Data set ${datasetId} no longer exists. Upload it and start the run again.`);
  return { type: 'file', sha256: dataset.sha256, fileName: dataset.file_name };
}

async function resolveBlob(
  context: JobContext,
  job: Owner,
  role: Role,
  source: BlobSource,
  signal: AbortSignal,
): Promise<RunSource> {
  const { db, files, folders, secrets, deps } = context;
  const known = await db
    .selectFrom('job_downloads')
    .select(['file', 'name'])
    .where('job_id', '=', job.id)
    .where('role', '=', role)
    .executeTakeFirst();
  const path = known?.file && join(folders.downloads, known.file);
  if (path && (await isThere(path))) return toDownload(known);
  const secret = secrets.get(job.id)?.[role];
  if (known?.file === null && !secret) throw secretLost(source);
  const options = { cacheFolder: folders.downloads, allowPrivateAddresses: !deps.exposed };
  const file = await files.run(
    'download',
    { source: secret ?? source, options },
    { caller: job.org_id, signal, isAccepted: true },
  );
  const row = { file: basename(file.path), name: file.name };
  await db
    .insertInto('job_downloads')
    .values({ job_id: job.id, role, ...row })
    .onConflict(conflict => conflict.columns(['job_id', 'role']).doUpdateSet(row))
    .execute();
  return toDownload(row);
}

function toDownload({ file, name }: { file: string | null; name: string | null | undefined }): RunSource {
  return { type: 'download', name: file!, fileName: name ?? null };
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
