// What the model without its adapter says about the answers of pairs. It is computed once for each pair, together with the
// pairs that the first epoch takes in the same step: how a pass is packed changes the last bits, and so a resumed run
// computes exactly what the interrupted one had.
import type { ExampleSet } from '../example-set.js';
import { type Example, packExamples, toPass } from '../packing.js';
import type { LossRunner } from '../runners.js';
import type { ParameterState } from '../state.js';
import { createFirstSteps, type StepPlan } from '../steps.js';
import { type AnswerScores, scoreAnswers } from './pairs.js';

/** A runner of losses and an adapter that changes nothing. */
export interface ReferenceModel {
  open(): Promise<LossRunner>;
  adapter: ParameterState;
  close(): Promise<void>;
}

/** Returns a function that gives the scores of the pairs of a step. */
export function createReference(
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

export async function scoreByReference(
  { open, adapter }: ReferenceModel,
  pairs: readonly Example[],
  signal?: AbortSignal,
): Promise<Map<Example, AnswerScores>> {
  return scorePairs(await open(), pairs, adapter, signal);
}

/** The scores of pairs, packed in as many passes as they need. */
export async function scorePairs(
  runner: LossRunner,
  pairs: readonly Example[],
  adapter: ParameterState,
  signal?: AbortSignal,
): Promise<Map<Example, AnswerScores>> {
  const scores = new Map<Example, AnswerScores>();
  for (const lines of packExamples(pairs, runner.passTokens)) {
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
