import { expect, it } from 'vitest';
import type { GenerateRequest } from '../../../lib/engine/generate/index.js';
import type { JsonSchema } from '../../../lib/engine/structure/index.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { answerSchemas, openBundled } from './answer-schemas.js';

it('the bundled model answers random schemas with values that fit', {
  timeout: JOURNEY_TIMEOUT_MS,
}, async () => {
  const { ended, invalid } = await answerSchemas(20, 4);
  expect(invalid).toEqual([]);
  expect(ended).toBeGreaterThan(17);
});

it('arguments that cannot be enforced are written anew until they fit, at most twice', {
  timeout: JOURNEY_TIMEOUT_MS,
}, async () => {
  const { generator, promptIds } = await openBundled();
  async function call(contains: JsonSchema, given: Partial<GenerateRequest>) {
    const list = {
      type: 'array',
      items: { type: 'integer', minimum: 0, maximum: 9 },
      minItems: 1,
      maxItems: 2,
    };
    const schema = { type: 'object', properties: { a: { ...list, contains } }, required: ['a'] };
    const functions = [{ name: 'f', schema, isStrict: false }];
    const calls = { functions, isRequired: true, parallel: false, notation: 'tags' as const };
    let [written, tokens] = ['', 0];
    for await (const piece of generator.generate({ promptIds, shape: { calls }, ...given })) {
      if ('call' in piece) written += piece.arguments;
      if (piece.finishReason) tokens = piece.usage.completionTokens;
    }
    return { a: (JSON.parse(written) as { a: number[] }).a, tokens };
  }

  try {
    const answers = await Promise.allSettled(
      Array.from({ length: 24 }, (_, seed) => call({ minimum: 5 }, { seed, temperature: 1.5 })),
    );
    const fitting = answers.flatMap(answer => (answer.status === 'fulfilled' ? [answer.value] : []));
    expect(fitting.length).toBeGreaterThan(8);
    for (const { a } of fitting) expect(Math.max(...a)).toBeGreaterThan(4);
    const [least, most] = [Math.min, Math.max].map(of => of(...fitting.map(({ tokens }) => tokens)));
    expect(most, 'an answer written anew has all its tokens counted').toBeGreaterThan(least! * 1.5);
    const failed = {
      code: 'tool_use_failed',
      part: 'tools',
      message: expect.stringMatching(/f do not fit.* 3 times/),
    };
    for (const given of [{ temperature: 0 }, { seed: 3 }])
      await expect(call({ minimum: 10 }, given)).rejects.toMatchObject(failed);
    const again = () => call({ minimum: 3 }, { temperature: 0 }).catch(String);
    expect(await again()).toEqual(await again());
    expect(generator.status()).toMatchObject({ running: 0, waiting: 0 });
  } finally {
    await generator.close();
  }
});
