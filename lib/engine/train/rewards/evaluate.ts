// Evaluates by rewards: the likeliest answer to each held-out prompt.
import { chunksOf, type Evaluator } from '../evaluate.js';
import type { Example, ExampleSet } from '../packing.js';
import { meanOf } from './advantages.js';
import { checkRewards, meanParts, type Score, toGroup } from './objective.js';
import type { RewardedRow, Rollout } from './rollouts.js';

interface EvaluatorParts {
  rowOf(prompt: Example): RewardedRow;
  sample(
    prompts: readonly { prompt: Example; row: RewardedRow }[],
    signal: AbortSignal | undefined,
  ): Promise<Rollout[]>;
  score: Score;
}

export function createRewardEvaluator(
  prompts: ExampleSet,
  { rowOf, sample, score }: EvaluatorParts,
): Evaluator {
  const rowOfIndex = (index: number) => prompts.rowOf?.(index) ?? index;
  const numbered: ExampleSet = {
    length: prompts.length,
    at(index) {
      const prompt = prompts.at(index);
      return prompt ? { ...prompt, row: rowOfIndex(index) } : null;
    },
  };
  return {
    async run(_, signal, step = 0) {
      const known: { reward: number; parts?: Record<string, number> }[] = [];
      for await (const chunk of chunksOf(numbered, signal)) {
        const rollouts = await sample(
          chunk.map(prompt => ({ prompt, row: rowOf(prompt) })),
          signal,
        );
        const given = await score({ step, groups: rollouts.map(toGroup) }, signal);
        for (const one of checkRewards(given, rollouts).flat()) if (!('error' in one)) known.push(one);
      }
      const reward = meanOf(known.map(one => one.reward));
      return { loss: null, rank: -reward, metrics: { reward, ...meanParts(known) } };
    },
    // What it samples with belongs to the objective.
    async close() {},
  };
}
