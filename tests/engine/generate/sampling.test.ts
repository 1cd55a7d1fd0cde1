import { describe, expect, it } from 'vitest';
import {
  argmax,
  choose,
  createSampler,
  keepNucleus,
  penalize,
  seededDraw,
  tokenLogprob,
  weigh,
} from '../../../lib/engine/generate/sampler.js';

const logitsOf = (...probabilities: number[]) => Float32Array.from(probabilities, Math.log);
const never = () => expect.unreachable('nothing is drawn');

/** How often each token is chosen, by evenly distributed draws. */
function sharesOf(logits: Float32Array, options: Parameters<typeof choose>[1]): number[] {
  const chosen = Array.from({ length: 800 }, (_, i) => choose(logits, options, () => (i + 0.5) / 800));
  return Array.from(logits, (_, id) => chosen.filter(other => other === id).length / 800);
}

describe('choosing', () => {
  it('takes the first of the most likely tokens at temperature 0, without drawing', () => {
    expect(argmax(Float32Array.of(-3, 2, 2, 1))).toBe(1);
    expect(choose(Float32Array.of(-3, 2, 2, 1), { temperature: 0, topP: 1 }, never)).toBe(1);
  });

  it('weighs logits as the softmax does, to 11 digits, down to what is 0 to a computer', () => {
    const logits = Float32Array.from({ length: 4000 }, (_, i) => 3 - i * 0.171);
    const { weights, sum } = weigh(logits, 3, 0.7);
    for (const [i, logit] of logits.entries()) {
      const exact = Math.exp((logit - 3) / 0.7);
      if (exact > 1e-300) expect(weights[i]! / exact).toBeCloseTo(1, 10);
      else expect(weights[i]).toBeLessThan(1e-299);
    }
    expect(sum).toBeCloseTo(
      weights.reduce((total, weight) => total + weight),
      10,
    );
    expect([...weigh(Float32Array.of(1, Number.NEGATIVE_INFINITY, -1e9), 1, 1).weights]).toEqual([1, 0, 0]);
    expect(weigh(Float32Array.of(1, Number.NaN), 1, 1).sum).toBeNaN();
  });

  it('draws each token in proportion to its probability', () => {
    const at = (draw: number) => choose(logitsOf(0.2, 0.5, 0.3), { temperature: 1, topP: 1 }, () => draw);
    expect([0, 0.19, 0.21, 0.69, 0.71, 0.999_999].map(at)).toEqual([0, 0, 1, 1, 2, 2]);
  });

  it('sharpens or flattens the distribution by temperature', () => {
    const shareOf = (temperature: number) => sharesOf(logitsOf(0.1, 0.9), { temperature, topP: 1 })[0];
    expect(shareOf(1)).toBeCloseTo(0.1, 2);
    expect(shareOf(2)).toBeCloseTo(0.25, 2);
    expect(shareOf(0.5)).toBeCloseTo(1 / 82, 2);
    expect(shareOf(1e-9)).toBe(0);
  });

  it('leaves out tokens outside the nucleus, and keeps the proportions of the others', () => {
    const seen = (topP: number) => sharesOf(logitsOf(0.05, 0.3, 0.15, 0.5), { temperature: 1, topP });
    expect(seen(0.79)).toEqual([0, 0.375, 0, 0.625]);
    expect(seen(0.81)[2]).toBeGreaterThan(0.1);
    expect(seen(0.81)[0]).toBe(0);
    for (const topP of [0, 0.5]) expect(seen(topP)).toEqual([0, 0, 0, 1]);
    expect(choose(logitsOf(0.25, 0.25, 0.25, 0.25), { temperature: 1, topP: 0.4 }, () => 0.999)).toBe(1);
  });

  it('leaves out all but the most likely tokens, and of those the ones outside the nucleus', () => {
    const seen = (topK: number, topP = 1) =>
      sharesOf(logitsOf(0.05, 0.3, 0.15, 0.5), { temperature: 1, topP, topK });
    expect(seen(1)).toEqual([0, 0, 0, 1]);
    expect(seen(2)).toEqual([0, 0.375, 0, 0.625]);
    expect(seen(2, 0.4)).toEqual([0, 0, 0, 1]);
    expect(seen(3, 0.79)).toEqual([0, 0.375, 0, 0.625]);
    // Of the three, the most likely two have 84 %; of all, 80 %.
    expect(seen(3, 0.83)).toEqual([0, 0.375, 0, 0.625]);
    expect(seen(4)[0]).toBeGreaterThan(0);
    expect(choose(logitsOf(0.25, 0.25, 0.25, 0.25), { temperature: 1, topP: 1, topK: 2 }, () => 0.999)).toBe(
      1,
    );
  });

  it('finds the same nucleus among thousands of tokens as sorting all of them', () => {
    const draw = seededDraw(3);
    const weights = Float64Array.from({ length: 5000 }, () => Math.round(100 * draw()) / 100);
    const order = [...weights.keys()].sort((a, b) => weights[b]! - weights[a]! || a - b);
    for (const [topP, topK] of [
      [0],
      [0.001],
      [0.3],
      [0.9],
      [0.999],
      [0.9, 1],
      [0.9, 70],
      [1, 2500],
    ] as const) {
      const likeliest = order.slice(0, topK);
      const wanted = topP * likeliest.reduce((sum, id) => sum + weights[id]!, 0);
      let size = 0;
      for (let mass = 0; size === 0 || (mass < wanted && size < likeliest.length); size++)
        mass += weights[order[size]!]!;
      const cut = weights.slice();
      const kept = keepNucleus(cut, topP, topK);
      const inside = [...cut.keys()].filter(id => cut[id]! > 0);
      expect(inside).toEqual(order.slice(0, size).sort((a, b) => a - b));
      const mass = inside.reduce((sum, id) => sum + weights[id]!, 0);
      expect(kept).toBeCloseTo(mass, 6);
    }
  });
});

