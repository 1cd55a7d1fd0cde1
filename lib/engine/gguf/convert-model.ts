// Reads a GGUF file once into a folder in Hugging Face's layout, piece by piece: weights that are quantized become float32,
// others keep their type.
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rename, stampOf, syncFolder, writeSynced } from '../../system/index.js';
import { sizeOf } from '../graph/index.js';
import { type ModelConfig, parseModelConfig, weightShapes } from '../model/index.js';
import {
  encodeSafetensorsHeader,
  type FloatDtype,
  quote,
  readPiece,
  WeightsError,
  withFile,
} from '../weights/index.js';
import { type Arrangement, arrangementOf, type Change, changeOf } from './arrangement.js';
import { encodeKeptMetadata, KEPT_METADATA } from './kept-metadata.js';
import { toLlamaCppNames, toLlamaCppShape } from './llama-cpp-layout.js';
import { type Facts, type GgufHeader, type GgufTensor, readFacts, readGgufHeader } from './read-header.js';
import {
  type Architecture,
  LONG_ROPE_FACTORS,
  ROPE_FACTORS,
  readArchitecture,
  SHORT_ROPE_FACTORS,
  toConfig,
} from './to-config.js';
import { toTextFiles } from './to-text-files.js';

/** Changes when files are read differently, so that folders of earlier versions are not used. */
export const GGUF_FORM = 3;

/** Bytes of the file. */
type OnProgress = (done: number, total: number) => void;

/**
 * `folder` appears only when it is complete, and the file is as it was when `before` was read of it. Two calls with the same
 * folder at once need a lock around them. Throws a `WeightsError` or a `ModelError` that names the file.
 */
