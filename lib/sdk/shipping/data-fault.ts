// What speaks against rows to compare on: the job was trained on them, or its trainer's data has changed since. Nothing is
// uploaded for it: the cloud knows bytes by their digest.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { CloudClient } from '../../client/index.js';
import type { Job } from '../../contract/index.js';

interface ComparedFile {
  path: string;
  /** What the trainer has it for: to train on and to hold a share out, or to evaluate on. Null for a file of the user's choice. */
  part: 'training' | 'evaluation' | null;
}

/** Null if nothing is known to be wrong. */
export async function findDataFault(
  cloud: CloudClient,
  { id, config, fileNames }: Pick<Job, 'id' | 'config' | 'fileNames'>,
  { path, part }: ComparedFile,
  signal?: AbortSignal,
): Promise<string | null> {
  const { datasetSource, evalDatasetSource } = config as Record<string, unknown>;
  const [trainedOn, heldOut] = [uploadIn(datasetSource), uploadIn(evalDatasetSource)];
  if (trainedOn === null) return null;
  const name = basename(path);
  const known = await findUpload(cloud, path, fileNames?.[trainedOn] ?? name, signal);
  if (known === undefined) return null;
  if (part === 'training')
    return known === trainedOn
      ? null
      : `${name} has changed since job ${id} got it: what is held out now may not be what was held out then.`;
  if (known === trainedOn)
    return `Job ${id} was trained on ${name}: how it answers these rows says little about others.`;
  return part === 'evaluation' && heldOut !== null && known !== heldOut
    ? `${name} has changed since job ${id} got it: it is not what was held out then.`
    : null;
}

function uploadIn(source: unknown): string | null {
  const { type, datasetId } = (source ?? {}) as { type?: string; datasetId?: string };
  return type === 'upload' ? (datasetId ?? null) : null;
}

/** The data set with a file's bytes; null if the cloud has none, undefined if that cannot be told. */
async function findUpload(
  cloud: CloudClient,
  path: string,
  fileName: string,
  signal: AbortSignal | undefined,
): Promise<string | null | undefined> {
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of createReadStream(path, { signal })) {
      hash.update(chunk);
      bytes += chunk.length;
    }
    const digest = hash.digest('hex');
    const { offset } = (await cloud.getUpload(digest, { signal })).upload;
    if (offset !== bytes) return null;
    // Of what is there already, this only says which data set it is.
    return (await cloud.finishUpload(digest, fileName, { signal })).dataset.id;
  } catch {
    // An older cloud, or a file that is missing, which is said when its rows are read.
    signal?.throwIfAborted();
    return undefined;
  }
}
