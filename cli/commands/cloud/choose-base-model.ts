// Chooses the base model to start a cloud with: the one that ships with the package, a folder, a GGUF file, a model of
// Ollama or LM Studio, or one on the Hub, which is downloaded into the data folder unless the Hub's cache has it.
import { existsSync, statSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { BASE_MODEL_NAME, baseModelFolder } from '../../../lib/base-model/index.js';
import { openBaseModel, type RunCloudOptions } from '../../../lib/cloud/index.js';
import { formatBytes } from '../../../lib/console/index.js';
import {
  convertGguf,
  describeModel,
  digestFile,
  downloadModel,
  downloadModelFile,
  findHubModel,
  findLocalModel,
  isLocalModel,
  openModel,
  parseModelConfig,
  parseModelFile,
} from '../../../lib/engine/index.js';
import { toNotWritable } from '../../../lib/sdk/index.js';
import { withFileLock } from '../../../lib/sdk/local-cloud/index.js';
import { isThere, stampOf } from '../../../lib/system/index.js';
import { CommandError, type Io } from '../../command.js';
import { printLine } from '../../print.js';
import { everyQuarter } from '../terminal/live-line.js';
import type { LastingOptions } from './lasting-options.js';
import {
  keepOrigin,
  lockOf,
  modelsIn,
  placeOfFiles,
  placeOfModel,
  placeOfRead,
  placesOf,
} from './model-places.js';

type BaseModel = RunCloudOptions['baseModel'];

export async function chooseBaseModel(
  options: LastingOptions,
  folder: string,
  io: Pick<Io, 'env' | 'stderr'>,
): Promise<BaseModel> {
  const wanted = options['base-model'];
  if (typeof wanted !== 'string' || wanted === BASE_MODEL_NAME)
    return openBaseModel(baseModelFolder(), BASE_MODEL_NAME);
  const models = modelsIn(folder);
  if (isLocalModel(wanted)) {
    const file = await findLocalModel(wanted, placesOf(io));
    return openUsable(await openGguf({ file, name: toLocalName(wanted), models }, io));
  }
  if (!isAbsolute(wanted)) return openUsable(await openHubModel(wanted, models, io));
  const isFile = statSync(wanted, { throwIfNoEntry: false })?.isFile();
  return openUsable(isFile ? await openGguf({ file: wanted, models }, io) : openBaseModel(wanted));
}

/** Without what owns it. A file of LM Studio is called as it is. */
export function toLocalName(wanted: string): string | undefined {
  const [, name] = /^ollama:(?:.*\/)?([^/]+)$/.exec(wanted) ?? [];
  return name === undefined ? undefined : toModelName(name);
}

async function openHubModel(
  wanted: string,
  models: string,
  io: Pick<Io, 'env' | 'stderr'>,
): Promise<BaseModel> {
  const { env, stderr } = io;
  const { id = wanted, file } = parseModelFile(wanted) ?? {};
  const cached = await findHubModel({ id, file }, placesOf(io));
  const isOwn = file === undefined && existsSync(placeOfModel(models, id));
  const onFile = (path: string, bytes: number) =>
    printLine(stderr, `Downloading ${id}: ${path}, ${formatBytes(bytes)}`, env);
  const path = cached === null || isOwn ? await downloadInto(models, { id, file }, env, { onFile }) : cached;
  return file === undefined ? openBaseModel(path, id) : openGguf({ file: path, models }, io);
}

/** Rejects a model that the engine cannot run on this machine, so that the start fails instead of every chat. */
async function openUsable(model: BaseModel): Promise<BaseModel> {
  await openModel(model.folder);
  return model;
}

/** As `chooseBaseModel`, for a model on this machine, but reads no more of a GGUF file than its header. */
export async function checkBaseModel(
  options: LastingOptions,
  folder: string,
  io: Pick<Io, 'env' | 'stderr'>,
): Promise<void> {
  const wanted = String(options['base-model']);
  const path = isLocalModel(wanted) ? await findLocalModel(wanted, placesOf(io)) : wanted;
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
    await chooseBaseModel(options, folder, io);
    return;
  }
  const { problem } = await describeModel({ path });
  if (problem !== null) throw new CommandError(`svc cannot run ${path}: ${problem}`);
}

/** Whether it can be opened without a download. Paths are saved as absolute ones. */
export function isOnThisMachine(wanted: LastingOptions[string] | undefined): boolean {
  return typeof wanted === 'string' && (isAbsolute(wanted) || isLocalModel(wanted));
}

interface Gguf {
  file: string;
  /** On the wire. Defaults to the file's name. */
  name?: string | undefined;
  /** The folder of all models that were read or downloaded. */
  models: string;
}

/**
 * A GGUF file as base model: read once into a folder of svc's own form in the data folder, by its content. Later starts use that
 * folder, also for a copy of the file.
 * @internal
 */
export async function openGguf(
  { file, name = toFileName(file), models }: Gguf,
  { env, stderr }: Pick<Io, 'env' | 'stderr'>,
): Promise<RunCloudOptions['baseModel']> {
  const stamp = await stampOf(file);
  const folder = placeOfRead(models, await digestFile(file));
  await withFileLock(lockOf(folder), async () => {
    if (await isThere(folder)) return;
    const show = (text: string) => printLine(stderr, `Reading ${file}${text}`, env);
    show(` (${formatBytes(statSync(file).size)}). This happens once.`);
    try {
      await convertGguf(
        file,
        folder,
        everyQuarter(percent => show(`: ${percent}%`)),
        stamp,
      );
    } catch (error) {
      throw toNotWritable(error, folder);
    }
  });
  await keepOrigin(folder, file);
  return openBaseModel(folder, name);
}

/** The part of a file's name that says what it is, as a model's name. */
export function toFileName(file: string): string {
  return toModelName(basename(file).replace(/\.gguf$/i, ''));
}

/** IDs of fine-tuned models separate names by colons. */
function toModelName(text: string): string {
  return text.replace(/[^\w./-]/g, '-');
}

export interface HubName {
  id: string;
  /** A GGUF file. */
  file?: string | undefined;
}

type Observed = Pick<Parameters<typeof downloadModel>[0], 'onFile' | 'onProgress' | 'signal'> & {
  /** Called when no one else downloads it anymore. */
  onStart?: () => void;
};

/**
 * Downloads a model or a GGUF file of the Hugging Face Hub into the folder of models, and says where it is then. Sends no request if
 * it is there already; a second process that wants the same one waits.
 */
export async function downloadInto(
  models: string,
  { id, file }: HubName,
  env: Io['env'],
  { onStart, signal, ...observed }: Observed,
): Promise<string> {
  const folder = file === undefined ? placeOfModel(models, id) : placeOfFiles(models, id);
  const access = { hubUrl: env.HF_ENDPOINT || undefined, hubToken: env.HF_TOKEN };
  const source = { id, folder, signal, ...observed, ...access };
  await withFileLock(lockOf(folder), async () => {
    signal?.throwIfAborted();
    onStart?.();
    if (file !== undefined) return downloadModelFile({ ...source, file });
    return downloadModel({ ...source, checkConfig: parseModelConfig });
  });
  return file === undefined ? folder : join(folder, file);
}
