// Decoding with a KV cache gives the same logits, and so the same tokens, as full recomputation.
import { afterAll, describe, expect, it } from 'vitest';
import { createAdapterStacks } from '../../../lib/engine/generate/adapters.js';
import { KvCache } from '../../../lib/engine/generate/kv-cache.js';
import { argmax, penalize, weigh } from '../../../lib/engine/generate/sampler.js';
import { createDecodingSessions, createRunStep } from '../../../lib/engine/generate/step.js';
import { cacheShapeOf, firstPosition } from '../../../lib/engine/model/index.js';
import { GOLDEN_MODELS } from '../../support/golden-models.js';
import { openGolden, openRecompute, readAll, varied } from './golden-generator.js';

const LONGEST = 120;
const COUNT = 36;

describe.each(GOLDEN_MODELS)('%s', async name => {
  const { golden, trained, line, open } = await openGolden(name);
  const { compute: recompute, close } = await openRecompute(golden, LONGEST);
  const sessions = createDecodingSessions({ ...golden, context: LONGEST, session: { threads: 1 } });
  const runStep = createRunStep(golden.config, sessions, createAdapterStacks(golden.config));
  afterAll(() => Promise.all([close(), sessions.close()]));

  const withAndWithout = Object.entries({ base: null, adapter: trained });

  /** As a line of a text with so many tokens. */
  const startOf = (tokens: number) => ({ startsAt: firstPosition(golden.config, tokens) });

  function cacheOf(texts: number): KvCache {
    const cache = new KvCache(cacheShapeOf(golden.config));
    for (let i = 0; i < texts; i++) cache.addEmpty();
    return cache;
  }

  it.each(withAndWithout)('has the same logits one by one as for the whole: %s', async (_, adapter) => {
    const ids = [...line(0, 40), ...line(1, 40)];
    const cache = cacheOf(1);
    const text = { adapter, ...startOf(ids.length) };
    await runStep(cache, [{ ids: ids.slice(0, 35), ...text }], 'nothing');
    for (let at = 35; at < ids.length; at++) {
      const [output] = await runStep(cache, [{ ids: [ids[at]!], ...text }], 'last');
      expectClose(output!.values, await recompute(ids.slice(0, at + 1), adapter));
    }
    expect(cache.lengths).toEqual([80]);
  });

  it.each(withAndWithout)('has the same logits as transformers and PEFT: %s', async (_, adapter) => {
    const { logits_last_position_row0, final_logits_last_position_row0 } = golden.expected;
    const [output] = await runStep(cacheOf(1), [{ ids: line(0, 40), adapter, ...startOf(40) }], 'last');
    const wanted = adapter ? final_logits_last_position_row0 : logits_last_position_row0;
    expect(worstDifference(output!.values, Float32Array.from(wanted))).toBeLessThan(2e-4);
  });

  it('has the same logits however the prompt is chunked', async () => {
    const ids = [...line(2, 40), ...line(0, 40)];
    const wanted = await recompute(ids, trained);
    for (const size of [80, 79, 32, 7, 1]) {
      const cache = cacheOf(1);
      for (let at = 0; at < ids.length; at += size) {
        const chunk = { ids: ids.slice(at, at + size), adapter: trained, ...startOf(80) };
        const isLast = at + size >= ids.length;
        const [output] = await runStep(cache, [chunk], isLast ? 'last' : 'nothing');
        if (isLast) expectClose(output!.values, wanted);
        else expect(output).toBeUndefined();
      }
    }
  });

  it('computes sequences with different lengths and adapters in one batch', async () => {
    const lines = [
      { ids: line(0, 40), adapter: null },
      { ids: line(1, 3), adapter: trained },
      { ids: line(2, 17), adapter: null },
    ];
    const together = new KvCache(cacheShapeOf(golden.config));
    for (const { ids, adapter } of lines) {
      const alone = cacheOf(1);
      await runStep(alone, [{ ids: ids.slice(0, -1), adapter, ...startOf(ids.length) }], 'nothing');
      together.addFrom(alone);
    }
    const last = lines.map(({ ids, adapter }) => ({ ids: [ids.at(-1)!], adapter, ...startOf(ids.length) }));
    const outputs = await runStep(together, last, 'last');
    for (const [i, { ids, adapter }] of lines.entries())
      expectClose(outputs[i]!.values, await recompute(ids, adapter));
  });

  it('computes the odds of the next tokens, each line at its own temperature', async () => {
    const temperatures = [1, undefined, 0.4];
    const lines = temperatures.map((drawsAt, i) => ({
      ids: line(i, 5),
      adapter: i === 0 ? null : trained,
      ...startOf(5),
      drawsAt,
    }));
    const outputs = await runStep(cacheOf(lines.length), lines, 'last');
    for (const [i, { values, odds }] of outputs.entries()) {
      const temperature = temperatures[i];
      if (temperature === undefined) expect(odds).toBeUndefined();
      else {
        const { weights, sum } = weigh(values, values[argmax(values)]!, temperature);
        expect(
          worstDifference(
            odds!,
            Float32Array.from(weights, weight => weight / sum),
          ),
        ).toBeLessThan(1e-6);
      }
    }
  });

  it.each(withAndWithout)('generates the same tokens as full recomputation: %s', async (_, adapter) => {
    const promptIds = line(1, 12);
    const request = { promptIds, adapter, maxTokens: COUNT, ...varied };
    const answer = await readAll(open({ chunk: 5 }).generate(request));
    const wanted: number[] = [];
    while (wanted.length < COUNT) {
      const counts = new Map(wanted.map(id => [id, 1]));
      const logits = await recompute([...promptIds, ...wanted], adapter);
      wanted.push(argmax(penalize(logits, counts, { frequency: 0, presence: 2 })));
    }
    expect(answer.tokenIds).toEqual(wanted);
    expect(new Set(wanted).size).toBeGreaterThan(COUNT / 2);
  });

  it.each(withAndWithout)('continues from an earlier request that begins alike: %s', async (_, adapter) => {
    const generator = open({ chunk: 5 });
    const ask = async (promptIds: number[], caller: string) => {
      const asked = { promptIds, adapter, caller, maxTokens: 12, ...varied };
      const { tokenIds, last } = await readAll(generator.generate({ ...asked, logprobs: 0 }));
      return { tokenIds, cached: 'usage' in last ? last.usage!.cachedTokens : undefined };
    };
    const first = line(0, 40);
    const { tokenIds } = await ask(first, 'a');
    const next = [...first, ...tokenIds, ...line(1, 9)];
    const continued = await ask(next, 'a');
    expect(continued.cached).toBeGreaterThanOrEqual(35);
    const afresh = await ask(next, 'another');
    expect([afresh.cached, continued.tokenIds]).toEqual([0, afresh.tokenIds]);
    const logits = await recompute(next, adapter);
    expect(continued.tokenIds[0]).toBe(argmax(logits));
  });
});

function expectClose(given: Float32Array, wanted: Float32Array): void {
  expect(given).toHaveLength(wanted.length);
  expect(worstDifference(given, wanted)).toBeLessThan(1e-4);
}

function worstDifference(a: Float32Array, b: Float32Array): number {
  return a.reduce((worst, value, i) => Math.max(worst, Math.abs(value - b[i]!)), 0);
}
