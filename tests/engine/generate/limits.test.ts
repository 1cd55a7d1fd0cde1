// What a generator rejects, when its answers end, and what it frees.
import { describe, expect, it } from 'vitest';
import type { Generator, Piece } from '../../../lib/engine/generate/index.js';
import { longestText } from '../../../lib/engine/model/index.js';
import { numbers } from '../../support/text-decodings.js';
import { openGolden, readAll, varied } from './golden-generator.js';

const { golden, trained, open } = await openGolden('llama');
const promptIds = [3, 1, 4, 1, 5];

async function idle(generator: Generator): Promise<void> {
  while (!(await generator.unload())) await new Promise(resolve => setImmediate(resolve));
}

describe('an answer', () => {
  const usageOf = (piece: Piece) => ('usage' in piece ? piece.usage : undefined);
  const usage = { promptTokens: 5, cachedTokens: 0 };
  const request = { promptIds, maxTokens: 12, ...varied };

  it('stops at the end of the context', async () => {
    const generator = open({ context: 30 });
    const { tokenIds, last } = await readAll(generator.generate({ promptIds, seed: 1 }));
    expect([tokenIds.length, last.finishReason]).toEqual([25, 'length']);
    const more = await readAll(generator.generate({ promptIds, seed: 1, maxTokens: 500 }));
    expect(more.tokenIds).toEqual(tokenIds);
  });

  it('counts tokens, and stops at maxTokens', async () => {
    const { tokenIds, last } = await readAll(open().generate({ promptIds, maxTokens: 3, seed: 1 }));
    expect(tokenIds).toHaveLength(3);
    const counted = { ...usage, completionTokens: 3 };
    const samplingMs = expect.any(Number);
    expect(last).toEqual({ text: '', tokenIds: [], finishReason: 'length', usage: counted, samplingMs });
  });

  it('says how long the tokens after the first one took', async () => {
    const timeOf = async (maxTokens: number) =>
      (await readAll(open().generate({ promptIds, maxTokens }))).last;
    expect(await timeOf(1)).toMatchObject({ samplingMs: 0 });
    expect(await timeOf(0)).not.toHaveProperty('samplingMs');
    expect((await timeOf(3)) as { samplingMs: number }).toSatisfy(({ samplingMs }) => samplingMs > 0);
  });

  it('stops at an end-of-turn token, which is counted but not part of the answer', async () => {
    const before = await readAll(open().generate(request));
    const end = before.tokenIds[6]!;
    const generator = open({ text: { ...numbers, endIds: [end] } });
    const { tokenIds, last } = await readAll(generator.generate({ ...request, logprobs: 0 }));
    expect(tokenIds).toEqual(before.tokenIds.slice(0, 6));
    expect(last.finishReason).toBe('stop');
    expect(usageOf(last)).toEqual({ ...usage, completionTokens: 7 });
  });

  it('stops at a stop sequence that spans several tokens', async () => {
    const before = await readAll(open().generate(request));
    const [, , , , fifth, sixth] = before.tokenIds;
    const stop = `${String(fifth).slice(-1)} ${sixth}`;
    const { text, last, tokenIds } = await readAll(open().generate({ ...request, stop: [stop] }));
    expect(text).toBe(before.text.slice(0, before.text.indexOf(stop)));
    expect(tokenIds).toEqual(before.tokenIds.slice(0, 5));
    expect(last.finishReason).toBe('stop');
    expect(usageOf(last)).toEqual({ ...usage, completionTokens: 6 });
  });
});