describe('odds that the model computed', () => {
  const logits = Float32Array.from({ length: 500 }, (_, i) => 4 * Math.sin(i * i));
  const oddsAt = (temperature: number) => {
    const { weights, sum } = weigh(logits, logits[argmax(logits)]!, temperature);
    return Float32Array.from(weights, weight => weight / sum);
  };

  it('give the tokens that their logits give, with the same draws', () => {
    const options = { temperature: 0.8, seed: 4, logprobs: 1 };
    const [plain, given] = [createSampler(options), createSampler(options)];
    const odds = oddsAt(given.drawsAt!);
    const drawn = Array.from({ length: 300 }, () => given.choose(logits, odds));
    expect(drawn).toEqual(drawn.map(() => plain.choose(logits)));
    expect(new Set(drawn.map(({ id }) => id)).size).toBeGreaterThan(50);
  });

  it('are asked for where tokens are drawn from all of the vocabulary as it is', () => {
    const drawsAt = (options: Parameters<typeof createSampler>[0]) => createSampler(options).drawsAt;
    expect([
      drawsAt({}),
      drawsAt({ temperature: 0.3 }),
      drawsAt({ topP: 1, logprobs: 2, logitBias: {} }),
    ]).toEqual([1, 0.3, 1]);
    for (const changed of [
      { temperature: 0 },
      { topP: 0.9 },
      { topK: 5 },
      { frequencyPenalty: 0.1 },
      { presencePenalty: -0.1 },
      { logitBias: { 3: 1 } },
    ])
      expect(drawsAt(changed)).toBeUndefined();
  });

  it('leave the most likely token where they are no numbers', () => {
    const odds = new Float32Array(3).fill(Number.NaN);
    expect(createSampler({ temperature: 1e-45 }).choose(Float32Array.of(0, 2, 1), odds).id).toBe(1);
  });
});

