// The layout of the cloud's data folder. Names come from rows and numbers, never from a request.
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { checkpointName, FINAL_FOLDER } from '../../engine/index.js';

export interface Folders {
  /** The data folder. */
  readonly root: string;
  readonly jobs: string;
  /** Uploaded data sets, each named by the digest of its bytes. */
  readonly datasets: string;
  /** Uploads in progress. */
  readonly uploads: string;
  /** Downloads for jobs, also named by digest. */
  readonly downloads: string;
  /** The parts of uploads in parts, in a folder for each upload. */
  readonly parts: string;
  /** What unfinished batches have been answered so far. */
  readonly batches: string;
  batch(id: string): string;
  /** Rounded weights of base models, each model's in a folder of its own. */
  readonly rounded: string;
  /** Those of a base model, by its digest. */
  roundedOf(baseModel: { readonly digest?: string | undefined }): string;
  /** Copies of adapters for vLLM, by their digests, for base models in which it has other names. */
  readonly vllm: string;
  /** A job's folder, which its trainer works in. Offered adapters are in `adapters`. */
  job(jobId: string): string;
  adapter(jobId: string, adapter: AdapterPlace): string;
}

export interface AdapterPlace {
  kind: 'final' | 'checkpoint';
  step: number;
}

export function createFolders(root: string): Folders {
  const jobs = join(root, 'jobs');
  const batches = join(root, 'batches');
  const rounded = join(root, 'rounded');
  return {
    root,
    jobs,
    datasets: join(root, 'datasets'),
    uploads: join(root, 'uploads'),
    downloads: join(root, 'downloads'),
    parts: join(root, 'parts'),
    batches,
    batch: id => join(batches, id),
    rounded,
    roundedOf: ({ digest }) => (digest === undefined ? rounded : join(rounded, digest.slice(0, 32))),
    vllm: join(root, 'vllm'),
    job: jobId => join(jobs, jobId),
    adapter: (jobId, adapter) => join(jobs, jobId, ADAPTERS, adapterName(adapter)),
  };
}

/** The folder of offered adapters in a job's folder. */
export const ADAPTERS = 'adapters';

/** Named as the trainer names them. */
export function adapterName({ kind, step }: AdapterPlace): string {
  return kind === 'final' ? FINAL_FOLDER : checkpointName(step);
}

/** The prefix of folders in which backups of a data folder are collected. */
export function stagePrefix(folder: string): string {
  return join(folder, 'backup-');
}

/** The prefix of folders, next to the data folder, in which backups are unpacked. */
export function unpackPrefix(folder: string): string {
  return `${followLinks(folder)}.restoring-`;
}

/** The folder that a link leads to, which may be on another disk; other paths as they are. */
export function followLinks(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : folder;
}

/** Where a data folder has the rounded weights of a base model. */
export const roundedFolder = (root: string, digest: string) => createFolders(root).roundedOf({ digest });
