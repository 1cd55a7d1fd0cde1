// Packs rows of data into lines, and lines into passes through the graph. Every token knows its row, and attention never
// crosses rows. The two texts of a pair share a pass, but not necessarily a line.
import { firstPosition, type ModelConfig } from '../model/index.js';
import type { Inputs } from '../runtime/index.js';
import type { SoftLabels } from '../text/index.js';

/** A row of data as tokens; `supervised[i]`: token i is learned, predicted from the tokens before it. */
export interface Example {
  ids: ArrayLike<number>;
  supervised: ArrayLike<boolean | number>;
  /** Its index among all rows of the data set, to record its loss. */
  row?: number;
  /** For a pair of answers: how many of its tokens belong to the chosen one, which comes first. */
  chosen?: number | undefined;
  /** What a teacher expected in place of some of its tokens. */
  soft?: SoftLabels | undefined;
  /** For one of the texts of a pair: the pair, and 1 for the chosen answer, -1 for the other. */
  answer?: { of: Example; side: 1 | -1 };
}

/** The inputs of one pass through the graph. */
export interface Pass {
  lines: { count: number; length: number };
  ids: BigInt64Array;
  positions: BigInt64Array;
  rows: Float32Array;
  at: BigInt64Array;
  labels: BigInt64Array;
  weights: Float32Array;
  pairs?: PairInputs;
  answers?: AnswerInputs;
  soft?: SoftInputs;
}

/** As the operation `softCrossEntropy` has them. */
interface SoftInputs {
  alternatives: BigInt64Array;
  shares: Float32Array;
  filling: Float32Array;
  certainty: Float32Array;
  weights: Float32Array;
}

/** As the operation `policy` has them. */
interface AnswerInputs {
  advantages: Float32Array;
  before: Float32Array;
  known: Float32Array;
  reference: Float32Array;
  weights: Float32Array;
}

/** As the operation `preference` has them. */
interface PairInputs {
  sides: Float32Array;
  reference: Float32Array;
  weights: Float32Array;
}

/** The line length at which attention costs as much as everything else. */
const ATTENTION_LENGTH = 1024;
/** Larger passes gain no speed. */
export const LARGEST_PASS = 2048;

/** The first token is never a label, since nothing precedes it. */
export function countLabels({ supervised }: Example): number {
  let count = 0;
  for (let i = 1; i < supervised.length; i++) if (supervised[i]) count++;
  return count;
}

/** Whether what a pass computes for its lines, which all have a length, fits the place where it is computed. */
export type PassFits = (lines: number, length: number) => boolean;

/** What one pass has room for. */
export interface PassLimits {
  /** The most tokens to compute in a pass. */
  readonly passTokens: number;
  /** The most tokens of a line, which are the positions that the graph knows. */
  readonly lineTokens: number;
  /** Whether a pass with so many lines of this length fits, where that does not follow from its tokens. */
  readonly passFits?: PassFits | undefined;
}

/**
 * Passes of lines of rows within these limits, unless one row alone exceeds them. Deterministic: the same examples give the
 * same passes.
 */
export function packExamples(examples: readonly Example[], limits: PassLimits): Example[][][] {
  const byLength = examples.toSorted((a, b) => b.ids.length - a.ids.length);
  const passes: { examples: Example[]; left: number }[] = [];
  for (const example of byLength) {
    const tokens = example.ids.length;
    const pass = passes.find(({ left }) => left >= tokens);
    pass?.examples.push(example);
    if (pass) pass.left -= tokens;
    else passes.push({ examples: [example], left: limits.passTokens - tokens });
  }
  return passes.flatMap(({ examples: taken }) => packPass(taken, limits));
}

/** In one pass, or in two halves while it does not fit. */
function packPass(examples: readonly Example[], limits: PassLimits): Example[][][] {
  const { lineTokens, passFits: fits = () => true } = limits;
  const texts = examples.flatMap(textsOf).toSorted((a, b) => b.ids.length - a.ids.length);
  const lines = packLines(texts, lineTokens);
  if (examples.length === 1 || fits(lines.length, Math.max(...lines.map(tokensOf)))) return [lines];
  const middle = examples.length >> 1;
  return [examples.slice(0, middle), examples.slice(middle)].flatMap(half => packPass(half, limits));
}

function textsOf(example: Example): Example[] {
  const { ids, supervised, chosen, row } = example;
  if (chosen === undefined) return [example];
  const part = (from: number, to: number, side: 1 | -1): Example => ({
    ids: Array.from({ length: to - from }, (_, i) => ids[from + i]!),
    supervised: Array.from({ length: to - from }, (_, i) => supervised[from + i]!),
    ...(row !== undefined && { row }),
    answer: { of: example, side },
  });
  return [part(0, chosen, 1), part(chosen, ids.length, -1)];
}

/** The most tokens that a line can have. */
export function longestLine(longestRow: number): number {
  return Math.max(LARGEST_PASS, longestRow);
}

