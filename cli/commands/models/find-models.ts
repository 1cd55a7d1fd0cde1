// The base models on this machine, by the names that `--base-model` takes: the bundled one, svc's own, and those of other
// programs. What svc read of a GGUF file belongs to that file.
import { stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { BASE_MODEL_NAME, baseModelFolder } from '../../../lib/base-model/index.js';
import { openBaseModel } from '../../../lib/cloud/index.js';
import { findLocalModel, isLocalModel, type LocalModel, listLocalModels } from '../../../lib/engine/index.js';
import { CommandError, type Io, UsageError } from '../../command.js';
import { toFileName, toLocalName } from '../cloud/choose-base-model.js';
import { readOptions, toLasting } from '../cloud/lasting-options.js';
import { dataOf } from '../cloud/local-cloud.js';
import { listOwnModels, modelsIn, type OwnModel, placesOf, type ReadModel } from '../cloud/model-places.js';
import { shellWord } from '../terminal/shell-word.js';

export interface FoundModel {
  name: string;
  /** Whose it is. `file`: a path that someone chose. */
  source: 'bundled' | 'svc' | 'file' | LocalModel['program'];
  /** A GGUF file or a folder; null if it cannot be used. */
  path: string | null;
  /** The folders with what svc read of its file. */
  copies: string[];
  /** What keeps it from being used, as far as its place says. */
  problem: string | null;
  licenseFile?: string | undefined;
  /** The local cloud uses it, or will when it starts. */
  inUse: boolean;
}

/** Of svc, and of the model that ships with it. */
const LICENSE = join(baseModelFolder(), '..', '..', '..', 'LICENSE');

/** All of them. `folder`: the data folder. */
export async function findModels(folder: string, io: Pick<Io, 'env'>): Promise<FoundModel[]> {
  const data = dataOf(folder, io.env);
  const [own, local, wanted] = await Promise.all([
    listOwnModels(modelsIn(folder)),
    listLocalModels(placesOf(io)),
    readWanted(folder, data),
  ]);
  const models: FoundModel[] = [
    toFound({ name: BASE_MODEL_NAME, source: 'bundled', path: baseModelFolder(), licenseFile: LICENSE }),
    ...own.filter(model => model.kind !== 'read').map(model => fromOwn(model, data)),
    ...local.map(({ program, ...model }) => toFound({ ...model, source: program })),
  ];
  for (const read of own.filter(model => model.kind === 'read')) await addRead(read, models, data);
  const used =
    (await findIn(models, wanted, io)) ?? (isAbsolute(wanted) ? addPath(wanted, models) : undefined);
  for (const model of models) model.inUse = used !== undefined && (model === used || haveCommon(model, used));
  return models;
}

/** As `--base-model` was given to the cloud on this data folder. */
async function readWanted(folder: string, data: string): Promise<string> {
  const { 'base-model': wanted } = await readOptions(folder, data);
  return typeof wanted === 'string' ? wanted : BASE_MODEL_NAME;
}

/** Whether both are the same file or folder, or were read to the same folder. */
function haveCommon(one: FoundModel, other: FoundModel): boolean {
  const places = [other.path, ...other.copies];
  return [one.path, ...one.copies].some(place => place !== null && places.includes(place));
}

function addPath(path: string, models: FoundModel[]): FoundModel {
  const model = toFound({ name: path, source: 'file', path });
  models.push(model);
  return model;
}

function toFound(
  model: Pick<FoundModel, 'name' | 'source' | 'path'> & { problem?: string; licenseFile?: string },
): FoundModel {
  return { copies: [], inUse: false, ...model, problem: model.problem ?? null };
}

/** `data`: as `dataOf` writes it. */
function fromOwn(model: Exclude<OwnModel, ReadModel>, data: string): FoundModel {
  const { kind, name, path } = model;
  if (kind !== 'partial') return toFound({ name, path, source: 'svc' });
  const problem =
    name === null
      ? `Left by an interrupted read. Delete it with "svc models rm ${shellWord(path)}${data}".`
      : `Its download was interrupted. Resume it with "svc models pull ${name}${data}".`;
  return toFound({ name: name ?? path, path, source: 'svc', problem });
}

async function addRead({ path, file, isOld }: ReadModel, models: FoundModel[], data: string): Promise<void> {
  if (isOld) {
    const problem = `Left by an earlier version of svc, and unused. Delete it with "svc models rm ${shellWord(path)}${data}".`;
    models.push(toFound({ name: path, path, source: 'svc', problem }));
    return;
  }
  const origins = models.filter(model => file !== null && model.path === file);
  for (const { copies } of origins) copies.push(path);
  if (origins.length > 0) return;
  const isThere = file !== null && (await stat(file).catch(() => null))?.isFile();
  models.push(
    isThere
      ? { ...toFound({ name: file, path: file, source: 'file' }), copies: [path] }
      : toFound({ name: path, path, source: 'svc' }),
  );
}

const isUsable = ({ problem }: FoundModel) => problem === null;

/** The one that `--base-model` would choose by this name, unless another of this name is better. */
export async function findModel(
  typed: string,
  folder: string,
  io: Pick<Io, 'env' | 'cwd'>,
  isBetter = isUsable,
): Promise<FoundModel> {
  if (typed === '') throw new UsageError('The name of the base model is empty.');
  const wanted = toWanted(typed, io.cwd);
  const models = await findModels(folder, io);
  const found =
    (await findIn(models, wanted, io, isBetter)) ?? models.find(model => wireNameOf(model) === typed);
  if (found) return found;
  if (isAbsolute(wanted) && (await stat(wanted).catch(() => null))) return addPath(wanted, models);
  throw new CommandError(
    `There is no base model ${typed} on this machine. To list those that are here, run "svc models${dataOf(folder, io.env)}".`,
  );
}

/** What a cloud calls it, as `svc cloud status` shows it. */
function wireNameOf({ name, path }: FoundModel): string | null {
  if (path === null) return null;
  const local = isLocalModel(name) ? toLocalName(name) : undefined;
  if (local !== undefined) return local;
  if (/\.gguf$/i.test(path)) return toFileName(path);
  if (!isAbsolute(name)) return name;
  try {
    return openBaseModel(path).name;
  } catch {
    return null;
  }
}

/** By name or place. Ollama and LM Studio have several names for one model. */
async function findIn(
  models: readonly FoundModel[],
  wanted: string,
  io: Pick<Io, 'env'>,
  isBetter = isUsable,
): Promise<FoundModel | undefined> {
  const named = models.filter(({ name }) => name === wanted);
  if (named.length > 0) return named.find(isBetter) ?? named[0];
  if (!isLocalModel(wanted)) return models.find(({ path }) => path === wanted);
  const place = await findLocalModel(wanted, placesOf(io)).catch(() => null);
  return models.find(({ name, path }) => isLocalModel(name) && place !== null && path === place);
}

/** Paths as absolute ones. */
function toWanted(typed: string, cwd: string): string {
  return String(toLasting({ 'base-model': typed }, cwd)['base-model'] ?? typed);
}