describe('a request', () => {
  it('has at most the context of the model, of a bounded size whatever the model claims', () => {
    expect(open({ context: 1e6 }).context).toBe(golden.config.maxPositions);
    const config = { ...golden.config, maxPositions: 1e15 };
    expect(open({ config, cacheBudget: 2 ** 40 }).context).toBe(longestText(config));
  });

  it('is rejected if its prompt does not fit in the context, before anything is computed', () => {
    const generator = open({ context: 5, weights: () => expect.unreachable('the weights were read') });
    const expected = expect.objectContaining({ name: 'EngineError', code: 'context_length_exceeded' });
    expect(() => generator.generate({ promptIds })).toThrow(expected);
    expect(() => generator.generate({ promptIds: [...promptIds, 1] })).toThrow(
      /context.* 5 tokens.* 6 tokens/,
    );
    expect(() => generator.generate({ promptIds: [...promptIds, 1], maxTokens: 0 })).toThrow(expected);
    expect(generator.status()).toMatchObject({ running: 0, waiting: 0 });
  });

  it.each([
    ['no tokens', { promptIds: [] }],
    ['the token 320', { promptIds: [1, 320] }],
    ['the token -1', { promptIds: [-1] }],
    ['the token 0.5', { promptIds: [0.5] }],
    ['maxTokens is -1', { promptIds: [1], maxTokens: -1 }],
    ['temperature is NaN', { promptIds: [1], temperature: Number.NaN }],
    ['topP is -1', { promptIds: [1], topP: -1 }],
    ['topK is 0', { promptIds: [1], topK: 0 }],
    ['a bias is set for the token 320', { promptIds: [1], logitBias: { 320: 1 } }],
    ['seed is Infinity', { promptIds: [1], seed: Number.POSITIVE_INFINITY }],
  ])('is rejected: %s', (problem, request) => {
    const act = () => open().generate(request);
    expect(act).toThrow(problem);
    expect(act).toThrow(expect.objectContaining({ code: 'invalid_value' }));
  });

  it('is rejected while the batch and the queue are full', async () => {
    const generator = open({ maxBatch: 2, queueLimit: 1 });
    const start = () => generator.generate({ promptIds, seed: 1, maxTokens: 100 });
    const [first, second, third] = [start(), start(), start()];
    await first.next();
    expect(generator.status()).toMatchObject({ running: 2, waiting: 1 });
    expect(start).toThrow(expect.objectContaining({ name: 'EngineError', code: 'engine_busy' }));
    await second.return!();
    const fourth = start();
    expect(start).toThrow('busy');
    const answers = await Promise.all([third, fourth].map(readAll));
    expect(answers.map(({ tokenIds }) => tokenIds.length)).toEqual([100, 100]);
  });

  it.each(['running', 'waiting'] as const)('frees its place if it is aborted while %s', async state => {
    const generator = open({ maxBatch: 1, queueLimit: 1 });
    const controller = new AbortController();
    const other = state === 'waiting' ? generator.generate({ promptIds, seed: 1, maxTokens: 30 }) : null;
    const stream = generator.generate({ promptIds, maxTokens: 200 }, controller.signal);
    if (other) await other.next();
    else for (let i = 0; i < 5; i++) await stream.next();
    expect(generator.status()[state]).toBe(1);
    const reading = readAll(stream);
    const reason = new Error('the client went away');
    controller.abort(reason);
    expect(generator.status()[state]).toBe(0);
    await expect(reading).rejects.toBe(reason);
    if (other) await readAll(other);
    await idle(generator);
    expect(generator.status().cacheBytes).toBe(0);
  });

  it('frees its place if its reader stops', async () => {
    const generator = open();
    for await (const piece of generator.generate({ promptIds, maxTokens: 300 })) if (piece.text) break;
    expect(generator.status().running).toBe(0);
    await idle(generator);
    expect(generator.status().cacheBytes).toBe(0);
  });

  it('does not start if the signal is already aborted', () => {
    const reason = new Error('the client went away');
    expect(() => open().generate({ promptIds }, AbortSignal.abort(reason))).toThrow(reason);
  });
});

describe('a generator', () => {
  it('frees the model when it is unloaded, and loads it again for the next request', async () => {
    const generator = open();
    const request = { promptIds, maxTokens: 5, seed: 9 };
    const reading = readAll(generator.generate(request));
    expect(await generator.unload()).toBe(false);
    const before = await reading;
    await idle(generator);
    expect(await generator.unload()).toBe(true);
    expect((await readAll(generator.generate(request))).text).toBe(before.text);
  });

  it('ends all requests when it is closed', async () => {
    const generator = open();
    const reading = readAll(generator.generate({ promptIds, maxTokens: 300 }));
    const expected = expect.objectContaining({ code: 'engine_unavailable' });
    await Promise.all([expect(reading).rejects.toEqual(expected), generator.close()]);
    expect(() => generator.generate({ promptIds })).toThrow(expected);
  });

  it('fails all waiting requests if the weights cannot be read, and tries again for the next one', async () => {
    let broken = true;
    const generator = open({
      weights: graph => {
        if (broken) throw new Error('no weights');
        return golden.weights(graph);
      },
    });
    const request = { promptIds, maxTokens: 4 };
    const readings = [1, 2].map(() => readAll(generator.generate(request)));
    for (const reading of readings) await expect(reading).rejects.toThrow('no weights');
    broken = false;
    expect((await readAll(generator.generate(request))).tokenIds).toHaveLength(4);
  });

  async function expectDamaged(code: string, generator: Generator, request: { promptIds: number[] }) {
    const expected = expect.objectContaining({ name: 'EngineError', code });
    await expect(readAll(generator.generate(request))).rejects.toEqual(expected);
    await expect(generator.embed(request)).rejects.toEqual(expected);
    const scored = generator.complete({ ...request, echo: 'x', logprobs: 1, maxTokens: 0 });
    await expect(scored.next()).rejects.toEqual(expected);
  }

  it('says that the model is damaged if its outputs are not finite', async () => {
    const { hidden } = golden.config;
    const broken = open({
      weights: graph => {
        const stored = golden.weights(graph);
        const nothing = () => graph.values('float32', [hidden], Array(hidden).fill(Number.NaN));
        return {
          ...stored,
          tensor: name => (name === golden.config.finalNorm ? nothing() : stored.tensor(name)),
        };
      },
    });
    await expectDamaged('model_damaged', broken, { promptIds });
  });

  it('says that the adapter is damaged if only its outputs are not finite, and serves others', async () => {
    const generator = open();
    const adapter = { ...trained, scaling: Number.MAX_VALUE };
    const request = { promptIds, adapter };
    await expectDamaged('adapter_damaged', generator, request);
    await readAll(generator.generate({ promptIds, maxTokens: 2 }));
  });
});
