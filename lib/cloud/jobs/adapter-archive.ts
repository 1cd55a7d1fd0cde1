// Adapters as tar archives of their two files: imports those trained elsewhere, and exports saved ones.
import { basename, join } from 'node:path';
import { ApiError, type Artifact, BASE_MODEL_DIGEST_HEADER } from '../../contract/index.js';
import {
  ADAPTER_FILES,
  type AskedWork,
  type CheckedAdapter,
  type FileReader,
  WeightsError,
} from '../../engine/index.js';
import { isMissing } from '../../system/index.js';
import { openArchive } from '../../tar/index.js';
import { listArtifacts } from '../artifacts/adapter-store.js';
import {
  adapterDamaged,
  describeElsewhere,
  filesMissing,
  type IsIntact,
  listThere,
  statAdapter,
} from '../artifacts/find-adapter.js';
import { unpackUpload } from '../datasets/receive-upload.js';
import { fromStart, readStart } from '../disk/files.js';
import type { Db } from '../store/db.js';
import type { JobContext } from './job-context.js';
import { type JobRow, jobNotFound } from './job-rows.js';

/** Writes the two files into a new folder. Throws `adapter_invalid` for any other archive. */
export async function receiveAdapter(body: AsyncIterable<Uint8Array>, folder: string): Promise<void> {
  const wanted: ReadonlySet<string> = new Set(ADAPTER_FILES);
  const names = await unpackUpload(body, folder, {
    invalid: notAdapter,
    check(path, before) {
      if (!wanted.has(path) || before.has(path)) throw notAdapter(`It has \`${path}\`.`);
    },
  });
  const missing = ADAPTER_FILES.find(name => !names.has(name));
  if (missing !== undefined) throw notAdapter(`It has no \`${missing}\`.`);
}

/** Reads it completely. Throws `adapter_invalid` if the model cannot use it; the message names file and field. */
export async function checkAdapter(
  files: FileReader,
  input: { folder: string; modelFolder: string },
  asked: AskedWork,
): Promise<CheckedAdapter> {
  try {
    return await files.run('checkAdapter', input, asked);
  } catch (error) {
    if (!(error instanceof WeightsError)) throw error;
    const { file, problem, tensor } = error;
    const named = new WeightsError(basename(file), problem, tensor === undefined ? {} : { tensor });
    throw invalid(`${named.message}.`);
  }
}

function notAdapter(reason: string): ApiError {
  const names = ADAPTER_FILES.map(name => `\`${name}\``).join(' and ');
  return invalid(`The body must be a tar archive of ${names}, and nothing else. ${reason}`);
}

function invalid(message: string): ApiError {
  return new ApiError('adapter_invalid', message);
}

/** Serves a saved adapter, from the requested byte on, if its files are still what the job saved. */
export async function downloadAdapter(
  { db, folders, isIntact }: Pick<JobContext, 'db' | 'folders'> & { isIntact: IsIntact },
  {
    id: jobId,
    org_id: caller,
    base_digest: digest,
    origin,
  }: Pick<JobRow, 'id' | 'org_id' | 'base_digest' | 'origin'>,
  name: string,
  request: Request,
): Promise<Response> {
  const artifacts = await listArtifacts(db, jobId);
  const artifact = artifacts.find(({ name: known }) => known === name);
  if (!artifact) {
    throw new ApiError(
      'target_not_found',
      describeElsewhere(jobId, origin) ??
        `Job ${jobId} has no such artifact. It has ${listThere(artifacts)}.`,
      { param: 'name' },
    );
  }
  const folder = folders.adapter(jobId, artifact);
  if (!(await isIntact(folder, artifact.sha256, caller)))
    throw (await statAdapter(folder)) ? adapterDamaged() : await explainMissing(db, jobId, artifact);
  const files = ADAPTER_FILES.map(file => ({ name: file, path: join(folder, file) }));
  const etag = `"${artifact.sha256}"`;
  const archive = await openArchive(files, bytes => readStart(request, bytes, etag)).catch(async error => {
    throw isMissing(error) ? await explainMissing(db, jobId, artifact) : error;
  });
  return fromStart(archive.body, archive, {
    'content-type': 'application/x-tar',
    'content-disposition': `attachment; filename="${jobId.slice(0, 8)}-${artifact.name}.tar"`,
    etag,
    ...(digest !== null && { [BASE_MODEL_DIGEST_HEADER]: digest }),
  });
}

/** The job's row was deleted first; its files are being deleted. */
async function explainMissing(db: Db, jobId: string, { name }: Artifact): Promise<ApiError> {
  const job = await db.selectFrom('jobs').select('id').where('id', '=', jobId).executeTakeFirst();
  return job ? filesMissing(jobId, name) : jobNotFound(jobId);
}
