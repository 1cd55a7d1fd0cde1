// The mean loss over held-out examples, which are taken some thousands at a time. The graph is made at the first
// evaluation, and has no way back.
import { setImmediate } from 'node:timers/promises';
import { type ExampleSet, examplesOf } from './example-set.js';
import { countLabels, type Example, type PassShape, packExamples, toPass } from './packing.js';
import { choosePassShape, growShape } from './pass-shape.js';
import type { ParameterState } from './state.js';
import type { LossRunner } from './step-runner.js';

const ROWS_A_PASS = 16;
/** What is packed together, at most. */
const ROWS_AT_ONCE = 8192;
const TOKENS_AT_ONCE = 4_000_000;
/** After so many rows others get their turn. */
const BREATH = 50;

export interface Evaluator {
  run(state: ParameterState, signal?: AbortSignal): Promise<number>;
  close(): Promise<void>;
}

export function createEvaluator(
  examples: ExampleSet,
  createRunner: (shape: PassShape) => Promise<LossRunner>,
): Evaluator {
  let opened: { shape: PassShape; runner: LossRunner } | undefined;

  async function open(signal: AbortSignal | undefined) {
    const shape = await chooseShape(examples, signal);
    return { shape, runner: await createRunner(shape) };
  }

  return {
    async run(state, signal) {
      opened ??= await open(signal);
      const { shape, runner } = opened;
      let mean = 0;
      let counted = 0;
      for await (const portion of portionsOf(examples, signal)) {
        const labels = portion.reduce((sum, example) => sum + countLabels(example), 0);
        let loss = 0;
        for (const lines of packExamples(portion, shape)) {
          signal?.throwIfAborted();
          loss += await runner.run(toPass(lines, shape, 1 / labels), state);
        }
        counted += labels;
        mean += (loss - mean) * (labels / counted);
      }
      return mean;
    },
    close: async () => opened?.runner.close(),
  };
}

/** A good shape for the first portion, in which all the others fit. */
async function chooseShape(examples: ExampleSet, signal: AbortSignal | undefined): Promise<PassShape> {
  let shape: PassShape | undefined;
  for await (const portion of portionsOf(examples, signal)) {
    shape ??= choosePassShape(portion, ROWS_A_PASS);
    shape = growShape(shape, portion, Number.POSITIVE_INFINITY);
  }
  if (!shape) throw new Error('There are no rows to evaluate on.');
  return shape;
}

/** They may have to be encoded first, which others wait for meanwhile. */
async function* portionsOf(examples: ExampleSet, signal: AbortSignal | undefined): AsyncGenerator<Example[]> {
  let portion: Example[] = [];
  let tokens = 0;
  for (const example of examplesOf(examples)) {
    if (portion.length === ROWS_AT_ONCE || tokens + example.ids.length > TOKENS_AT_ONCE) {
      yield portion;
      [portion, tokens] = [[], 0];
    }
    portion.push(example);
    tokens += example.ids.length;
    if (portion.length % BREATH === 0) {
      await setImmediate();
      signal?.throwIfAborted();
    }
  }
  if (portion.length > 0) yield portion;
}
