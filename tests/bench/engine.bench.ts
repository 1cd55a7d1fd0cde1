// Training speed: tokens a second, next to the time that the step's own matrix products take alone in the same process.
import { rm } from 'node:fs/promises';
import { sizeOf } from '../../lib/engine/graph/index.js';
import { buildTrainingGraph, MODULES, type ModelSource } from '../../lib/engine/model/index.js';
import { createSession } from '../../lib/engine/runtime/index.js';
import { initializeLora } from '../../lib/engine/train/initialize.js';
import { type Example, packExamples, toPass } from '../../lib/engine/train/packing.js';
import { choosePassShape } from '../../lib/engine/train/pass-shape.js';
import { createAdapterState, createStepRunner } from '../../lib/engine/train/step-runner.js';
import { measurePeer } from './engine/peer.js';
import { productsOf } from './engine/products.js';
import { BENCH_SHAPES, type BenchShape, chatRows, fullRows, writeRandomModel } from './engine/shapes.js';

export const name = 'engine';

const LORA = { rank: 16, scaling: 2, modules: MODULES };

export async function run(): Promise<Array<Record<string, string | number>>> {
  const results: Array<Record<string, string | number>> = [];
  const wanted = process.env.SVC_BENCH_SHAPES?.split(',') ?? BENCH_SHAPES.map(shape => shape.name);
  for (const shape of BENCH_SHAPES.filter(({ name: known }) => wanted.includes(known))) {
    const model = await writeRandomModel(shape);
    try {
      for (const [rows, examples] of [
        ['full', fullRows(shape)],
        ['chat', chatRows(shape)],
      ] as const) {
        const ours = await measure(shape, model, rows, examples);
        const peer = await measurePeer(model.folder, examples);
        results.push({ ...ours, ...comparison(ours['tokens/s'], peer) });
      }
    } finally {
      await rm(model.folder, { recursive: true });
    }
  }
  return results;
}

async function measure(shape: BenchShape, model: ModelSource, rows: string, examples: readonly Example[]) {
  const passShape = choosePassShape(examples, examples.length);
  const passes = packExamples(examples, passShape).map(lines => toPass(lines, passShape, 1e-3));
  const state = createAdapterState(model, LORA);
  initializeLora(state, 1);
  const gradient = createAdapterState(model, LORA);

  const beforeSession = performance.now();
  const runner = await createStepRunner(model, LORA, passShape, { dropout: 0, threads: undefined });
  const sessionMs = performance.now() - beforeSession;
  const { graph } = buildTrainingGraph(model.config, model.place, LORA, passShape);
  const products = productsOf(graph);
  const alone = await createSession(products, { spinning: true });
  const feeds = Object.fromEntries(
    products.inputs.map(({ name: input, shape: size }) => [
      input,
      new Float32Array(sizeOf(size as readonly number[])).fill(0.01),
    ]),
  );

  const steps: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < 6; round++) {
    steps.push(
      await time(async () => {
        for (const pass of passes) await runner.run(pass, state, gradient, [round]);
      }),
    );
    bare.push(
      await time(async () => {
        for (const _ of passes) await alone.run(feeds);
      }),
    );
  }
  await runner.close();
  await alone.close();
  const tokens = passes.reduce((sum, pass) => sum + pass.tokens, 0);
  const [step, product] = [median(steps), median(bare)];
  return {
    shape: shape.name,
    rows,
    tokens,
    'pass shape': `${passes.length} x ${passShape.batch}x${passShape.sequence}/${passShape.labels}`,
    'step ms': Math.round(step),
    'tokens/s': Math.round((tokens / step) * 1000),
    'products ms': Math.round(product),
    ratio: median(steps.map((ms, i) => ms / bare[i]!)).toFixed(2),
    'session ms': Math.round(sessionMs),
    'rss MB': Math.round(process.memoryUsage().rss / 1e6),
  };
}

function comparison(ours: number, peer: number | null): Record<string, string | number> {
  if (peer === null) return { 'PyTorch tokens/s': 'no torch and peft here', 'times PyTorch': '-' };
  return { 'PyTorch tokens/s': Math.round(peer), 'times PyTorch': (ours / peer).toFixed(2) };
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.slice(1).sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)]!;
}
