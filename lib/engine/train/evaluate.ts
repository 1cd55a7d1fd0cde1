// Computes the mean loss over held-out examples, a few thousand at a time. The graph is built for the first evaluation
// and has no backward pass.
import { setImmediate } from 'node:timers/promises';
import type { Metrics } from './objective.js';
import { countLabels, type Example, type ExampleSet, examplesOf, packExamples, toPass } from './packing.js';
import type { LossRunner } from './runners.js';
import { sumOf, toSoftPass } from './soft.js';
import type { ParameterState } from './state.js';

/** The most that is packed together. */
const ROWS_AT_ONCE = 8192;
const TOKENS_AT_ONCE = 4_000_000;
/** Yields to the event loop after this many rows. */
const ROWS_PER_TURN = 50;

export interface Evaluation {
  /** Null where nothing but metrics is measured. */
  loss: number | null;
  /** The best checkpoint has the lowest. Default: the loss. */
  rank?: number;
  metrics?: Metrics;
}

export interface Evaluator {
  /** After this step. */
  run(state: ParameterState, signal?: AbortSignal, step?: number): Promise<Evaluation>;
  close(): Promise<void>;
}

/** `softWeight`: of how far labels are from what a teacher expected; 0 if that is not learned. */
export function createEvaluator(
  examples: ExampleSet,
  createRunner: () => Promise<LossRunner>,
  softWeight = 0,
): Evaluator {
  let runner: LossRunner | undefined;
  const isSoft = softWeight > 0;

  return {
    async run(state, signal) {
      runner ??= await createRunner();
      let [mean, counted, divergence] = [0, 0, 0];
      let isTaught = false;
      for await (const chunk of chunksOf(examples, signal)) {
        const labels = chunk.reduce((sum, example) => sum + countLabels(example), 0);
        let loss = 0;
        for (const packed of packExamples(chunk, runner)) {
          signal?.throwIfAborted();
          const pass = isSoft ? toSoftPass(packed, labels, softWeight) : toPass(packed, 1 / labels);
          loss += await runner.run(pass, state, (_, divergences) => {
            if (divergences) divergence += sumOf(divergences);
          });
        }
        counted += labels;
        isTaught ||= chunk.some(({ soft }) => soft !== undefined);
        mean += (loss - mean) * (labels / counted);
      }
      // Rows without a teacher's probabilities have no distance from it.
      return { loss: mean, ...(isSoft && isTaught && { metrics: { softLoss: divergence / counted } }) };
    },
    close: async () => runner?.close(),
  };
}

/** Yields to the event loop in between, since reading an example may encode it. */
export async function* chunksOf(
  examples: ExampleSet,
  signal: AbortSignal | undefined,
): AsyncGenerator<Example[]> {
  let chunk: Example[] = [];
  let tokens = 0;
  for (const example of examplesOf(examples)) {
    if (chunk.length === ROWS_AT_ONCE || tokens + example.ids.length > TOKENS_AT_ONCE) {
      yield chunk;
      [chunk, tokens] = [[], 0];
    }
    chunk.push(example);
    tokens += example.ids.length;
    if (chunk.length % ROWS_PER_TURN === 0) {
      await setImmediate();
      signal?.throwIfAborted();
    }
  }
  if (chunk.length > 0) yield chunk;
}
