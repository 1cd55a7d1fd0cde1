// What a base model on disk is: whether svc runs it, its license, and about how much memory it needs. Reads headers and settings,
// and neither weights nor tokens.
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServedModelFacts } from '../../contract/index.js';
import { layoutSize, sessionBytes } from '../generate/cache-budget.js';
import { describeGguf, KEPT_METADATA, nameLicense } from '../gguf/index.js';
import { sizeOf } from '../graph/index.js';
import {
  cacheShapeOf,
  loraParameters,
  MODULES,
  type ModelConfig,
  openModel,
  readModelSettings,
  weightShapes,
} from '../model/index.js';
import { REQUIRED_FILES } from '../run-layout.js';
import { readChatFacts, readSampling } from '../text/index.js';
import { bytesOfToken, passTokens } from '../train/pass-size.js';
import { listFormats, openWeights, WeightsError } from '../weights/index.js';

export interface ModelFacts extends Omit<ServedModelFacts, 'speed'> {
  /** Why svc does not run it, in a sentence. */
  problem: string | null;
}

interface ModelPlace {
  /** A GGUF file, or a folder in Hugging Face layout; null if there is none. */
  path: string | null;
  /** The license text, if there is a file with it. */
  licenseFile?: string | undefined;
}

/** A model that cannot be read is one with a problem. */
export async function describeModel({ path, licenseFile }: ModelPlace): Promise<ModelFacts> {
  if (path === null) return NO_FACTS;
  try {
    const isFolder = (await stat(path)).isDirectory();
    const facts = await (isFolder ? describeFolder(path) : describeFile(path));
    return { ...facts, license: facts.license ?? (licenseFile ? await readFirstLine(licenseFile) : null) };
  } catch (error) {
    return { ...NO_FACTS, problem: toProblem(error, path) };
  }
}

const NO_FACTS: ModelFacts = {
  architecture: null,
  parameters: null,
  context: null,
  weightFormat: null,
  license: null,
  bytes: 0,
  memory: null,
  hasChatTemplate: null,
  sampling: {},
  problem: null,
};

async function describeFile(path: string): Promise<ModelFacts> {
  const { size: bytes } = await stat(path);
  try {
    const { config, problem, mixture, formats, recommended, ...facts } = await describeGguf(path);
    const weightFormat = mixture ?? formats[0] ?? null;
    return {
      ...{ ...facts, weightFormat, bytes, memory: config && estimateMemory(config) },
      sampling: readSampling(recommended),
      problem: problem === null ? null : toProblem(problem, path),
    };
  } catch (error) {
    return { ...NO_FACTS, bytes, problem: toProblem(error, path) };
  }
}

async function describeFolder(folder: string): Promise<ModelFacts> {
  const bytes = await measureFiles(folder);
  const license = (await readCardLicense(folder)) ?? (await readKeptLicense(folder));
  const settings = await readModelSettings(folder).catch(() => null);
  const stored = await readStored(folder).catch(() => null);
  const { config, problem } = await openConfig(folder);
  const chat = await readChatFacts(folder).catch(() => ({ hasChatTemplate: null, sampling: {} }));
  return {
    architecture: text(settings?.model_type),
    parameters: config ? countParameters(config) : (stored?.parameters ?? null),
    context: config?.maxPositions ?? whole(settings?.max_position_embeddings),
    weightFormat: stored?.weightFormat ?? null,
    license,
    bytes,
    memory: config && estimateMemory(config),
    ...chat,
    problem,
  };
}

/** More than any model has. */
const MOST_FILES = 1000;

/** Links, as in the Hub's cache, count as what they lead to. */
async function measureFiles(folder: string): Promise<number> {
  const names = (await readdir(folder)).slice(0, MOST_FILES);
  const found = await Promise.all(names.map(name => stat(join(folder, name)).catch(() => null)));
  return found.reduce((sum, file) => sum + (file?.isFile() ? file.size : 0), 0);
}

/** Of the file that the folder was read from. */
async function readKeptLicense(folder: string): Promise<string | null> {
  const kept = await describeGguf(join(folder, KEPT_METADATA)).catch(() => null);
  return kept?.license ?? null;
}

async function openConfig(folder: string): Promise<{ config: ModelConfig | null; problem: string | null }> {
  try {
    const { config } = await openModel(folder);
    for (const name of REQUIRED_FILES)
      if (!(await stat(join(folder, name)).catch(() => null)))
        throw new Error(`${join(folder, name)} is missing.`);
    return { config, problem: null };
  } catch (error) {
    return { config: null, problem: toProblem(error, folder, 'folder') };
  }
}

