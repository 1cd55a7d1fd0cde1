// Evaluates on held-out pairs of answers: the mean loss, and how often and by how much the chosen answer is preferred. The
// reference is computed with the first evaluation.
import { chunksOf, type Evaluator } from '../evaluate.js';
import type { ExampleSet } from '../example-set.js';
import type { PreferenceMethod } from '../options.js';
import { countChosen } from './objective.js';
import { type AnswerScores, comparePair, type PairResult, toMetrics } from './pairs.js';
import { type ReferenceModel, scoreByReference, scorePairs } from './reference.js';

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
