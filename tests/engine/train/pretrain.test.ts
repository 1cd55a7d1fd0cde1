// Real training of all weights of a tiny model.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openModel, parseModelConfig, weightParameters } from '../../../lib/engine/model/index.js';
import { type Example, toPass } from '../../../lib/engine/train/packing.js';
import {
  exportModel,
  initializeWeights,
  type PretrainJob,
  pretrain,
} from '../../../lib/engine/train/pretrain.js';
import { createState } from '../../../lib/engine/train/state.js';
import { createPretrainingRunner } from '../../../lib/engine/train/step-runner.js';
import type { TrainEvent } from '../../../lib/engine/train/train-event.js';
import { openWeightsFile } from '../../../lib/engine/weights/index.js';
import { GOLDEN_MODELS, openGoldenModel } from '../../support/golden-models.js';
import { createRandom } from '../../support/random.js';

const CONFIG = {
  model_type: 'llama',
  hidden_size: 32,
  intermediate_size: 48,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  hidden_act: 'silu',
  rms_norm_eps: 1e-5,
  max_position_embeddings: 64,
  vocab_size: 40,
  tie_word_embeddings: true,
};
const config = parseModelConfig(CONFIG, 'config.json');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-pretrain-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Rows that count on from where they start. */
function rowsOf(step: number, vocabulary = 40): Example[] {
  const random = createRandom(step + 1);
  return [0, 1].map(() => {
    const first = Math.floor(random.next() * vocabulary);
    const ids = Int32Array.from({ length: 16 }, (_, i) => (first + i) % vocabulary);
    return { ids, supervised: Array.from(ids, () => true) };
  });
}

function job(rest: Partial<PretrainJob> = {}): PretrainJob {
  return {
    config,
    totalSteps: 60,
    examplesOf: step => rowsOf(step),
    dataset: 'counting',
    longestRow: 16,
    evaluation: rowsOf(1_000_000),
    options: {
      learningRate: 1e-2,
      schedule: 'cosine',
      warmupSteps: 4,
      weightDecay: 0.01,
      maxGradientNorm: 1,
      loggingSteps: 5,
      saveSteps: 20,
      evalSteps: null,
      keepCheckpoints: 1,
      seed: 1,
      threads: 1,
      provider: 'cpu',
    },
    folder,
    ...rest,
  };
}

async function collect(events: AsyncIterable<TrainEvent>): Promise<TrainEvent[]> {
  const all: TrainEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const losses = (events: readonly TrainEvent[]) =>
  events.flatMap(event => (event.type === 'log' ? [[event.step, event.loss]] : []));

describe('training all weights', () => {
  it('learns from scratch and generalizes to unseen rows', async () => {
    const events = await collect(pretrain(job({ totalSteps: 150 })));
    const curve = losses(events).map(([, loss]) => loss!);
    expect(curve[0]).toBeGreaterThan(3);
    expect(curve.at(-1)).toBeLessThan(0.6);
    expect(events.at(-1)).toMatchObject({ type: 'completed', metrics: { evalLoss: expect.any(Number) } });
    const last = events.at(-1)!;
    expect(last.type === 'completed' && last.metrics.evalLoss).toBeLessThan(0.8);
  });

  it('resumes after a stop with exactly the losses of an uninterrupted run', async () => {
    const whole = await collect(pretrain(job({ folder: join(folder, 'whole') })));
    const pause = new AbortController();
    const first: TrainEvent[] = [];
    for await (const event of pretrain(job({ pause: pause.signal }))) {
      first.push(event);
      if (event.type === 'log' && event.step === 30) pause.abort();
    }
    expect(first.slice(-2)).toMatchObject([{ type: 'checkpoint' }, { type: 'paused' }]);
    const second = await collect(pretrain(job()));
    expect(second[0]).toMatchObject({ type: 'started', resumedFromStep: expect.any(Number) });
    expect([...losses(first), ...losses(second)]).toEqual(losses(whole));
  });

  it('writes a model that opens, in half precision, too', async () => {
    const events = await collect(pretrain(job({ totalSteps: 3 })));
    const last = events.at(-1)!;
    const out = join(folder, 'model');
    await mkdir(out);
    await writeFile(join(out, 'config.json'), JSON.stringify(CONFIG));
    await exportModel(config, last.type === 'completed' ? last.folder : '', out, 'BF16');
    const { place } = await openModel(out);
    expect(place('model.norm.weight')).toMatchObject({ dtype: 'bfloat16', shape: [32] });
    const [exact, halves] = await Promise.all(
      [join(folder, 'final'), out].map(async at =>
        (await openWeightsFile(join(at, 'model.safetensors'))).readFloat32('model.embed_tokens.weight'),
      ),
    );
    const off = exact!.map((value, i) => Math.abs(value - halves![i]!) / (Math.abs(value) + 1e-6));
    expect(Math.max(...off)).toBeLessThan(2 ** -8);
  });
});

describe.each(GOLDEN_MODELS)('the gradients of every weight of %s', name => {
  it('match finite differences', async () => {
    const golden = await openGoldenModel(name);
    const state = createState(weightParameters(golden.config));
    initializeWeights(state, golden.config, 3);
    for (const { name: weight, shape: of } of state.parameters)
      if (of.length === 2) state.views[weight]!.set(state.views[weight]!.map(value => value * 6));
    const gradient = createState(state.parameters);
    const runner = await createPretrainingRunner(golden.config, 32, { threads: 1 });
    const pass = toPass(
      rowsOf(1, 300).map(row => [row]),
      1 / 30,
    );
    await runner.run(pass, state, gradient, []);
    const ignored = createState(state.parameters);
    const random = createRandom(4);
    for (const { name: weight } of state.parameters) {
      const direction = random.normal(state.views[weight]!.length);
      const view = state.views[weight]!;
      const before = view.slice();
      const lossAt = (distance: number) => {
        view.set(before.map((value, i) => value + distance * direction[i]!));
        return runner.run(pass, state, ignored, []);
      };
      const reach = 2e-3 / Math.sqrt(direction.length / 100);
      const measured = ((await lossAt(reach)) - (await lossAt(-reach))) / (2 * reach);
      view.set(before);
      const analytic = gradient.views[weight]!.reduce((sum, value, i) => sum + value * direction[i]!, 0);
      expect(Math.abs(measured - analytic), weight).toBeLessThan(0.03 * Math.abs(analytic) + 2e-3);
    }
    await runner.close();
  });
});
