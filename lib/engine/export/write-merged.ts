// A base model with an adapter merged into its weights, as a folder in Hugging Face layout: the same files with the same
// names, whether the weights are one file or many.
import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { writeSynced } from '../../system/index.js';
import { type OpenedAdapter, openWeights } from '../weights/index.js';
import { mergeWeights } from './merge-weights.js';

/** What a model needs apart from its weights, and the terms it comes with. Copied if it is there. */
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
  signal?: AbortSignal,
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
  const names = ['config.json', ...copied];
  for (const shard of shards) {
    const name = relative(modelFolder, shard);
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeSynced(join(folder, name), mergeWeights(shard, adapter, signal));
    names.push(name.split(sep).join('/'));
  }
  return names;
}

/** Without the base model's name: with other weights, it is another model. */
async function readConfig(path: string): Promise<string> {
  const text = await readFile(path, 'utf8');
  const { _name_or_path: name, ...config } = JSON.parse(text) as Record<string, unknown>;
  return name === undefined ? text : `${JSON.stringify(config, null, 2)}\n`;
}
