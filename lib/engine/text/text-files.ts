// Reads the files of a model's folder that describe its text. It does not interpret them.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOf, TextError } from './errors.js';

export type Json = Readonly<Record<string, unknown>>;

export interface JsonFile {
  readonly path: string;
  readonly content: Json;
}

/** What is about chats. Each file is optional. */
export interface ChatFiles {
  readonly config: JsonFile | undefined;
  readonly generation: JsonFile | undefined;
  readonly template: { readonly path: string; readonly source: string } | undefined;
}

export interface TextFiles extends ChatFiles {
  readonly tokenizer: JsonFile;
  readonly config: JsonFile;
}

export async function readTextFiles(folder: string): Promise<TextFiles> {
  const [tokenizer, config, files] = await Promise.all([
    readJson(folder, 'tokenizer.json'),
    readJson(folder, 'tokenizer_config.json'),
    readChatFiles(folder),
  ]);
  return { ...files, tokenizer, config };
}

export async function readChatFiles(folder: string): Promise<ChatFiles> {
  const path = join(folder, 'chat_template.jinja');
  const [config, generation, source] = await Promise.all([
    readJson(folder, 'tokenizer_config.json', { optional: true }),
    readJson(folder, 'generation_config.json', { optional: true }),
    readIfThere(path),
  ]);
  return { config, generation, template: source === undefined ? undefined : { path, source } };
}

async function readJson(folder: string, name: string): Promise<JsonFile>;
async function readJson(folder: string, name: string, how: { optional: true }): Promise<JsonFile | undefined>;
async function readJson(folder: string, name: string, how?: { optional: true }) {
  const path = join(folder, name);
  const text = await readIfThere(path);
  if (text === undefined) {
    if (how?.optional) return undefined;
    throw new TextError(
      `${path} is missing: a model folder needs tokenizer.json and tokenizer_config.json next to its weights.`,
    );
  }
  return { path, content: parseObject(path, text) };
}

function parseObject(path: string, text: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new TextError(`${path} is not JSON: ${reasonOf(error)}`, { cause: error });
  }
  if (!isObject(value)) throw new TextError(`${path} is not a JSON object.`);
  return value;
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    // Opening a pipe or a device may never return.
    if (!(await stat(path)).isFile()) throw new TextError('it is not a file');
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new TextError(`${path} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
