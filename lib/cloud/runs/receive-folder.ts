// Receives a folder from a remote run: a checkpoint or the final adapter, as a flat tar archive with the digest that the
// sender gives. The folder appears complete under its name, or not at all. The run's records come with it.
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, findFault, parseObject, runRecord } from '../../contract/index.js';
import {
  ADAPTER_FILES,
  areRowLossesValid,
  checkpointStep,
  FINAL_FOLDER,
  ROW_LOSSES,
  RUN_MANIFEST,
  RUN_RECORDS,
} from '../../engine/index.js';
import { rename, syncFolder } from '../../system/index.js';
import { type UploadDesk, unpackUpload } from '../datasets/receive-upload.js';
import { moveFolder } from '../disk/files.js';

interface FolderUpload {
  /** The run's folder. */
  folder: string;
  name: string;
  sha256: string;
  body: AsyncIterable<Uint8Array>;
  /** Throws if the sender may no longer save. */
  assertHolder(): void;
}

/** By name: a run writes at most about 64 MB of row losses. */
const LARGEST = { [RUN_MANIFEST]: 2 ** 20, [ROW_LOSSES]: 2 ** 27 };
const FILE_NAME = /^\w[\w.-]{0,98}$/;

export function requireFolderName(name: string): void {
  if (name === FINAL_FOLDER || checkpointStep(name) !== null) return;
  throw invalid(`"${name}" is not a folder of a run: it must be \`final\` or \`checkpoint-\` and a step.`);
}

export async function receiveFolder(
  desk: UploadDesk,
  { folder, name, sha256, body, assertHolder }: FolderUpload,
): Promise<void> {
  await desk.reserve(async partial => {
    const { names, digest } = await unpack(body, partial);
    if (digest !== sha256) throw invalid('The body does not have the digest in its header.');
    const missing = ADAPTER_FILES.find(file => !names.has(file));
    if (missing !== undefined) throw invalid(`The archive has no \`${missing}\`.`);
    for (const record of RUN_RECORDS) if (names.has(record)) await requireRecord(partial, record);
    await syncFolder(partial);
    assertHolder();
    // Comes first: once the checkpoint exists, a run can resume from it, which drops later entries from its records.
    for (const record of RUN_RECORDS)
      if (names.has(record)) await rename(join(partial, record), join(folder, record));
    await moveFolder(partial, join(folder, name));
  });
}

async function unpack(body: AsyncIterable<Uint8Array>, folder: string) {
  const source = digesting(body);
  try {
    const names = await unpackUpload(source, folder, { invalid, check: requireNewName });
    return { names, digest: await source.digest() };
  } finally {
    source.end();
  }
}

function requireNewName(path: string, names: ReadonlySet<string>): void {
  if (!FILE_NAME.test(path) || names.has(path))
    throw invalid(`The archive has an unexpected file: \`${path}\`.`);
}

/** Answers about the job are read from here from now on. */
async function requireRecord(folder: string, name: (typeof RUN_RECORDS)[number]): Promise<void> {
  const path = join(folder, name);
  const { size } = await stat(path);
  if (size > LARGEST[name]) throw invalid(`\`${name}\` has ${size} bytes; ${LARGEST[name]} are allowed.`);
  const fault = await FAULTS[name](path);
  if (fault !== null) throw invalid(`\`${name}\` is not valid. ${fault}`);
}

const FAULTS: Record<(typeof RUN_RECORDS)[number], (path: string) => Promise<string | null>> = {
  [RUN_MANIFEST]: async path => findFault(runRecord, parseObject(await readFile(path, 'utf8')), 'The file'),
  [ROW_LOSSES]: async path =>
    (await areRowLossesValid(path)) ? null : 'It needs its header, steps from 1, and losses that are finite.',
};

/** A reader that stops early does not end the stream: the digest also covers bytes after the archive's end. */
function digesting(body: AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256');
  const source = body[Symbol.asyncIterator]();
  async function next() {
    const result = await source.next();
    if (!result.done) hash.update(result.value);
    return result;
  }
  return {
    [Symbol.asyncIterator]: () => ({ next }),
    async digest() {
      for (let isDone = false; !isDone; ) isDone = (await next()).done === true;
      return hash.digest('hex');
    },
    /** Without waiting: a slow sender must not delay a refusal. */
    end: () => void source.return?.().catch(() => {}),
  };
}

function invalid(message: string): ApiError {
  return new ApiError('invalid_value', message);
}
