// A base model with an adapter merged into its weights, as a folder in Hugging Face layout: the same files with the same
// names, whether the weights are one file or many.
import { constants, createReadStream, existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { TemplateVariables } from '../../contract/index.js';
import { writeSynced } from '../../system/index.js';
import { ARCHITECTURES } from '../model/index.js';
import {
  type LoraSite,
  type OpenedAdapter,
  openWeights,
  openWeightsFile,
  toModulePath,
  WeightsError,
  type WeightTensor,
} from '../weights/index.js';
import { mergedRows, PIECE_BYTES, toStored } from './merged-rows.js';
import { presetVariables } from './preset-variables.js';

/** Files that a model needs besides its weights, and its license. Copied if they exist. */
const COPIED = [
  'generation_config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'special_tokens_map.json',
  'added_tokens.json',
  'vocab.json',
  'merges.txt',
  'tokenizer.model',
  'chat_template.jinja',
  'chat_template.json',
  // Other programs need them for a model that also sees.
  'preprocessor_config.json',
  'processor_config.json',
  'video_preprocessor_config.json',
  'LICENSE',
  'LICENSE.txt',
  'LICENSE.md',
  'NOTICE',
  'NOTICE.txt',
];

const INDEX = 'model.safetensors.index.json';

/** `folder` is empty. Returns the names of the files in it. */
export async function writeMerged(
  folder: string,
  modelFolder: string,
  adapter: OpenedAdapter,
  { variables, signal }: { variables?: TemplateVariables | undefined; signal?: AbortSignal | undefined } = {},
): Promise<string[]> {
  await writeFile(join(folder, 'config.json'), await readConfig(join(modelFolder, 'config.json')));
  const weights = await openWeights(modelFolder);
  const shards = new Set(weights.names().map(name => weights.describe(name).file));
  const isSharded = !existsSync(join(modelFolder, 'model.safetensors'));
  const copied = [...COPIED, ...(isSharded ? [INDEX] : [])].filter(name =>
    existsSync(join(modelFolder, name)),
  );
  for (const name of copied)
    await copyFile(join(modelFolder, name), join(folder, name), constants.COPYFILE_EXCL);
  if (variables) for (const name of copied) await presetTemplate(join(folder, name), variables);
  const names = ['config.json', ...copied];
  const unmet = new Map(adapter.sites.map(site => [`${toModulePath(site)}.weight`, site]));
  for (const shard of shards) {
    const name = relative(modelFolder, shard);
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeSynced(join(folder, name), mergeWeights(shard, adapter, unmet, signal));
    names.push(name.split(sep).join('/'));
  }
  for (const tensor of unmet.keys()) throw new WeightsError(modelFolder, 'is missing', { tensor });
  return names;
}

/** In a file that has a chat template. */
async function presetTemplate(path: string, variables: TemplateVariables): Promise<void> {
  const name = basename(path);
  const isJson = name === 'tokenizer_config.json' || name === 'chat_template.json';
  if (!isJson && name !== 'chat_template.jinja') return;
  const text = await readFile(path, 'utf8');
  const preset = (source: unknown) =>
    typeof source === 'string' ? presetVariables(source, variables) : source;
  if (!isJson) return writeFile(path, presetVariables(text, variables));
  const { chat_template: given, ...config } = JSON.parse(text) as Record<string, unknown>;
  if (given === undefined) return;
  const template = Array.isArray(given)
    ? given.map(named => ({ ...named, template: preset(named.template) }))
    : preset(given);
  if (JSON.stringify(template) === JSON.stringify(given)) return;
  await writeFile(path, `${JSON.stringify({ ...config, chat_template: template }, null, 2)}\n`);
}

/**
 * Without the base model's name: with other weights, it is another model. With what other programs need to compute what is
 * computed here, which a config that was made from a GGUF file lacks.
 */
async function readConfig(path: string): Promise<string> {
  const text = await readFile(path, 'utf8');
  const { _name_or_path: name, ...config } = JSON.parse(text) as Record<string, unknown>;
  const architecture = ARCHITECTURES[String(config.model_type)];
  const needed = architecture && {
    architectures: config.architectures ?? [architecture.className],
    ...architecture.forTransformers?.(config),
  };
  const isComplete = Object.entries(needed ?? {}).every(([setting, value]) => config[setting] === value);
  if (name === undefined && isComplete) return text;
  return `${JSON.stringify({ ...config, ...needed }, null, 2)}\n`;
}

/**
 * A file of a model's weights with an adapter added to them, in pieces of a few megabytes. Everything but the numbers
 * of adapted projections stays as it is, byte for byte: names, types, shapes and places. The projections that it has are
 * deleted from `unmet`.
 */
async function* mergeWeights(
  path: string,
  adapter: OpenedAdapter,
  unmet: Map<string, LoraSite>,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const weights = await openWeightsFile(path);
  // In the order of their data, which follows the header without gaps.
  const names = weights.names();
  const [first] = names.map(weights.describe);
  yield* copyBytes(path, 0, first?.byteOffset ?? Number.POSITIVE_INFINITY);
  for (const name of names) {
    // Its name in the file may be another one.
    const tensor = weights.describe(name);
    const site = unmet.get(name);
    unmet.delete(name);
    const pieces = site
      ? mergeTensor(tensor, adapter, site)
      : copyBytes(path, tensor.byteOffset, tensor.byteOffset + tensor.byteLength);
    for await (const piece of pieces) {
      signal?.throwIfAborted();
      yield piece;
    }
  }
}

async function* copyBytes(path: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  if (end > start) yield* createReadStream(path, { start, end: end - 1, highWaterMark: PIECE_BYTES });
}

async function* mergeTensor(
  tensor: WeightTensor,
  adapter: OpenedAdapter,
  site: LoraSite,
): AsyncGenerator<Uint8Array> {
  const readRows = await mergedRows(tensor, adapter, site);
  const [outputs, inputs] = tensor.shape as [number, number];
  const rowsAtOnce = Math.max(1, Math.floor(PIECE_BYTES / (inputs * 4)));
  for (let first = 0; first < outputs; first += rowsAtOnce)
    yield toStored(await readRows(first, Math.min(rowsAtOnce, outputs - first)), tensor);
}
