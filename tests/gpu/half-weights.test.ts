// With weights in float16, a GPU learns and answers what it does in float32, to the bit again after a stop, and with activations that
// float16 does not hold. SwiftShader has no float16: `npm run test:gpu -- --lavapipe half-weights`.
import { describe, expect, it, onTestFinished } from 'vitest';
import { startProbe, startServing } from '../../lib/engine/index.js';
import { buildLayersGraph, type ModelSource, openModel, STREAM } from '../../lib/engine/model/index.js';
import type { ServeTask } from '../../lib/engine/process/messages.js';
import { compute } from '../../lib/engine/runtime/index.js';
import { openWeights } from '../../lib/engine/train/index.js';
import { toInputs, toPass } from '../../lib/engine/train/packing.js';
import { tinyModel } from '../engine/tiny-model.js';
import { askServing } from '../support/ask-serving.js';
import { copyChanged, copyWithLargeActivations } from '../support/changed-models.js';
import { GOLDEN_MODELS, openGoldenModel } from '../support/golden-models.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { answer, expectAlike } from './answer.js';
import { expectSame, learn } from './learn.js';

const options = { weights: 'f16', saveSteps: 4 } as const;

/** Models are stored in 16 bits, so that nothing is rounded. */
async function openInHalf(name: string): Promise<ModelSource> {
  const folder = temporaryFolder('svc-half');
  await copyChanged((await openGoldenModel(name)).folder, folder, () => {}, 'F16');
  return openModel(folder);
}

describe.each(GOLDEN_MODELS)('%s with weights in float16', name => {
  it('learns the same, and goes on from a checkpoint to the bit', async () => {
    const model = await openInHalf(name);
    const whole = await learn({ model, provider: 'webgpu', options });
    expectSame(whole, await learn({ model, provider: 'cpu' }));
    const folder = temporaryFolder('svc-gpu');
    const first = await learn({ model, provider: 'webgpu', options, folder, stopsAt: 4 });
    // The precision is the checkpoint's.
    const second = await learn({ model, provider: 'webgpu', options: { saveSteps: 4 }, folder });
    expect(new Map([...first, ...second])).toEqual(whole);
  });

  it('is rounded if it is stored in float32', async () => {
    const model = await openGoldenModel(name);
    const right = await learn({ model, provider: 'cpu' });
    const found = await learn({ model, provider: 'webgpu', options });
    const apart = [...right].map(([step, loss]) => Math.abs(found.get(step)! / loss - 1));
    expect(Math.max(...apart)).toBeGreaterThan(1e-6);
    expect(Math.max(...apart)).toBeLessThan(5e-3);
  });
});

it.each(GOLDEN_MODELS)('%s with weights in float16 answers the same', async name => {
  const model = await openInHalf(name);
  const half = await openWeights(model, 'f16', { folder: '', provider: 'webgpu', trains: false });
  const found = await answer(name, { ...half, session: { provider: 'webgpu' } });
  expectAlike(found, await answer(name, model));
});

/** The largest number in the residual stream after the first layer. */
async function largestActivation({ config, weights }: ModelSource): Promise<number> {
  const ids = Array.from({ length: 16 }, (_, i) => (i * 7) % config.vocabulary);
  const inputs = toInputs(toPass([[{ ids, supervised: ids.map(() => true) }]], 1), config);
  const graph = buildLayersGraph(config, weights, 64, { from: 0, to: 1 });
  const given = graph.inputs.map(({ name }) => [name, inputs[name]!] as const);
  const stream = (await compute(graph, Object.fromEntries(given)))[STREAM]!;
  return stream.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

it('activations may be larger than float16 holds, as those of Gemma are', async () => {
  const folder = temporaryFolder('svc-large');
  await copyWithLargeActivations((await openGoldenModel('gemma3')).folder, folder);
  const model = await openModel(folder);
  expect(await largestActivation(model)).toBeGreaterThan(65_504);
  const right = await learn({ model, provider: 'cpu' });
  const found = await learn({ model, provider: 'webgpu', options });
  for (const [step, loss] of right) expect(Math.abs(found.get(step)! / loss - 1)).toBeLessThan(5e-3);
});

it('chats have float32 if a weight does not fit into float16, and stay on the GPU', async () => {
  const folder = temporaryFolder('svc-beyond');
  await copyChanged(await tinyModel(), folder, (name, data) => {
    if (name === 'model.layers.0.mlp.down_proj.weight') data[0] = 70_000;
  });
  const asked = { messages: [{ role: 'user', content: 'Which color?' }], maxTokens: 12 };
  const faults: string[] = [];
  const ask = async (task: Pick<ServeTask, 'device' | 'weights'>) => {
    const onLeftGpu = (reason: string) => void faults.push(reason);
    const serving = startServing({ modelFolder: folder, ...task }, { onLeftGpu });
    onTestFinished(() => serving.close());
    return (await askServing(serving, asked)).text;
  };
  const right = await ask({});
  expect(right).toBeTruthy();
  expect(await ask({ device: { type: 'gpu' }, weights: 'f16' })).toBe(right);
  expect(faults).toEqual([]);
});

it('the trial finds that a GPU trains and answers with them as the CPU does', async () => {
  const probe = startProbe({ modelFolder: await tinyModel(), weights: 'f16', measures: 'nothing' });
  const { findings, problem } = await probe.ended;
  expect(problem).toBeNull();
  expect(findings.half?.difference).toBeLessThan(1e-5);
  expect(findings.answering?.difference).toBeLessThan(1e-5);
});