describe('penalties and biases', () => {
  const counts = new Map([
    [1, 3],
    [3, 1],
  ]);

  it('subtract the frequency penalty per occurrence, and the presence penalty once', () => {
    const logits = Float32Array.of(1, 2, 3, 4);
    expect([...penalize(logits, counts, { frequency: 0.5, presence: 0.25 })]).toEqual([1, 0.25, 3, 3.25]);
    expect([...logits]).toEqual([1, 2, 3, 4]);
    expect([...penalize(logits, counts, { frequency: -1, presence: 0 })]).toEqual([1, 5, 3, 5]);
    const sample = createSampler({ temperature: 0, frequencyPenalty: 1 });
    expect([1, 2, 3, 4].map(() => sample.choose(Float32Array.of(0, 1.5, 2)).id)).toEqual([2, 1, 2, 1]);
  });

  it('are both added to the logits of their tokens', () => {
    const logits = Float32Array.of(1, 2, 3);
    const biases = [[1, 5] as const, [2, -100] as const];
    expect([...penalize(logits, counts, { frequency: 1, presence: 0, biases })]).toEqual([1, 4, -97]);
    expect([...logits]).toEqual([1, 2, 3]);
  });

  it('decide which token is taken, and leave log probabilities as they are', () => {
    const logits = Float32Array.of(0, 1, 2);
    const plain = createSampler({ temperature: 0, logprobs: 1 }).choose(logits);
    const biased = createSampler({ temperature: 0, logitBias: { 0: 100 }, logprobs: 1 }).choose(logits);
    expect([plain.id, biased.id]).toEqual([2, 0]);
    expect(biased.logprob!.top).toEqual(plain.logprob!.top);
  });
});

describe('log probabilities', () => {
  const logits = Float32Array.of(1000, 1002, 999, 1002, 990);

  it('form a distribution: their exponentials sum to one', () => {
    const { top, logprob } = tokenLogprob(logits, 4, 5);
    expect(top.reduce((sum, entry) => sum + Math.exp(entry.logprob), 0)).toBeCloseTo(1, 6);
    expect(logprob).toBe(top[4]!.logprob);
  });

  it('come with as many of the most likely tokens as requested, ties in order', () => {
    const idsOf = (count: number) => tokenLogprob(logits, 0, count).top.map(({ id }) => id);
    expect([0, 2, 5, 9].map(idsOf)).toEqual([[], [1, 3], [1, 3, 0, 2, 4], [1, 3, 0, 2, 4]]);
  });

  it("are the model's own, before penalties and temperature", () => {
    const sample = createSampler({ temperature: 0, presencePenalty: 2, logprobs: 1 });
    const [, second] = [1, 2].map(() => sample.choose(logitsOf(0.6, 0.4)));
    expect(second!.id).toBe(1);
    expect(Math.exp(second!.logprob!.logprob)).toBeCloseTo(0.4, 6);
    expect(second!.logprob!.top[0]!.id).toBe(0);
    expect(createSampler({}).choose(logits)).not.toHaveProperty('logprob');
  });
});

it('random draws are the same for the same seed, different for others, and uniform', () => {
  const first = (seed: number) => Array.from({ length: 3 }, seededDraw(seed)).join();
  const seeds = [0, 1, 2, -1, 2 ** 32, 2 ** 40, 0.5];
  expect(first(1)).toBe(first(1));
  expect(new Set(seeds.map(first)).size).toBe(seeds.length);
  const draw = seededDraw(1);
  const tenths = new Array<number>(10).fill(0);
  for (let i = 0; i < 20_000; i++) tenths[Math.floor(draw() * 10)]!++;
  for (const count of tenths) expect(Math.abs(count - 2000)).toBeLessThan(200);
});

it('logits that are not finite are an error', () => {
  const sample = createSampler({ temperature: 0 });
  expect(() => sample.choose(new Float32Array(4).fill(Number.NaN))).toThrow('not finite');
});
