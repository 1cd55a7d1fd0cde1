// Answers on the CPU and on the GPU: whether both expect the same tokens, and how fast they are.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sessionBytes } from '../../generate/cache-budget.js';
import { createGenerator, type Generator, type TextDecoding } from '../../generate/index.js';
import type { WeightSetting } from '../../int8/index.js';
import { type ModelConfig, type ModelSource, withLayers } from '../../model/index.js';
import { createRandom } from '../../random.js';
import type { ProviderName } from '../../runtime/index.js';
import { decideWeights, openWeights } from '../open-weights.js';
import { compare, isRounding, miniatureOf } from '../provider-check.js';
import { openHalf } from './half-weights.js';
import { createRandomModel, TINY_MODELS } from './random-model.js';
import type { Comparison } from './training.js';

/** One text alone, and as many as a cloud answers at once. */
export interface AnswerSpeeds<Speed = number> {
  one: Speed;
  many: Speed;
}

const SEED = 19;
const MANY = 8;

/** By the log probabilities of prompts and answers, also of a miniature of this model; those on the CPU are with weights in float32. */
export async function compareAnswers(
  model: ModelConfig,
  provider: ProviderName,
  weights: 'f32' | 'f16' = 'f32',
): Promise<Comparison> {
  const differences: number[] = [];
  for (const config of [...TINY_MODELS, miniatureOf(model)]) {
    const source = createRandomModel(config);
    const right = await scoreTokens(source, 'cpu');
    const found = await scoreTokens(weights === 'f16' ? await openHalf(source) : source, provider);
    differences.push(compare(right, found));
  }
  const difference = Math.max(...differences);
  return { difference, isRight: isRounding(difference) };
}

async function scoreTokens(model: ModelSource, provider: ProviderName): Promise<Float32Array> {
  const generator = openGenerator(model, provider);
  try {
    // The second one joins the first.
    const found = await Promise.all(
      createPrompts(model.config, 2, 20).map(ids => scoreAnswer(generator, ids)),
    );
    return Float32Array.from(found.flat());
  } finally {
    await generator.close();
  }
}

async function scoreAnswer(generator: Generator, promptIds: readonly number[]): Promise<number[]> {
  const request = { promptIds, adapter: null, maxTokens: 6, temperature: 0, logprobs: 0, echo: '' };
  const found: number[] = [];
  for await (const piece of generator.complete(request))
    if ('logprobs' in piece) found.push(...piece.logprobs!.map(({ logprob }) => logprob ?? 0));
  return found;
}

const [PROMPT, ANSWER] = [128, 16];

/** Tokens a second of answers, with the time that their prompts take. */
export async function measureAnswers(
  model: ModelSource,
  provider: ProviderName,
  weights: WeightSetting = 'f32',
): Promise<AnswerSpeeds> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-device-'));
  const part = firstLayers(model);
  const place = { folder, provider };
  const opened = await openWeights(part, await decideWeights(part, weights, place), {
    ...place,
    trains: false,
  });
  const generator = openGenerator(opened, provider);
  try {
    const prompts = createPrompts(part.config, 3 + MANY, Math.min(PROMPT, part.config.maxPositions - ANSWER));
    // The first answers also open the model and compile kernels.
    await answerAll(generator, prompts.slice(0, 2));
    const one = await answerAll(generator, prompts.slice(2, 3));
    return { one, many: await answerAll(generator, prompts.slice(3)) };
  } finally {
    await generator.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const MOST_BYTES = 2 ** 30;

/** So many that the output layer weighs little more than in the whole model. */
function firstLayers(model: ModelSource): ModelSource {
  const { layers } = model.config;
  const bytes = bytesOf(model.config);
  const fixed = bytesOf(withLayers(model.config, 0));
  const fitting = Math.floor((MOST_BYTES - fixed) / ((bytes - fixed) / layers));
  return { ...model, config: withLayers(model.config, Math.max(1, Math.min(layers, fitting))) };
}

const bytesOf = (config: ModelConfig) =>
  sessionBytes({ config, bytesPerWeight: Float32Array.BYTES_PER_ELEMENT });

async function answerAll(generator: Generator, prompts: readonly number[][]): Promise<number> {
  const start = performance.now();
  await Promise.all(prompts.map(promptIds => readAll(generator, promptIds)));
  return (1000 * prompts.length * ANSWER) / (performance.now() - start);
}

async function readAll(generator: Generator, promptIds: readonly number[]): Promise<void> {
  for await (const _ of generator.generate({ promptIds, maxTokens: ANSWER, temperature: 0 }));
}

/** Its tokens have no text, so that none ends an answer. */
const text: TextDecoding = {
  endIds: [],
  vocabSize: 0,
  createStreamDecoder: () => ({ push: () => '', flush: () => '' }),
  isSpecial: () => false,
  bytesOf: () => new Uint8Array(),
};

function openGenerator(model: ModelSource, provider: ProviderName): Generator {
  return createGenerator({ ...model, text, context: PROMPT + ANSWER, maxBatch: MANY, session: { provider } });
}

function createPrompts({ vocabulary }: ModelConfig, count: number, length: number): number[][] {
  const random = createRandom(SEED);
  return Array.from({ length: count }, () =>
    Array.from({ length }, () => Math.floor(random.next() * vocabulary)),
  );
}
