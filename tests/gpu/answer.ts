// What a reference model answers on a device: several texts at once, with and without an adapter, and one that is only read.
import { expect } from 'vitest';
import type { GeneratorOptions } from '../../lib/engine/generate/index.js';
import { openGenerator, openGolden, readAll, varied } from '../engine/generate/golden-generator.js';

interface Answered {
  tokens: number[][];
  /** Log probabilities of the tokens, and hidden states. */
  values: number[];
}

/** Prompts take several steps. */
export async function answer(name: string, options: Partial<GeneratorOptions>): Promise<Answered> {
  const { golden, trained, line } = await openGolden(name);
  const generator = openGenerator(golden, { chunk: 6, ...options });
  const requests = [null, trained, null].map((adapter, i) => {
    const promptIds = line(i, 9 + 6 * i);
    return generator.generate({ promptIds, adapter, maxTokens: 8 + i, logprobs: 0, ...varied });
  });
  const answers = await Promise.all(requests.map(readAll));
  const logprobs = answers.flatMap(({ pieces }) =>
    pieces.flatMap(piece => ('logprobs' in piece ? (piece.logprobs ?? []) : [])),
  );
  const states = await generator.embed({ promptIds: line(0, 30), adapter: trained });
  await generator.close();
  return {
    tokens: answers.map(({ tokenIds }) => tokenIds),
    values: [...logprobs.map(({ logprob }) => logprob), ...states],
  };
}

export function expectAlike(found: Answered, right: Answered): void {
  expect(found.tokens).toEqual(right.tokens);
  expect(found.values.length).toBeGreaterThan(8 + 9 + 10);
  expect(found.values).toHaveLength(right.values.length);
  for (const [i, value] of right.values.entries()) expect(found.values[i]).toBeCloseTo(value, 4);
}
