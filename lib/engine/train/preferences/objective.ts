// Direct preference optimization as the objective of a run.
import type { ExampleSet } from '../example-set.js';
import type { Objective } from '../objective.js';
import type { PreferenceMethod } from '../options.js';
import { countLabels, type Example } from '../packing.js';
import type { StepPlan } from '../steps.js';
import { comparePair, type PairResult, scoreAnswers, toMetrics, toPairPass } from './pairs.js';
import { createReference, type ReferenceModel } from './reference.js';

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
    async prepare(pairs, signal) {
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
export function countChosen({ supervised, chosen = 0 }: Example): number {
  let count = 0;
  for (let i = 1; i < chosen; i++) if (supervised[i]) count++;
  return count;
}
