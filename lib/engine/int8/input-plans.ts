// How what goes into each matrix is rounded: found with a line of tokens, and kept.
import { mkdir, readFile, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from '../../system/index.js';
import { layerModules, type ModelConfig, type ModelSource } from '../model/index.js';
import { toModulePath } from '../weights/index.js';
import { type Balance, findBalance, withoutCopies } from './balance.js';
import { type Compute, computeExactly, type Watched } from './exact-pass.js';
import { readMatrix } from './rounded-file.js';

interface InputPlan {
  balance: Balance;
  /** With 2, what rounding the rows loses is multiplied, too. */
  terms: 1 | 2;
  /** Whether what rounding the weights loses is multiplied, too: three products in all. */
  hasRest: boolean;
}

/** By the name of a matrix. Those that share their input have the same. */
export type InputPlans = ReadonlyMap<string, InputPlan>;

interface Found {
  names: readonly string[];
  plan: InputPlan;
}

/** The share of a product that one term may lose. */
const LARGEST_LOSS = 0.01;
/** As many lines of a matrix say enough of all. */
const LINES = 256;

/** In the file, which is created if it is missing, damaged, or has no plan for one of these matrices. */
export async function keepPlans(
  file: string,
  matrices: readonly string[],
  find: () => Promise<Found[]>,
): Promise<InputPlans> {
  const kept = await readPlans(file);
  if (kept !== null && matrices.every(name => kept.get(name)?.balance)) {
    const now = new Date();
    await utimes(file, now, now).catch(() => {});
    return kept;
  }
  const found = await find();
  await mkdir(dirname(file), { recursive: true });
  await replaceFile(file, JSON.stringify(found));
  return byName(found);
}

async function readPlans(file: string): Promise<InputPlans | null> {
  try {
    return byName(JSON.parse(await readFile(file, 'utf8')) as Found[]);
  } catch {
    return null;
  }
}

const byName = (found: readonly Found[]): InputPlans =>
  new Map(found.flatMap(({ names, plan }) => names.map(name => [name, plan] as const)));

/** `ids`: tokens of a usual text. */
export async function findPlans(
  model: ModelSource,
  ids: readonly number[],
  compute: Compute,
): Promise<Found[]> {
  const { config } = model;
  const [first, toStates] = [new Set(inputMatrices(config, 0)), new Set(intoStates(config))];
  const found: Found[] = [];
  await computeExactly(model, ids, compute, async watched => {
    const { names } = watched;
    const has = (of: ReadonlySet<string>) => names.some(name => of.has(name));
    found.push({
      names,
      plan: await findPlan(model, watched, { isFirst: has(first), hasRest: has(toStates) }),
    });
  });
  return found;
}

async function findPlan(
  model: ModelSource,
  { names, inputs, energies }: Watched,
  { isFirst, hasRest }: { isFirst: boolean; hasRest: boolean },
): Promise<InputPlan> {
  const channels = inputs.length / energies.length;
  const { lines, share } = await readLines(model, names, channels);
  const { balance, loss } = findBalance({ channels, inputs, energies, lines, share });
  // A loss that is not a number is not small. And what the first layer loses goes through all others: in Gemma 3, more than half of
  // what all one-term products together cost its answers.
  return loss <= LARGEST_LOSS && !isFirst && !hasRest
    ? { balance, terms: 1, hasRest }
    : { balance: withoutCopies(balance), terms: 2, hasRest };
}

/** Some lines of the matrices, evenly spread. */
async function readLines({ place }: ModelSource, names: readonly string[], channels: number) {
  const all = names.reduce((sum, name) => sum + place(name).shape[0]!, 0);
  const every = Math.max(1, Math.floor(all / LINES));
  const chosen: Float32Array[] = [];
  for (const name of names) {
    const values = await readMatrix(name, place(name));
    for (let line = 0; line * channels < values.length; line += every)
      chosen.push(values.slice(line * channels, (line + 1) * channels));
  }
  const lines = new Float32Array(chosen.length * channels);
  for (const [i, line] of chosen.entries()) lines.set(line, i * channels);
  return { lines, share: all / chosen.length };
}

/** What tokens write to the states of a delta rule, where an error stays, and is divided by the lengths of short keys. */
function intoStates(config: ModelConfig): string[] {
  return config.mixers.flatMap(({ kind }, layer) => (kind === 'delta' ? inputMatrices(config, layer) : []));
}

/** What a layer's tokens are multiplied with before they see each other. */
function inputMatrices(config: ModelConfig, layer: number): string[] {
  return layerModules(config, layer).in.map(module => `${toModulePath({ layer, module })}.weight`);
}
