// The mean loss over held-out examples. Its graph is made at the first evaluation, and has no way back.
import { countLabels, type Example, type PassShape, packExamples, toPass } from './packing.js';
import { choosePassShape } from './pass-shape.js';
import type { ParameterState } from './state.js';
import type { LossRunner } from './step-runner.js';

const ROWS_A_PASS = 16;

export interface Evaluator {
  run(state: ParameterState, signal?: AbortSignal): Promise<number>;
  close(): Promise<void>;
}

export function createEvaluator(
  examples: readonly Example[],
  createRunner: (shape: PassShape) => Promise<LossRunner>,
): Evaluator {
  const shape = choosePassShape(examples, ROWS_A_PASS);
  const labels = examples.reduce((sum, example) => sum + countLabels(example), 0);
  const passes = packExamples(examples, shape);
  let runner: LossRunner | undefined;
  return {
    async run(state, signal) {
      runner ??= await createRunner(shape);
      let loss = 0;
      for (const lines of passes) {
        signal?.throwIfAborted();
        loss += await runner.run(toPass(lines, shape, 1 / labels), state);
      }
      return loss;
    },
    close: async () => runner?.close(),
  };
}
