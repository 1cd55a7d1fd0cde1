// An adapter to download, and its archive.
import type { CloudClient } from '../../../../lib/client/index.js';
import { ApiError, type Artifact, type Job } from '../../../../lib/contract/index.js';
import type { SessionContext } from '../../project/session-command.js';

export interface Download {
  input: SessionContext;
  cloud: CloudClient;
  job: Job;
  artifact: Artifact;
  signal: AbortSignal;
}

/** Where it was saved. */
export interface Saved {
  folder: string;
  files: string[];
}

export async function openArchive({ cloud, job, artifact, signal }: Download) {
  const { body, headers } = await cloud.downloadArtifact(job.id, artifact.name, { signal });
  if (!body) throw new ApiError('unexpected_response', 'The cloud sent no data for the adapter.');
  return { body, headers };
}
