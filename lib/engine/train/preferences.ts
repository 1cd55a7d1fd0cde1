// Direct preference optimization: training and evaluation on pairs of answers, compared with the model without its
// adapter.
import type { PreferenceShape } from '../model/index.js';
import { chunksOf, type Evaluator } from './evaluate.js';
import type { Metrics, Objective } from './objective.js';
import type { PreferenceMethod } from './options.js';
import { countLabels, type Example, type ExampleSet, type Pass, packExamples, toPass } from './packing.js';
import type { LossRunner } from './runners.js';
import type { ParameterState } from './state.js';
import { createFirstSteps, type StepPlan } from './steps.js';

interface PreferenceOptions {
  method: PreferenceMethod;
  seed: number;
  model: ReferenceModel;
  plan: StepPlan;
}

export function createPreferenceObjective(
  examples: ExampleSet,
  { method, seed, model, plan }: PreferenceOptions,
): Objective {
  const readReference = createReference(model, examples, plan, seed);
  return {
    async prepare(pairs, { signal }) {
      const referenceOf = await readReference(pairs, signal);
      const learned = pairs.reduce((sum, pair) => sum + countChosen(pair), 0);
      const weights = { referenceOf, weight: 1 / pairs.length, labelWeight: method.sftWeight / learned };
      const results: PairResult[] = [];
      return {
        toPass: lines => toPairPass(lines, weights),
        read(lines, labelLosses) {
          return [...scoreAnswers(lines, labelLosses)].map(([pair, scores]) => {
            const result = comparePair(scores, referenceOf(pair), method);
            results.push(result);
            return { row: pair.row!, labels: countLabels(pair), loss: result.loss };
          });
        },
        metrics: () => toMetrics(results),
      };
    },
    close: () => model.close(),
  };
}

/** The labels of the chosen answer. */
function countChosen({ supervised, chosen = 0 }: Example): number {
  let count = 0;
  for (let i = 1; i < chosen; i++) if (supervised[i]) count++;
  return count;
}

/**
 * Evaluates on held-out pairs of answers: the mean loss, and how often and by how much the chosen answer is preferred.
 * The reference is computed with the first evaluation.
 */
export function createPreferenceEvaluator(
  pairs: ExampleSet,
  model: ReferenceModel,
  method: PreferenceMethod,
): Evaluator {
  /** Of each chunk, in its order, which is the same in every evaluation. */
  const references: AnswerScores[][] = [];

  return {
    async run(state, signal) {
      const results: PairResult[] = [];
      let [learned, learnedLoss, at] = [0, 0, 0];
      for await (const chunk of chunksOf(pairs, signal)) {
        references[at] ??= await inOrder(chunk, scoreByReference(model, chunk, signal));
        const known = references[at++]!;
        const scores = await inOrder(chunk, scorePairs(await model.open(), chunk, state, signal));
        for (const [i, pair] of chunk.entries()) {
          results.push(comparePair(scores[i]!, known[i]!, method));
          learned += countChosen(pair);
          learnedLoss -= scores[i]!.chosen;
        }
      }
      const loss = results.reduce((sum, result) => sum + result.loss, 0) / results.length;
      return { loss: loss + (method.sftWeight * learnedLoss) / learned, metrics: toMetrics(results) };
    },
    close: () => model.close(),
  };
}

async function inOrder<K, V>(keys: readonly K[], found: Promise<ReadonlyMap<K, V>>): Promise<V[]> {
  const values = await found;
  return keys.map(key => values.get(key)!);
}

type Lines = readonly (readonly Example[])[];

/** Log-probabilities of the two answers of a pair, each summed over its tokens. @internal */
export interface AnswerScores {
  chosen: number;
  rejected: number;
}

/** @internal */
export interface PairResult {
  /** Without what `sftWeight` adds. */
  loss: number;
  /** How much likelier the answers became than the reference has them, times `beta`. */
  chosenReward: number;
  rejectedReward: number;
}

export const toShape = ({ beta, labelSmoothing }: PreferenceMethod): PreferenceShape => ({
  beta,
  smoothing: labelSmoothing,
});

/** The scores of the pairs of a pass, in the order in which they occur in it. */
function scoreAnswers(lines: Lines, labelLosses: ArrayLike<number>): Map<Example, AnswerScores> {
  const scores = new Map<Example, AnswerScores>();
  let label = 0;
  for (const text of lines.flat()) {
    let score = 0;
    for (const end = label + countLabels(text); label < end; label++) score -= labelLosses[label]!;
    const { of, side } = text.answer!;
    const known = scores.get(of) ?? { chosen: 0, rejected: 0 };
    scores.set(of, { ...known, [side === 1 ? 'chosen' : 'rejected']: score });
  }
  return scores;
}

