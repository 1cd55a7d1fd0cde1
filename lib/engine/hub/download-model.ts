// Downloads a model from the Hugging Face Hub. The folder appears only when it is complete; an interrupted download is
// kept next to it and resumes.
import type { Hash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { freeBytes, rename } from '../../system/index.js';
import { REQUIRED_FILES } from '../run-layout.js';
import {
  findRepository,
  type Hub,
  type HubFile,
  type HubOptions,
  type HubRepository,
  hubStatusOf,
  listHubFiles,
  openHubFile,
  toChecksum,
  toHub,
} from './repository.js';

interface ModelDownload extends Omit<HubOptions, 'fetch'> {
  /** `owner/name`. */
  id: string;
  folder: string;
  onFile?: (path: string, bytes: number) => void;
  /** Bytes of all files, those that are there already included. */
  onProgress?: ((done: number, total: number) => void) | undefined;
  /** Ends the download. What has arrived is kept, and the next one continues there. */
  signal?: AbortSignal | undefined;
  /** Receives the content of `config.json` before anything else is downloaded; throws if the model is not supported. */
  checkConfig?: (content: unknown, name: string) => unknown;
}

/** The model could not be downloaded. The message says what to do. @internal */
export class ModelDownloadError extends Error {
  override readonly name = 'ModelDownloadError';
}

export function isModelId(text: string): boolean {
  return /^[\w-][\w.-]*\/[\w-][\w.-]*$/.test(text);
}

/** `owner/name:file.gguf`: one file in the root folder of a repository. */
export function parseModelFile(text: string): { id: string; file: string } | undefined {
  const [, id, file] = /^([^:]+):([\w-][\w.-]*\.gguf)$/i.exec(text) ?? [];
  return id !== undefined && isModelId(id) ? { id, file: file! } : undefined;
}

/** Downloads one file of a model into a folder. Sends no request if it is already there. */
export async function downloadModelFile({
  id,
  file,
  folder,
  onFile,
  onProgress,
  signal,
  ...access
}: Omit<ModelDownload, 'checkConfig'> & { file: string }): Promise<void> {
  if (existsSync(join(folder, file))) return;
  const hub = toStrictHub(id, access, signal);
  try {
    const model = await findRepository(hub, { type: 'model', name: id });
    const listed = await listHubFiles(hub, model);
    const found = listed.find(({ path }) => path === file);
    if (!found) throw missingFile(id, file, listed);
    await mkdir(folder, { recursive: true });
    const progress = await measureProgress(id, [found], folder, onProgress);
    onFile?.(found.path, found.size);
    await fetchModelFile(hub, model, found, folder, progress);
  } catch (error) {
    throw toDownloadError(id, hub, error);
  }
}

const MOST_NAMED = 30;

function describeFiles(id: string, listed: readonly HubFile[]): string {
  const names = listed.map(({ path }) => `${id}:${path}`).filter(name => parseModelFile(name));
  return names.slice(0, MOST_NAMED).join(', ');
}

function missingFile(id: string, file: string, listed: readonly HubFile[]): ModelDownloadError {
  const others = describeFiles(id, listed);
  const choice = others === '' ? 'It has no GGUF files.' : `It has ${others}.`;
  return new ModelDownloadError(`${id} has no ${file} on the Hub. ${choice}`);
}

/** Sends no request if the folder already exists. */
export async function downloadModel({
  id,
  folder,
  onFile,
  onProgress,
  signal,
  checkConfig,
  ...access
}: ModelDownload): Promise<void> {
  if (existsSync(folder)) return;
  const hub = toStrictHub(id, access, signal);
  try {
    const model = await findRepository(hub, { type: 'model', name: id });
    const files = chooseFiles(id, await listHubFiles(hub, model));
    const partial = `${folder}.${model.commit.slice(0, 12)}.partial`;
    await mkdir(partial, { recursive: true });
    const progress = await measureProgress(id, files, partial, onProgress);
    for (const file of files) {
      onFile?.(file.path, file.size);
      await fetchModelFile(hub, model, file, partial, progress);
      if (file.path === CONFIG) await checkDownloadedConfig(id, join(partial, CONFIG), checkConfig);
    }
    await rename(partial, folder);
  } catch (error) {
    throw toDownloadError(id, hub, error);
  }
  // If they cannot be deleted, the model is there all the same.
  await removePartials(folder).catch(() => {});
}

/** Those of other commits, which would never be resumed. */
async function removePartials(folder: string): Promise<void> {
  const place = dirname(folder);
  const isPartial = (name: string) =>
    name.startsWith(basename(folder)) &&
    /^\.[0-9a-f]{12}\.partial$/.test(name.slice(basename(folder).length));
  for (const name of (await readdir(place)).filter(isPartial))
    await rm(join(place, name), { recursive: true, force: true });
}

/** Aborts with the signal. A 5xx or 416 throws: its body would be appended to the file. So does a model with conditions. */
function toStrictHub(id: string, access: Omit<HubOptions, 'fetch'>, signal: AbortSignal | undefined): Hub {
  const own: typeof fetch = async (input, init) => {
    const response = await fetch(input, { ...init, ...(signal && { signal }) });
    if (response.status >= 500 || response.status === 416)
      throw new Error(`the Hub answered ${response.status}`);
    if (response.status === 401 && response.headers.get('x-error-code') === 'GatedRepo')
      throw conditionsOf(id, hub.url);
    return response;
  };
  const hub = toHub({ ...access, fetch: own });
  return hub;
}

function conditionsOf(id: string, url: string): ModelDownloadError {
  return new ModelDownloadError(
    `The owner of ${id} asks for its conditions to be accepted. Accept them at ${url}/${id}, then set HF_TOKEN to a token of that account.`,
  );
}

/** Called with the bytes that have arrived. */
type Arrived = (bytes: number) => void;

/** Throws if the disk has no room for what is missing. */
async function measureProgress(
  id: string,
  files: readonly HubFile[],
  folder: string,
  onProgress: ModelDownload['onProgress'],
): Promise<Arrived> {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const present = await Promise.all(files.map(file => presentOf(join(folder, file.path))));
  const missing = total - present.reduce((sum, size) => sum + size, 0);
  const free = freeBytes(folder);
  if (free !== null && missing > free)
    throw new ModelDownloadError(
      `${id} needs ${toGigabytes(missing)} in ${dirname(folder)}, and the disk has ${toGigabytes(free)} left. Make room, then try again.`,
    );
  let done = 0;
  return bytes => {
    done += bytes;
    onProgress?.(done, total);
  };
}

const presentOf = async (path: string) => (await sizeOf(path)) || sizeOf(`${path}.part`);
const toGigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;

async function checkDownloadedConfig(
  id: string,
  path: string,
  checkConfig: ModelDownload['checkConfig'],
): Promise<void> {
  const text = await readFile(path, 'utf8');
  try {
    checkConfig?.(JSON.parse(text), CONFIG);
  } catch (error) {
    throw new ModelDownloadError(`${id} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

const CONFIG = 'config.json';
const SINGLE_WEIGHTS = 'model.safetensors';
/** Shards of Qwen3.5 are named `model.safetensors-00001-of-00001.safetensors`. */
const OPTIONAL_FILES =
  /^(?:generation_config\.json|chat_template\.jinja|model\.safetensors\.index\.json|model(?:\.safetensors)?-\d+-of-\d+\.safetensors)$/;
/** What other programs need for a model that also sees. */
const SEEING_FILES = /^(?:(?:video_)?preprocessor|processor)_config\.json$/;
/** The model's card, which has its license. */
const CARD = 'README.md';
const LARGEST_CARD = 1e6;

/** The files that the engine and others read, and the card: the config first, then the smallest. A single weights file wins over shards. */
function chooseFiles(id: string, listed: readonly HubFile[]): HubFile[] {
  const hasSingleFile = listed.some(({ path }) => path === SINGLE_WEIGHTS);
  const chosen = listed.filter(
    ({ path, size }) =>
      REQUIRED_FILES.includes(path) ||
      path === SINGLE_WEIGHTS ||
      SEEING_FILES.test(path) ||
      (path === CARD && size <= LARGEST_CARD) ||
      (OPTIONAL_FILES.test(path) && !(hasSingleFile && path.startsWith('model'))),
  );
  const missing = REQUIRED_FILES.find(name => !chosen.some(({ path }) => path === name));
  const advice = listed.some(({ path }) => parseModelFile(`${id}:${path}`))
    ? `Choose one of its GGUF files: ${describeFiles(id, listed)}.`
    : 'Choose another model.';
  if (missing) throw new ModelDownloadError(`${id} has no ${missing} on the Hub. ${advice}`);
  if (!chosen.some(({ path }) => path.endsWith('.safetensors')))
    throw new ModelDownloadError(`${id} has no safetensors weights on the Hub. ${advice}`);
  return chosen.sort((a, b) => Number(b.path === CONFIG) - Number(a.path === CONFIG) || a.size - b.size);
}

function toDownloadError(id: string, { url, token }: Hub, error: unknown): unknown {
  if (error instanceof ModelDownloadError) return error;
  const status = hubStatusOf(error);
  if (status === undefined) {
    const reason = reasonOf(error);
    return new ModelDownloadError(
      `${id} cannot be downloaded from ${url} (${reason}). Try again to resume, or use a local folder.`,
      { cause: error },
    );
  }
  if (status === 403)
    return new ModelDownloadError(
      `This account has no access to ${id}. Sign in at ${url}/${id} with the account of HF_TOKEN and accept its conditions.`,
    );
  if (status === 401 && token !== undefined)
    return new ModelDownloadError('The Hub rejected HF_TOKEN. Set it to a valid token.');
  if (status === 401 || status === 404)
    return new ModelDownloadError(
      `No local folder and no public model ${id} on the Hub. Check the name, or set HF_TOKEN if the model is private.`,
    );
  return new ModelDownloadError(`The Hub at ${url} answered ${status} for ${id}. Try again later.`);
}

/** The Hub's library throws only the message of a request that failed while a file arrives. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error.cause as NodeJS.ErrnoException | undefined)?.code ?? error.message;
}

/**
 * Downloads one file of a model. Resumes a partial download, and renames the file once its checksum matches.
 * `file.path` is a file name without folders.
 */
async function fetchModelFile(
  hub: Hub,
  model: HubRepository,
  file: HubFile,
  folder: string,
  arrived: Arrived,
): Promise<void> {
  const target = join(folder, file.path);
  if ((await sizeOf(target)) === file.size) return arrived(file.size);
  const part = `${target}.part`;
  const { hash, expected } = toChecksum(file);
  const present = await hashPartial(part, file.size, hash);
  arrived(present);
  if (present < file.size) {
    const blob = await openHubFile(hub, model, file.path);
    if (!blob) throw new Error(`the Hub lists ${file.path}, but does not have it`);
    await append(blob.slice(present), part, file.size - present, chunk => {
      hash.update(chunk);
      arrived(chunk.length);
    });
  }
  if (hash.digest('hex') !== expected) {
    await rm(part, { force: true });
    throw new Error(`${file.path} does not match the Hub's checksum`);
  }
  await rename(part, target);
}

/** Returns the size of the partial download. One that is longer than the file is deleted. */
async function hashPartial(part: string, size: number, hash: Hash): Promise<number> {
  const present = await sizeOf(part);
  if (present > size) {
    await rm(part);
    return 0;
  }
  if (present > 0) for await (const chunk of createReadStream(part)) hash.update(chunk as Uint8Array);
  return present;
}

/** Exactly this many bytes. The checksum tells whether they are the right ones. */
async function append(
  rest: Blob,
  part: string,
  wanted: number,
  onChunk: (chunk: Uint8Array) => void,
): Promise<void> {
  const handle = await open(part, 'a');
  let missing = wanted;
  try {
    for await (const sent of rest.stream() as unknown as AsyncIterable<Uint8Array>) {
      const chunk = sent.subarray(0, missing);
      await handle.writeFile(chunk);
      missing -= chunk.length;
      onChunk(chunk);
      if (missing === 0) break;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (missing > 0) throw new Error('the Hub closed the connection early');
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0;
}
