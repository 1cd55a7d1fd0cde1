// A request that begins like an earlier one gets the same answer as without it, and computes only what follows the whole
// chunks that their prompts share.
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type GenerateRequest,
  type Generator,
  type LoadedAdapter,
  loadAdapter,
} from '../../../lib/engine/generate/index.js';
import { type GoldenModel, openGoldenModel } from '../../support/golden-models.js';
import { openGenerator, readAll, varied } from './golden-generator.js';

let golden: GoldenModel;
let initial: LoadedAdapter;
let trained: LoadedAdapter;
const generators: Generator[] = [];

beforeAll(async () => {
  golden = await openGoldenModel('qwen2');
  initial = await loadAdapter(`${golden.folder}/adapter_init`, golden.config);
  trained = await loadAdapter(`${golden.folder}/adapter_final`, golden.config);
});
afterAll(() => Promise.all(generators.map(generator => generator.close())));

function open(options: Parameters<typeof openGenerator>[1] = {}): Generator {
  const generator = openGenerator(golden, { chunk: 10, ...options });
  generators.push(generator);
  return generator;
}

async function ask(generator: Generator, request: Omit<GenerateRequest, 'maxTokens'>) {
  const { tokenIds, last } = await readAll(generator.generate({ maxTokens: 12, ...varied, ...request }));
  return { tokenIds, cached: last.finishReason ? last.usage.cachedTokens : undefined };
}

const line = (row: number, length: number) => golden.batch.input_ids[row]!.slice(0, length);

it.each(['base', 'adapter'])('the next turn of a chat: %s', async which => {
  const adapter = which === 'base' ? null : trained;
  const generator = open({ chunk: 7 });
  const first = await ask(generator, { promptIds: line(0, 30), adapter });
  expect(first.cached).toBe(0);
  const promptIds = [...line(0, 30), ...first.tokenIds, ...line(1, 20)];
  const second = await ask(generator, { promptIds, adapter });
  expect(second.cached).toBe(28);
  expect(second.tokenIds).toEqual((await ask(open({ chunk: 7 }), { promptIds, adapter })).tokenIds);
  // The answer was computed again in chunks, as a part of the second prompt.
  const third = await ask(generator, { promptIds: [...promptIds, ...second.tokenIds], adapter });
  expect(third.cached).toBe(56);
});

it('a shared system prompt, by requests that run together', async () => {
  const generator = open();
  await ask(generator, { promptIds: [...line(0, 30), ...line(1, 5)] });
  const prompts = [7, 9, 11].map(length => [...line(0, 30), ...line(2, length)]);
  const answers = await Promise.all(prompts.map(promptIds => ask(generator, { promptIds })));
  expect(answers.map(({ cached }) => cached)).toEqual([30, 30, 30]);
  for (const [i, promptIds] of prompts.entries())
    expect(answers[i]!.tokenIds).toEqual((await ask(open(), { promptIds })).tokenIds);
});

it('nothing of another adapter or another caller', async () => {
  const generator = open();
  const promptIds = line(0, 30);
  const wanted = await ask(open(), { promptIds, adapter: initial });
  await ask(generator, { promptIds, adapter: trained, caller: 'one' });
  expect(await ask(generator, { promptIds, adapter: initial, caller: 'one' })).toEqual(wanted);
  expect((await ask(generator, { promptIds, caller: 'one' })).cached).toBe(0);
  expect((await ask(generator, { promptIds, adapter: trained, caller: 'two' })).cached).toBe(0);
  expect((await ask(generator, { promptIds, adapter: trained, caller: 'one' })).cached).toBe(20);
});

it('of an answer that was stopped, what was computed of it', async () => {
  const generator = open();
  const promptIds = line(0, 30);
  for await (const piece of generator.generate({ promptIds, maxTokens: 50, ...varied }))
    if (piece.tokenIds.length > 0) break;
  expect((await ask(generator, { promptIds: [...promptIds, ...line(1, 5)] })).cached).toBe(30);
});

it('nothing once the model was unloaded', async () => {
  const generator = open();
  const promptIds = line(0, 30);
  await ask(generator, { promptIds });
  expect(generator.status().prefixBytes).toBeGreaterThan(0);
  expect(await generator.unload()).toBe(true);
  expect(generator.status().prefixBytes).toBe(0);
  expect((await ask(generator, { promptIds })).cached).toBe(0);
});
