// One measurement in a process of its own: `tsx measure.ts MODEL_FOLDER SHAPE ROWS`, answered as JSON. A step is what a
// run does: its passes, the sum of the gradients, and AdamW.
import { sizeOf } from '../../../lib/engine/graph/index.js';
import { buildTrainingGraph, MODULES, openModel } from '../../../lib/engine/model/index.js';
import { createSession } from '../../../lib/engine/runtime/index.js';
import { ADAMW_DEFAULTS, createAdamWState, stepAdamW } from '../../../lib/engine/train/adamw.js';
import { initializeLora } from '../../../lib/engine/train/initialize.js';
import { packExamples, toPass } from '../../../lib/engine/train/packing.js';
import { choosePassShape } from '../../../lib/engine/train/pass-shape.js';
import { createAdapterState, createStepRunner } from '../../../lib/engine/train/step-runner.js';
import { productsOf } from './products.js';
import { BENCH_SHAPES, type RowKind, rowsOf } from './shapes.js';

const LORA = { rank: 16, scaling: 2, modules: MODULES };
const ROUNDS = 7;

const [folder, shapeName, kind] = process.argv.slice(2) as [string, string, RowKind];
const shape = BENCH_SHAPES.find(({ name }) => name === shapeName)!;
const examples = rowsOf(shape, kind);
const model = await openModel(folder);
const passShape = choosePassShape(examples, examples.length);
const passes = packExamples(examples, passShape).map(lines => toPass(lines, passShape, 1e-3));
const state = createAdapterState(model, LORA);
initializeLora(state, 1);
const gradient = createAdapterState(model, LORA);
const optimizer = createAdamWState(state.values.length);

const opened = performance.now();
const runner = await createStepRunner(model, LORA, passShape, { dropout: 0, threads: undefined });
const sessionMs = performance.now() - opened;
const takeStep = async (round: number) => {
  gradient.values.fill(0);
  for (const pass of passes) await runner.run(pass, state, gradient, [round]);
  stepAdamW(state.values, gradient.values, optimizer, 1e-4, ADAMW_DEFAULTS);
};
await takeStep(0);
const peak = process.resourceUsage().maxRSS;

const products = productsOf(buildTrainingGraph(model.config, model.place, LORA, passShape).graph);
const alone = await createSession(products, { spinning: true });
const feeds = Object.fromEntries(
  products.inputs.map(({ name, shape: size }) => [
    name,
    new Float32Array(sizeOf(size as readonly number[])).fill(0.01),
  ]),
);

const steps: number[] = [];
const bare: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  steps.push(await time(() => takeStep(round)));
  bare.push(
    await time(async () => {
      for (const _ of passes) await alone.run(feeds);
    }),
  );
}
const tokens = passes.reduce((sum, pass) => sum + pass.tokens, 0);
const step = median(steps);
console.log(
  JSON.stringify({
    tokens,
    'pass shape': `${passes.length} x ${passShape.batch}x${passShape.sequence}, ${passShape.labels} labels`,
    'step ms': Math.round(step),
    'tokens/s': Math.round((tokens / step) * 1000),
    'products ms': Math.round(median(bare)),
    'step / products': median(steps.map((ms, i) => ms / bare[i]!)).toFixed(2),
    'session ms': Math.round(sessionMs),
    'peak MB': Math.round(peak / 1000),
  }),
);
await runner.close();
await alone.close();

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}