/** Into the cheapest number of lines: padding makes many lines expensive, attention makes long ones expensive. */
function packLines(byLength: readonly Example[], lineTokens: number): Example[][] {
  const most = Math.ceil(tokensOf(byLength) / Math.max(1, byLength[0]!.ids.length));
  let best: { lines: Example[][]; cost: number } | undefined;
  // With as many lines as texts, each has its own, which fits.
  for (let count = 1; count <= byLength.length && (count <= most || !best); count++) {
    const lines = fillLines(byLength, count);
    const length = Math.max(...lines.map(tokensOf));
    if (length > lineTokens) continue;
    const cost = count * length * (1 + length / ATTENTION_LENGTH);
    if (!best || cost < best.cost) best = { lines, cost };
  }
  return best?.lines ?? byLength.map(text => [text]);
}

/** Puts each row into the line that is the shortest so far. */
function fillLines(byLength: readonly Example[], count: number): Example[][] {
  const lines = Array.from({ length: count }, () => ({ examples: [] as Example[], tokens: 0 }));
  for (const example of byLength) {
    const shortest = lines.reduce((least, next) => (next.tokens < least.tokens ? next : least));
    shortest.examples.push(example);
    shortest.tokens += example.ids.length;
  }
  return lines.map(({ examples }) => examples);
}

const tokensOf = (line: readonly Example[]) => line.reduce((sum, { ids }) => sum + ids.length, 0);

/** The labels of an example weigh `weightOf` it; padding weighs nothing. */
export function toPass(
  lines: readonly (readonly Example[])[],
  weightOf: number | ((example: Example) => number),
): Pass {
  const length = Math.max(...lines.map(tokensOf));
  const size = lines.length * length;
  // Without any label, one of weight 0 takes its place, since a graph cannot compute the loss of nothing.
  const labels = Math.max(
    1,
    lines.flat().reduce((sum, example) => sum + countLabels(example), 0),
  );
  const pass: Pass = {
    lines: { count: lines.length, length },
    ids: new BigInt64Array(size),
    positions: new BigInt64Array(size),
    rows: new Float32Array(size).fill(-1),
    at: new BigInt64Array(labels),
    labels: new BigInt64Array(labels),
    weights: new Float32Array(labels),
  };
  let label = 0;
  for (const [line, examples] of lines.entries()) {
    let token = line * length;
    for (const [row, example] of examples.entries()) {
      const { ids, supervised } = example;
      const weight = typeof weightOf === 'number' ? weightOf : weightOf(example);
      for (let i = 0; i < ids.length; i++, token++) {
        pass.ids[token] = BigInt(ids[i]!);
        pass.positions[token] = BigInt(i);
        pass.rows[token] = row;
        if (i === 0 || !supervised[i]) continue;
        pass.at[label] = BigInt(token - 1);
        pass.labels[label] = BigInt(ids[i]!);
        pass.weights[label] = weight;
        label++;
      }
    }
  }
  return pass;
}

/** Examples by index, each created when it is read. An array of examples is one, too. */
export interface ExampleSet {
  readonly length: number;
  /** Null for a skipped row. */
  at(index: number): Example | null | undefined;
  /** The example's row in the data set; the same index by default. */
  rowOf?(index: number): number;
}

/** All examples in order, without skipped rows. */
export function* examplesOf(set: ExampleSet): Generator<Example> {
  for (let index = 0; index < set.length; index++) {
    const example = set.at(index);
    if (example) yield example;
  }
}

/** A pass as inputs of the training graphs. */
export function toInputs(
  { lines: { count, length }, positions, rows, pairs, answers, soft, ...vectors }: Pass,
  config: Pick<ModelConfig, 'mixers'>,
): Inputs {
  const shape = [count, length];
  return {
    ...vectors,
    ...(pairs && toPairInputs(pairs, vectors.labels.length)),
    ...(answers && toAnswerInputs(answers)),
    ...(soft && toSoftInputs(soft)),
    lines: BigInt64Array.of(BigInt(count), BigInt(length)),
    positions: { values: placeRows(positions, config), shape },
    rows: { values: rows, shape },
  };
}

/** Rows that are long begin at another position. */
function placeRows(positions: BigInt64Array, config: Pick<ModelConfig, 'mixers'>): BigInt64Array {
  const placed = positions.slice();
  for (let start = 0, end = 1; start < positions.length; start = end++) {
    while (positions[end]) end++;
    const first = BigInt(firstPosition(config, end - start));
    if (first > 0n) for (let i = start; i < end; i++) placed[i]! += first;
  }
  return placed;
}

function toPairInputs({ sides, reference, weights }: PairInputs, labels: number): Inputs {
  return { sides: { values: sides, shape: [weights.length, labels] }, reference, pairWeights: weights };
}

function toSoftInputs({ weights, ...inputs }: SoftInputs): Inputs {
  return { ...inputs, softWeights: weights };
}

function toAnswerInputs({ weights, ...inputs }: AnswerInputs): Inputs {
  return { ...inputs, answerWeights: weights };
}
