// Training, measured in a process of its own: `tsx measure.ts MODEL_FOLDER SHAPE ROWS WEIGHTS` says what it trains. Then,
// for each line that it is sent, it takes a step, and the products of a step alone. A step is what a run does: its
// passes, the sum of the gradients, and AdamW.
import { createInterface } from 'node:readline';
import { sizeOf } from '../../../lib/engine/graph/index.js';
import type { WeightPrecision } from '../../../lib/engine/index.js';
import { buildTrainingGraph, MODULES, openModel } from '../../../lib/engine/model/index.js';
import { createSession } from '../../../lib/engine/runtime/index.js';
import { ADAMW_DEFAULTS, createAdamWState, stepAdamW } from '../../../lib/engine/train/adamw.js';
import { initializeLora } from '../../../lib/engine/train/initialize.js';
import { longestLine, packExamples, toPass } from '../../../lib/engine/train/packing.js';
import { createAdapterState, createStepRunner } from '../../../lib/engine/train/step-runner.js';
import { productsOf } from './products.js';
import { BENCH_SHAPES, type RowKind, rowsOf } from './shapes.js';

const LORA = { rank: 16, scaling: 2, modules: MODULES };

export interface Introduction {
  tokens: number;
  passes: string;
  sessionMs: number;
  peakMB: number;
}

export interface Round {
  stepMs: number;
  productsMs: number;
}

const [folder, shapeName, kind, weights] = process.argv.slice(2) as [
  string,
  string,
  RowKind,
  WeightPrecision,
];
const shape = BENCH_SHAPES.find(({ name }) => name === shapeName)!;
const examples = rowsOf(shape, kind);
const model = await openModel(folder);
const passes = packExamples(examples).map(lines => toPass(lines, 1e-3));
const longest = longestLine(shape.sequence);
const state = createAdapterState(model, LORA);
initializeLora(state, 1);
const gradient = createAdapterState(model, LORA);
const optimizer = createAdamWState(state.values.length);

const opened = performance.now();
const runner = await createStepRunner(model, LORA, longest, { dropout: 0, threads: undefined, weights });
const sessionMs = performance.now() - opened;
const takeStep = async (round: number) => {
  gradient.values.fill(0);
  for (const pass of passes) await runner.run(pass, state, gradient, [round]);
  stepAdamW(state.values, gradient.values, optimizer, 1e-4, ADAMW_DEFAULTS);
};
await takeStep(0);
const peak = process.resourceUsage().maxRSS;

const products = productsOf(buildTrainingGraph(model.config, model.weights, LORA, longest).graph, passes[0]!);
const alone = await createSession(products, { spinning: true, weights });
const feeds = Object.fromEntries(
  products.inputs.map(({ name, shape: size }) => [
    name,
    new Float32Array(sizeOf(size as readonly number[])).fill(0.01),
  ]),
);

const say = (line: Introduction | Round) => console.log(JSON.stringify(line));
say({
  tokens: examples.reduce((sum, { ids }) => sum + ids.length, 0),
  passes: passes
    .map(({ lines, labels }) => `${lines.count}x${lines.length}, ${labels.length} labels`)
    .join('; '),
  sessionMs,
  peakMB: peak / 1000,
});
let round = 0;
for await (const _ of createInterface({ input: process.stdin })) {
  const stepMs = await time(() => takeStep(round++));
  const productsMs = await time(async () => {
    for (const _ of passes) await alone.run(feeds);
  });
  say({ stepMs, productsMs });
}
await runner.close();
await alone.close();

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
