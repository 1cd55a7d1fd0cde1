// Chooses the base model to start a cloud with: the one that ships with the package, a folder, a GGUF file, a model of
// Ollama or LM Studio, or one on the Hub, which is downloaded into the data folder unless the Hub's cache has it.
import { existsSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { BASE_MODEL_NAME, baseModelFolder } from '../../../lib/base-model/index.js';
import { openBaseModel, type ServeOptions } from '../../../lib/cloud/index.js';
import { formatBytes } from '../../../lib/console/index.js';
import {
  describeModel,
  findHubModel,
  findLocalModel,
  isLocalModel,
  openModel,
  parseModelFile,
} from '../../../lib/engine/index.js';
import { CommandError, type Io } from '../../command.js';
import { printLine } from '../../print.js';
import { downloadInto } from './download-model.js';
import type { LastingOptions } from './lasting-options.js';
import { modelsIn, placeOfModel, placesOf } from './model-places.js';
import { openGguf, toModelName } from './open-gguf.js';

type BaseModel = ServeOptions['baseModel'];

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