export async function convertGguf(
  file: string,
  folder: string,
  onProgress: OnProgress,
  before?: string | null,
): Promise<void> {
  const expected = before ?? (await stampOf(file));
  const header = await readGgufHeader(file);
  const { texts, weights } = await planModel(header);
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  try {
    for (const [name, content] of Object.entries(texts))
      await writeSynced(join(partial, name), encodeJson(content));
    await writeSynced(join(partial, KEPT_METADATA), [await encodeKeptMetadata(header)]);
    await writeSynced(join(partial, 'model.safetensors'), encodeWeights(file, weights, onProgress));
    await syncFolder(partial);
    if ((await stampOf(file)) !== expected)
      throw new WeightsError(file, 'changed while it was read. Try again');
    await rename(partial, folder);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
  await syncFolder(dirname(folder));
}

const TEXT_LENGTH = 2 ** 16;
const ITEMS_AT_ONCE = 1024;

/** As `JSON.stringify`, and the end of a line. The text of a hostile vocabulary may be too long for one string. */
function* encodeJson(content: object): Generator<Uint8Array> {
  let text = '';
  for (const part of jsonOf(content)) {
    text += part;
    if (text.length < TEXT_LENGTH) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(`${text}\n`);
}

function* jsonOf(value: object): Generator<string> {
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += ITEMS_AT_ONCE) {
      const items = JSON.stringify(value.slice(at, at + ITEMS_AT_ONCE)).slice(1, -1);
      yield `${at === 0 ? '[' : ','}${items}`;
    }
    yield value.length === 0 ? '[]' : ']';
    return;
  }
  let before = '{';
  for (const name of Object.keys(value)) {
    const item: unknown = (value as Readonly<Record<string, unknown>>)[name];
    if (item === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    if (typeof item === 'object' && item !== null) yield* jsonOf(item);
    else yield JSON.stringify(item);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

interface PlannedWeight {
  /** In Hugging Face's layout. */
  name: string;
  shape: readonly number[];
  dtype: FloatDtype;
  source: GgufTensor;
  arrangement: Arrangement | undefined;
  change: Change | undefined;
}

/** The text files by name, and the weights in the order in which they are written. */
async function planModel(header: GgufHeader) {
  const { config, description, weights } = await planNumbers(header);
  const texts = toTextFiles(header.file, readFacts(header), description.vocabulary);
  return { texts: { 'config.json': config, ...texts }, weights };
}

/** What is computed, without its text. Throws if it is not supported. */
export async function planNumbers(header: GgufHeader) {
  const { file } = header;
  const facts = readFacts(header);
  const architecture = readArchitecture(header, facts);
  const config = toConfig(header, facts, architecture, await readFactors(header));
  const description = parseModelConfig(config, file);
  const weights = planWeights(header, description, predictorsOf(facts, architecture, description));
  return { config, description, weights };
}

function predictorsOf(facts: Facts, { name }: Architecture, { layers }: ModelConfig): number[] {
  const count = facts.number(`${name}.nextn_predict_layers`) ?? 0;
  return Array.from({ length: Math.min(count, MOST_PREDICTORS) }, (_, i) => layers + i);
}

/** More than any model has. */
const MOST_PREDICTORS = 16;

/** `predictors`: layers after the model's own, which only predict further tokens. */
function planWeights(
  { file, tensors }: GgufHeader,
  description: ModelConfig,
  predictors: readonly number[],
): PlannedWeight[] {
  const unused = new Set(
    [...tensors.keys()].filter(name => !FACTORS.includes(name) && !isIn(predictors, name)),
  );
  const weights = [...weightShapes(description)].map(([name, shape]): PlannedWeight => {
    const source = findTensor(tensors, toLlamaCppNames(name, description)[0]!, shape, file);
    unused.delete(source.name);
    const dtype = source.format.stored ?? 'F32';
    const change = changeOf(name, description);
    if (change && dtype !== 'F32') throw new WeightsError(file, 'must be F32', { tensor: source.name });
    return { name, shape, dtype, source, change, arrangement: arrangementOf(name, description) };
  });
  const [stray] = unused;
  if (stray !== undefined)
    throw new WeightsError(file, 'has no place in a model of this architecture', { tensor: stray });
  // The widest type first, so that all are aligned.
  return weights.sort((a, b) => Number(b.dtype === 'F32') - Number(a.dtype === 'F32'));
}

const isIn = (layers: readonly number[], name: string) =>
  layers.some(layer => name.startsWith(`blk.${layer}.`));

function findTensor(
  tensors: GgufHeader['tensors'],
  name: string,
  shape: readonly number[],
  file: string,
): GgufTensor {
  const tensor = tensors.get(name);
  if (!tensor) throw new WeightsError(file, 'is missing', { tensor: name });
  if (tensor.shape.join() === toLlamaCppShape(shape).join()) return tensor;
  throw new WeightsError(file, `has the shape ${quote(tensor.shape)}, expected ${quote(shape)}`, {
    tensor: name,
  });
}

const FACTORS = [ROPE_FACTORS, LONG_ROPE_FACTORS, SHORT_ROPE_FACTORS];

/** What frequencies are divided by, by name. */
async function readFactors({ file, tensors }: GgufHeader): Promise<ReadonlyMap<string, Float32Array>> {
  const found = FACTORS.flatMap(name => tensors.get(name) ?? []);
  const read = found.map(async tensor => [tensor.name, await readRow(file, tensor)] as const);
  return new Map(await Promise.all(read));
}

async function readRow(file: string, tensor: GgufTensor): Promise<Float32Array> {
  if (tensor.format.stored !== 'F32' || tensor.shape.length !== 1)
    throw new WeightsError(file, 'must be a row of F32', { tensor: tensor.name });
  return withFile(file, async handle => {
    const bytes = await readPiece(handle, file, tensor.byteOffset, tensor.byteLength);
    return new Float32Array(bytes.buffer);
  });
}

async function* encodeWeights(
  file: string,
  weights: readonly PlannedWeight[],
  onProgress: OnProgress,
): AsyncGenerator<Uint8Array> {
  yield encodeSafetensorsHeader(weights);
  const total = weights.reduce((sum, { source }) => sum + source.byteLength, 0);
  let done = 0;
  for (const weight of weights) {
    for (const { at, length, rows } of piecesOf(weight)) {
      const bytes = await withFile(file, handle => readPiece(handle, file, at, length));
      yield toStored(bytes, rows, weight);
      done += length;
      onProgress(done, total);
    }
  }
}

/** Of a piece as it is written. */
const PIECE_BYTES = 4 * 2 ** 20;

/** Whole blocks, even across rows, or all rows that trade places. */
function* piecesOf({ shape, source, arrangement }: PlannedWeight) {
  const { values, bytes } = source.format;
  const columns = sizeOf(shape.slice(1));
  const together = arrangement ? arrangement.together * columns : values;
  const most = together * Math.max(1, Math.floor(PIECE_BYTES / (4 * together)));
  const all = sizeOf(shape);
  for (let first = 0; first < all; first += most) {
    const count = Math.min(most, all - first);
    const [at, length] = [(first / values) * bytes, (count / values) * bytes];
    yield { at: source.byteOffset + at, length, rows: count / columns };
  }
}

function toStored(bytes: Uint8Array, rows: number, weight: PlannedWeight): Uint8Array {
  const { source, arrangement, change } = weight;
  const stored = source.format.decode ? decode(bytes, source) : bytes;
  if (change) changeBack(stored, change);
  return arrangement ? arrangement.fromFile(stored, stored.length / rows) : stored;
}

function changeBack({ buffer, byteOffset, byteLength }: Uint8Array, { fromFile }: Change): void {
  const values = new Float32Array(buffer, byteOffset, byteLength / 4);
  for (const [i, value] of values.entries()) values[i] = fromFile(value);
}

function decode(bytes: Uint8Array, { format }: GgufTensor): Uint8Array {
  const values = new Float32Array((bytes.length / format.bytes) * format.values);
  format.decode!(bytes, values);
  return new Uint8Array(values.buffer);
}
