// What a generator tells of a prompt: how likely its tokens were, and the mean of its hidden states.
import { afterAll, describe, expect, it } from 'vitest';
import type { EchoPiece, Piece } from '../../../lib/engine/generate/index.js';
import type { TextDecoding } from '../../../lib/engine/generate/request.js';
import { openWeightsFile } from '../../../lib/engine/weights/index.js';
import { numbers } from '../../support/text-decodings.js';
import { openGolden, openRecompute, varied } from './golden-generator.js';

const { golden, trained, line, open } = await openGolden('llama');
const { compute: recompute, close } = await openRecompute(golden, 80);
afterAll(close);

async function collect(pieces: AsyncIterable<Piece | EchoPiece>) {
  const all: (Piece | EchoPiece)[] = [];
  for await (const piece of pieces) all.push(piece);
  const echo = all.find((piece): piece is EchoPiece => 'isPrompt' in piece);
  return { all, echo, answer: all.filter(piece => piece !== echo), last: all.at(-1)! };
}

function logprobOf(logits: Float32Array, id: number): number {
  const highest = Math.max(...logits);
  const sum = logits.reduce((total, value) => total + Math.exp(value - highest), 0);
  return logits[id]! - highest - Math.log(sum);
}

describe('an echo', () => {
  it.each([5, 64])('says how likely each token was, in chunks of %i', async chunk => {
    const promptIds = line(0, 24);
    const generator = open({ chunk });
    const request = { promptIds, adapter: trained, maxTokens: 0, logprobs: 3, echo: 'the prompt' };
    const { all, echo, last } = await collect(generator.complete(request));
    expect(all).toHaveLength(2);
    expect(echo).toMatchObject({ text: 'the prompt', tokenIds: promptIds });
    expect(echo!.logprobs!.map(({ id }) => id)).toEqual(promptIds);
    expect(echo!.logprobs![0]).toMatchObject({ logprob: null, top: [] });
    for (let at = 1; at < promptIds.length; at++) {
      const logits = await recompute(promptIds.slice(0, at), trained);
      const { logprob, top } = echo!.logprobs![at]!;
      expect(logprob).toBeCloseTo(logprobOf(logits, promptIds[at]!), 4);
      expect(top).toHaveLength(3);
      expect(top[0]!.logprob).toBeCloseTo(logprobOf(logits, logits.indexOf(Math.max(...logits))), 4);
    }
    const usage = { promptTokens: 24, cachedTokens: 0, completionTokens: 0 };
    expect(last).toMatchObject({ finishReason: 'length', usage });
  });

  it('is followed by the answer of the same prompt without it', async () => {
    const request = { promptIds: line(1, 20), maxTokens: 6, logprobs: 0, ...varied };
    const plain = await collect(open().generate(request));
    const echoed = await collect(open().complete({ ...request, echo: 'x' }));
    const last = { ...plain.last, samplingMs: expect.any(Number) };
    expect(echoed.answer).toEqual([...plain.all.slice(0, -1), last]);
    const { logprobs: _, ...unscored } = request;
    const bare = await collect(open().complete({ ...unscored, echo: 'x' }));
    expect(bare.echo).toEqual({ text: 'x', tokenIds: request.promptIds, isPrompt: true });
  });

  it('is whole where an earlier request began with the same tokens, and where others take turns', async () => {
    const promptIds = line(2, 40);
    const request = { promptIds, maxTokens: 0, logprobs: 1, echo: '' };
    const alone = await collect(open().complete(request));
    const generator = open({ maxBatch: 2, queueLimit: 20, chunk: 4 });
    const busy = [1, 2, 3].map(seed => collect(generator.generate({ promptIds, maxTokens: 90, seed })));
    const answers = await Promise.all([1, 2].map(() => collect(generator.complete(request))));
    await Promise.all(busy);
    for (const { echo } of [...answers, await collect(generator.complete(request))]) {
      expect(echo!.logprobs!.map(({ id }) => id)).toEqual(promptIds);
      for (let at = 1; at < promptIds.length; at++)
        expect(echo!.logprobs![at]!.logprob).toBeCloseTo(alone.echo!.logprobs![at]!.logprob!, 4);
    }
  });

  it('of a prompt that fills the context leaves no room for an answer', async () => {
    const generator = open({ context: 24 });
    const request = { promptIds: line(0, 24), logprobs: 0, echo: '' };
    expect((await collect(generator.complete(request))).last).toMatchObject({ finishReason: 'length' });
    expect(() => generator.generate({ promptIds: request.promptIds })).toThrow('context length is 24');
    expect(() => generator.complete({ ...request, promptIds: [] })).toThrow('no tokens');
  });
});

it('an answer goes on with the text of its prompt, where that has one and no template is around it', async () => {
  const createStreamDecoder: TextDecoding['createStreamDecoder'] = ({ continues }) => ({
    push: () => (continues ? 'on' : 'new'),
    flush: () => '',
  });
  const [marker, ...words] = line(0, 8);
  const text = { ...numbers, isSpecial: (id: number) => id === marker, createStreamDecoder };
  const generator = open({ text });
  const textOf = async (pieces: AsyncIterable<Piece | EchoPiece>) => (await collect(pieces)).all[0]!.text;
  const after = (...promptIds: number[]) => ({ promptIds, maxTokens: 1 });
  expect(await textOf(generator.complete(after(marker!, ...words)))).toBe('on');
  expect(await textOf(generator.complete(after(marker!)))).toBe('new');
  expect(await textOf(generator.generate(after(marker!, ...words)))).toBe('new');
});

describe('the mean of hidden states', () => {
  it.each([7, 64])('gives the mean of the logits of all tokens, in chunks of %i', async chunk => {
    const promptIds = line(0, 20);
    const mean = await open({ chunk }).embed({ promptIds, adapter: trained });
    const { hidden, vocabulary } = golden.config;
    expect(mean).toHaveLength(hidden);
    const wanted = new Float64Array(vocabulary);
    for (let at = 1; at <= promptIds.length; at++) {
      const logits = await recompute(promptIds.slice(0, at), trained);
      logits.forEach((value, id) => {
        wanted[id]! += value / promptIds.length;
      });
    }
    const file = await openWeightsFile(`${golden.folder}/model.safetensors`);
    const table = await file.readFloat32('model.embed_tokens.weight');
    for (let id = 0; id < vocabulary; id++) {
      const row = table.subarray(id * hidden, (id + 1) * hidden);
      expect(row.reduce((sum, value, i) => sum + value * mean[i]!, 0)).toBeCloseTo(wanted[id]!, 3);
    }
  });

  it('is the same beside other requests, and refused for a prompt that is too long', async () => {
    const promptIds = line(1, 30);
    const alone = await open().embed({ promptIds });
    const generator = open({ maxBatch: 3, context: 64, chunk: 3 });
    const busy = [1, 2].map(seed => collect(generator.generate({ promptIds, maxTokens: 30, seed })));
    const beside = await generator.embed({ promptIds });
    await Promise.all(busy);
    for (const [i, value] of beside.entries()) expect(value).toBeCloseTo(alone[i]!, 4);
    await expect(generator.embed({ promptIds: Array(65).fill(1) })).rejects.toThrow('65 tokens');
  });
});