/** How much a pair's chosen answer is preferred, compared with the reference. @internal */
export function comparePair(
  scores: AnswerScores,
  reference: AnswerScores,
  { beta, labelSmoothing }: PreferenceMethod,
): PairResult {
  const chosenReward = beta * (scores.chosen - reference.chosen);
  const rejectedReward = beta * (scores.rejected - reference.rejected);
  const z = chosenReward - rejectedReward;
  const loss = (1 - labelSmoothing) * softplus(-z) + labelSmoothing * softplus(z);
  return { loss, chosenReward, rejectedReward };
}

/** log(1 + e^x) */
function softplus(x: number): number {
  return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
}

/** The means over pairs. A pair counts as right if its chosen answer has the higher reward. */
function toMetrics(results: readonly PairResult[]): Metrics {
  const mean = (of: (result: PairResult) => number) =>
    results.reduce((sum, result) => sum + of(result), 0) / results.length;
  return {
    rewardMargin: mean(({ chosenReward, rejectedReward }) => chosenReward - rejectedReward),
    rewardAccuracy: mean(({ chosenReward, rejectedReward }) => Number(chosenReward > rejectedReward)),
    chosenReward: mean(({ chosenReward }) => chosenReward),
    rejectedReward: mean(({ rejectedReward }) => rejectedReward),
  };
}

interface PairWeights {
  referenceOf(pair: Example): AnswerScores;
  /** Of each pair. */
  weight: number;
  /** Of each label of a chosen answer. */
  labelWeight: number;
}

export function toPairPass(lines: Lines, { referenceOf, weight, labelWeight }: PairWeights): Pass {
  const texts = lines.flat();
  const pairs = [...new Set(texts.map(({ answer }) => answer!.of))];
  const pass = toPass(lines, ({ answer }) => (answer!.side === 1 ? labelWeight : 0));
  const width = pass.labels.length;
  const sides = new Float32Array(pairs.length * width);
  let label = 0;
  for (const text of texts) {
    const { of, side } = text.answer!;
    const row = pairs.indexOf(of) * width;
    const end = label + countLabels(text);
    sides.fill(side, row + label, row + end);
    label = end;
  }
  const reference = Float32Array.from(pairs, pair => {
    const { chosen, rejected } = referenceOf(pair);
    return chosen - rejected;
  });
  return { ...pass, pairs: { sides, reference, weights: new Float32Array(pairs.length).fill(weight) } };
}

/** A runner of losses and an adapter that changes nothing. */
export interface ReferenceModel {
  open(): Promise<LossRunner>;
  adapter: ParameterState;
  close(): Promise<void>;
}

/**
 * What the model without its adapter says about the answers of pairs. It is computed once for each pair, together with
 * the pairs that the first epoch takes in the same step: how a pass is packed changes the last bits, and so a resumed
 * run computes exactly what the interrupted one had. Returns a function that gives the scores of the pairs of a step.
 */
function createReference(
  model: ReferenceModel,
  examples: ExampleSet,
  plan: StepPlan,
  seed: number,
): (pairs: readonly Example[], signal?: AbortSignal) => Promise<(pair: Example) => AnswerScores> {
  const { stepOf, examplesOf } = createFirstSteps(examples, plan, seed);
  const known = new ScoreTable();
  return async (pairs, signal) => {
    const missing = pairs.filter(({ row }) => !known.has(row!));
    for (const step of new Set(missing.map(({ row }) => stepOf(row!)))) {
      for (const [pair, scores] of await scoreByReference(model, examplesOf(step), signal))
        known.set(pair.row!, scores);
    }
    return ({ row }) => known.get(row!);
  };
}

async function scoreByReference(
  { open, adapter }: ReferenceModel,
  pairs: readonly Example[],
  signal?: AbortSignal,
): Promise<Map<Example, AnswerScores>> {
  return scorePairs(await open(), pairs, adapter, signal);
}

/** The scores of pairs, packed into passes. */
async function scorePairs(
  runner: LossRunner,
  pairs: readonly Example[],
  adapter: ParameterState,
  signal?: AbortSignal,
): Promise<Map<Example, AnswerScores>> {
  const scores = new Map<Example, AnswerScores>();
  for (const lines of packExamples(pairs, runner)) {
    signal?.throwIfAborted();
    await runner.run(toPass(lines, 0), adapter, losses => {
      for (const [pair, found] of scoreAnswers(lines, losses)) scores.set(pair, found);
    });
  }
  return scores;
}

/** Two numbers for each row, without an object for each. */
class ScoreTable {
  #values = new Float64Array();

  has(row: number): boolean {
    return 2 * row < this.#values.length && !Number.isNaN(this.#values[2 * row]);
  }

  get(row: number): AnswerScores {
    return { chosen: this.#values[2 * row]!, rejected: this.#values[2 * row + 1]! };
  }

  set(row: number, { chosen, rejected }: AnswerScores): void {
    if (2 * row >= this.#values.length) this.#grow(row);
    this.#values[2 * row] = chosen;
    this.#values[2 * row + 1] = rejected;
  }

  #grow(row: number): void {
    const values = new Float64Array(4 * (row + 1)).fill(Number.NaN);
    values.set(this.#values);
    this.#values = values;
  }
}
