// Serves a saved adapter as an archive of its two files, if they are still what the job saved.
import { join } from 'node:path';
import { ApiError, type Artifact, BASE_MODEL_DIGEST_HEADER } from '../../contract/index.js';
import { ADAPTER_FILES } from '../../engine/index.js';
import { openArchive } from '../../tar/index.js';
import { adapterDamaged, statAdapter } from '../artifacts/adapter-damage.js';
import { isMissing } from '../artifacts/adapter-store.js';
import { listArtifacts } from '../artifacts/artifact-rows.js';
import { filesMissing, listThere } from '../artifacts/find-adapter.js';
import type { IsIntact } from '../artifacts/verify-adapter.js';
import type { Db } from '../store/db.js';
import type { JobContext } from './job-context.js';
import { type JobRow, jobNotFound } from './job-rows.js';

export async function downloadAdapter(
  { db, folders, isIntact }: Pick<JobContext, 'db' | 'folders'> & { isIntact: IsIntact },
  { id: jobId, org_id: caller, base_digest: digest }: Pick<JobRow, 'id' | 'org_id' | 'base_digest'>,
  name: string,
): Promise<Response> {
  const artifacts = await listArtifacts(db, jobId);
  const artifact = artifacts.find(({ name: known }) => known === name);
  if (!artifact) {
    throw new ApiError(
      'target_not_found',
      `Job ${jobId} has no such artifact. It has ${listThere(artifacts)}.`,
      { param: 'name' },
    );
  }
  const folder = folders.adapter(jobId, artifact);
  if ((await statAdapter(folder)) && !(await isIntact(folder, artifact.sha256, caller)))
    throw adapterDamaged();
  const files = ADAPTER_FILES.map(file => ({ name: file, path: join(folder, file) }));
  const { body, bytes } = await openArchive(files).catch(async error => {
    throw isMissing(error) ? await explainMissing(db, jobId, artifact) : error;
  });
  return new Response(body, {
    headers: {
      'content-type': 'application/x-tar',
      'content-length': String(bytes),
      'content-disposition': `attachment; filename="${jobId.slice(0, 8)}-${artifact.name}.tar"`,
      etag: `"${artifact.sha256}"`,
      ...(digest !== null && { [BASE_MODEL_DIGEST_HEADER]: digest }),
    },
  });
}

/** The job's row was deleted first; its files are being deleted. */
async function explainMissing(db: Db, jobId: string, { name }: Artifact): Promise<ApiError> {
  const job = await db.selectFrom('jobs').select('id').where('id', '=', jobId).executeTakeFirst();
  return job ? filesMissing(jobId, name) : jobNotFound(jobId);
}
