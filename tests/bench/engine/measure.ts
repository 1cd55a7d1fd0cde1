// Training, measured in a process of its own: `tsx measure.ts MODEL_FOLDER WORK WEIGHTS` says what it trains, which is
// WORK/rows.json. Then,
// for each line that it is sent, it takes a step, and the products of a step alone. A step is what a run does: its
// passes, the sum of the gradients, and AdamW.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { TRAINING_DEFAULTS } from '../../../lib/contract/index.js';
import { sizeOf } from '../../../lib/engine/graph/graph.js';
import type { WeightPrecision } from '../../../lib/engine/int8/index.js';
import { buildTrainingGraph, MODULES, openModel } from '../../../lib/engine/model/index.js';
import { createSession } from '../../../lib/engine/runtime/index.js';
import { createLearned } from '../../../lib/engine/train/adam-w.js';
import { openWeights } from '../../../lib/engine/train/index.js';
import { longestLine, packExamples, toPass } from '../../../lib/engine/train/packing.js';
import { createAdapterState, initializeLora } from '../../../lib/engine/train/state.js';
import { createStepRunner } from '../../../lib/engine/train/step-runner.js';
import { productsOf } from './products.js';

const LORA = { rank: 16, scaling: 2, modules: MODULES };

export interface Introduction {
  tokens: number;
  passes: string;
  /** Rounding the weights, which is done once for a model. */
  roundingMs: number;
  /** Every later start. */
  sessionMs: number;
  peakMB: number;
}

export interface Round {
  stepMs: number;
  productsMs: number;
}

const [folder, work, weights] = process.argv.slice(2) as [string, string, WeightPrecision];
const rows = JSON.parse(await readFile(join(work, 'rows.json'), 'utf8')) as {
  ids: number[];
  supervised: number[];
}[];
const examples = rows.map(({ ids, supervised }) => ({ ids, supervised: supervised.map(Boolean) }));
const stored = await openModel(folder);
const open = () => openWeights(stored, weights, { folder: join(work, 'rounded'), trains: true });

const begun = performance.now();
const model = await open();
const roundingMs = performance.now() - begun;
const longest = longestLine(Math.max(...examples.map(({ ids }) => ids.length)));
const state = createAdapterState(model, LORA);
initializeLora(state, 1);

const opened = performance.now();
const runner = await createStepRunner(await open(), LORA, longest, createLearned(state), {
  dropout: 0,
  threads: undefined,
});
const sessionMs = performance.now() - opened;
const passes = packExamples(examples, runner).map(lines => toPass(lines, 1e-3));
const takeStep = async (round: number) => {
  for (const pass of passes) await runner.run(pass, [round]);
  await runner.update({
    ...TRAINING_DEFAULTS,
    learningRate: 1e-4,
    maxGradNorm: Number.POSITIVE_INFINITY,
  });
};
await takeStep(0);
const peak = process.resourceUsage().maxRSS;

const products = productsOf(buildTrainingGraph(model.config, model.weights, LORA, longest).graph, passes[0]!);
const alone = await createSession(products, { spinning: true });
const feeds = Object.fromEntries(
  products.inputs.map(({ name, dtype, shape: size }) => {
    const count = sizeOf(size as readonly number[]);
    return [name, dtype === 'uint8' ? new Uint8Array(count).fill(129) : new Float32Array(count).fill(0.01)];
  }),
);

const say = (line: Introduction | Round) => console.log(JSON.stringify(line));
say({
  tokens: examples.reduce((sum, { ids }) => sum + ids.length, 0),
  passes: passes
    .map(({ lines, labels }) => `${lines.count}x${lines.length}, ${labels.length} labels`)
    .join('; '),
  roundingMs,
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
