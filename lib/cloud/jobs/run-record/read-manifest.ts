// A job's manifest: what its trainer wrote when it started, and what the cloud knows of the job.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAnswer, type RunManifest, runManifest } from '../../../contract/index.js';
import { RUN_MANIFEST } from '../../../engine/index.js';
import { listArtifacts } from '../../artifacts/artifact-rows.js';
import type { StoredConfig } from '../defaults.js';
import type { JobContext } from '../job-context.js';
import type { JobRow } from '../job-rows.js';

export async function readManifest(
  { db, folders }: Pick<JobContext, 'db' | 'folders'>,
  { id, status, config: stored, base_digest }: JobRow,
): Promise<RunManifest> {
  const config = JSON.parse(stored) as Pick<StoredConfig, 'model'> & Partial<StoredConfig>;
  const artifacts = await listArtifacts(db, id);
  return parseAnswer(
    runManifest,
    {
      jobId: id,
      status,
      model: { name: config.model, digest: base_digest },
      config,
      seed: config.seed ?? null,
      run: await readRun(join(folders.job(id), RUN_MANIFEST)),
      adapter: artifacts.find(({ kind }) => kind === 'final') ?? null,
    },
    'The manifest',
  );
}

async function readRun(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : JSON.parse(text);
}
