// What an adapter is converted from: its files, in a temporary folder, and its base model.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BASE_MODEL_DIGEST_HEADER } from '../../../../lib/contract/index.js';
import { unpackInto } from '../../tar/unpack.js';
import { type Download, openArchive } from './download.js';
import { findBaseModel, requireSameBase } from './find-base-model.js';

interface Source {
  adapterFolder: string;
  modelFolder: string;
  signal: AbortSignal;
}

export async function withSource<Result>(
  download: Download,
  use: (source: Source) => Promise<Result>,
): Promise<Result> {
  const { input, job, signal } = download;
  const base = await findBaseModel(input, job);
  const adapterFolder = await mkdtemp(join(tmpdir(), 'svc-adapter-'));
  try {
    const { body, headers } = await openArchive(download);
    requireSameBase(base, job, headers.get(BASE_MODEL_DIGEST_HEADER));
    await unpackInto(body, adapterFolder, signal);
    return await use({ adapterFolder, modelFolder: base.folder, signal });
  } finally {
    await rm(adapterFolder, { recursive: true, force: true });
  }
}
