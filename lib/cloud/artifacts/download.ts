// A saved adapter as an archive of its two files.
import { join } from 'node:path';
import { ApiError } from '../../contract/index.js';
import type { JobContext } from '../jobs/job-context.js';
import { ADAPTER_FILES } from './adapter-store.js';
import { listArtifacts } from './artifact-rows.js';
import { listThere } from './find-adapter.js';
import { openArchive } from './tar.js';

export async function downloadAdapter(
  { db, folders }: Pick<JobContext, 'db' | 'folders'>,
  jobId: string,
  name: string,
): Promise<Response> {
  const artifacts = await listArtifacts(db, jobId);
  const artifact = artifacts.find(({ name: known }) => known === name);
  if (!artifact) {
    throw new ApiError(
      'target_not_found',
      `Job ${jobId} has no artifact of this name. It has ${listThere(artifacts)}.`,
      { param: 'name' },
    );
  }
  const folder = folders.adapter(jobId, artifact);
  const { body, bytes } = await openArchive(
    ADAPTER_FILES.map(file => ({ name: file, path: join(folder, file) })),
  );
  return new Response(body, {
    headers: {
      'content-type': 'application/x-tar',
      'content-length': String(bytes),
      'content-disposition': `attachment; filename="${jobId.slice(0, 8)}-${artifact.name}.tar"`,
      etag: `"${artifact.sha256}"`,
    },
  });
}