/** Weights that are stored twice count once. */
function countParameters(config: ModelConfig): number {
  return [...weightShapes(config).values()].reduce((sum, shape) => sum + sizeOf(shape), 0);
}

async function readStored(folder: string): Promise<{ parameters: number; weightFormat: string | null }> {
  const weights = await openWeights(folder);
  const stored = [...weights.names()].map(name => weights.describe(name));
  const [weightFormat = null] = listFormats(stored.map(({ dtype, byteLength }) => [dtype, byteLength]));
  return { parameters: stored.reduce((sum, { shape }) => sum + sizeOf(shape), 0), weightFormat };
}

const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 100) : null);
const whole = (value: unknown) => (Number.isSafeInteger(value) ? (value as number) : null);

/** Without the path, which is shown next to it. */
function toProblem(error: unknown, path: string, kind: 'file' | 'folder' = 'file'): string {
  const { message, code } = error as NodeJS.ErrnoException;
  if (code !== undefined) return `It cannot be read (${code}).`;
  if (error instanceof WeightsError && error.file === path && error.tensor === undefined)
    return `The ${kind} ${error.problem}.`;
  return message.replace(`${path}: `, '').replaceAll(join(path, '/'), '');
}

/** Node.js, ONNX Runtime, and this package. */
const PROGRAM = 180e6;
const RANK = 16;
const CHAT_TOKENS = 2048;
const FLOAT = Float32Array.BYTES_PER_ELEMENT;
/** A number of an adapter has a gradient and two moments. */
const PER_PARAMETER = 4 * FLOAT;

/**
 * As measured in processes that train and chat, from what the engine allocates by its own rules: to train an adapter of rank 16 on
 * all modules, in one pass, and for a chat of 2,048 tokens, or of as many as the model takes.
 */
function estimateMemory(config: ModelConfig): NonNullable<ServedModelFacts['memory']> {
  const both = (estimate: (bytesPerWeight: number) => number) => ({
    f32: Math.round(estimate(FLOAT)),
    int8: Math.round(estimate(1)),
  });
  const needs = (more: number) =>
    both(bytesPerWeight => PROGRAM + weightBytes(config, bytesPerWeight) + more);
  return {
    training: needs(adapterBytes(config) + passBytes(config)),
    chat: needs(chatBytes(config)),
  };
}

/**
 * Matrices are there twice: packed for the forward and the backward pass or, while a model for chats is loaded, as stored and
 * as packed.
 */
function weightBytes(config: ModelConfig, bytesPerWeight: number): number {
  const embedding = sessionBytes({ config, bytesPerWeight: 0 });
  return 2 * (sessionBytes({ config, bytesPerWeight }) - embedding) + embedding;
}

function adapterBytes(config: ModelConfig): number {
  const adapter = loraParameters(config, { rank: RANK, modules: MODULES });
  return adapter.reduce((sum, { shape: [rows, columns] }) => sum + rows * columns, 0) * PER_PARAMETER;
}

/** What the backward pass needs, and logits with their probabilities. */
function passBytes(config: ModelConfig): number {
  return passTokens(config) * (bytesOfToken(config) + 2 * FLOAT * config.vocabulary);
}

function chatBytes(config: ModelConfig): number {
  return layoutSize(cacheShapeOf(config), 1, Math.min(CHAT_TOKENS, config.maxPositions));
}

const MOST_BYTES = 2 ** 16;
const LONGEST = 100;

/** Null if there is no card, or it says none. */
async function readCardLicense(folder: string): Promise<string | null> {
  const [, settings = ''] =
    /^---\r?\n([\s\S]*?)\r?\n---/.exec(await readStart(join(folder, 'README.md'))) ?? [];
  return nameLicense(readSetting(settings, 'license'), readSetting(settings, 'license_name'));
}

/** One line, or the first of a list. */
function readSetting(settings: string, name: string): string | null {
  const [, value] =
    new RegExp(`^${name}:[ \\t]*(?:\\r?\\n[ \\t]*-[ \\t]*)?(["']?)([^"'\\r\\n]+)`, 'm')
      .exec(settings)
      ?.slice(1) ?? [];
  return value?.trim().slice(0, LONGEST) || null;
}

/** Of a license; null if it has none. */
async function readFirstLine(path: string): Promise<string | null> {
  const lines = (await readStart(path)).split('\n').map(line => line.trim());
  return lines.find(Boolean)?.slice(0, LONGEST) ?? null;
}

/** The first bytes of a file; empty if there is none. */
async function readStart(path: string): Promise<string> {
  try {
    // Opening a pipe or a device may never return.
    if (!(await stat(path)).isFile()) return '';
    const handle = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return '';
  }
}
