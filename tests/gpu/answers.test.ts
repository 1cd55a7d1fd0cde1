// Every architecture answers on a GPU as on the CPU: the same tokens, as likely, with and without an adapter. Asked again, it answers
// the same to the bit.
import { expect, it } from 'vitest';
import type { Generator } from '../../lib/engine/generate/index.js';
import { openGenerator, openGolden, readAll, varied } from '../engine/generate/golden-generator.js';
import { GOLDEN_MODELS } from '../support/golden-models.js';

it.each(GOLDEN_MODELS)('%s answers as on the CPU', async name => {
  const { golden, trained, line } = await openGolden(name);
  /** Several at once, whose prompts take several steps, and one that is only read. */
  async function answer(generator: Generator) {
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
  const right = await answer(openGenerator(golden, { chunk: 6 }));
  const answerThere = () => answer(openGenerator(golden, { chunk: 6, session: { provider: 'webgpu' } }));
  const found = await answerThere();
  expect(found.tokens).toEqual(right.tokens);
  expect(found.values).toHaveLength(8 + 9 + 10 + golden.config.hidden);
  for (const [i, value] of right.values.entries()) expect(found.values[i]).toBeCloseTo(value, 4);
  expect(await answerThere()).toEqual(found);
});
