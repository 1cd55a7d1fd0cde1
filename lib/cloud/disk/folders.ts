// Where things lie in the cloud's folder. Names come from rows and numbers, never from a request.
import { join } from 'node:path';
import { checkpointName, FINAL_FOLDER } from '../../engine/index.js';

export interface Folders {
  /** The data folder. */
  readonly root: string;
  readonly jobs: string;
  /** Uploaded data sets, each under the digest of its bytes. */
  readonly datasets: string;
  /** Uploads that are still coming. */
  readonly uploads: string;
  /** What was downloaded for jobs, under digests as well. */
  readonly downloads: string;
  /** What a job has saved. Its trainer works in there; what is offered lies in `adapters`. */
  job(jobId: string): string;
  adapter(jobId: string, adapter: AdapterPlace): string;
}

export interface AdapterPlace {
  kind: 'final' | 'checkpoint';
  step: number;
}

export function createFolders(root: string): Folders {
  const jobs = join(root, 'jobs');
  return {
    root,
    jobs,
    datasets: join(root, 'datasets'),
    uploads: join(root, 'uploads'),
    downloads: join(root, 'downloads'),
    job: jobId => join(jobs, jobId),
    adapter: (jobId, adapter) => join(jobs, jobId, ADAPTERS, adapterName(adapter)),
  };
}

/** The folder, in a job's, of the adapters that are offered. */
export const ADAPTERS = 'adapters';

/** As the trainer names them. */
export function adapterName({ kind, step }: AdapterPlace): string {
  return kind === 'final' ? FINAL_FOLDER : checkpointName(step);
}

/** How the folders begin in which backups of a data folder are put together. */
export function stagePrefix(folder: string): string {
  return join(folder, 'backup-');
}

/** How the folders begin, beside the data folder, in which backups of it are unpacked. */
export function unpackPrefix(folder: string): string {
  return `${folder}.restoring-`;
}
