// Answers that are sampled for training on them, by the bundled model.
import { expect, it, onTestFinished } from 'vitest';
import { baseModelFolder } from '../../../lib/base-model/index.js';
import { createSamplingEngine, type GenerateRequest } from '../../../lib/engine/generate/index.js';
import { openModel } from '../../../lib/engine/model/index.js';
import { openText } from '../../../lib/engine/text/index.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';

const text = await openText(baseModelFolder());
const model = await openModel(baseModelFolder());
const messages = [{ role: 'user', content: 'Write something.' }];
const promptIds = text.encode(text.renderChat(messages, { addGenerationPrompt: true }));

/** To call a function with a list of digits that has one of at least `least`, which only its end can tell. */
function calling(least: number): GenerateRequest {
  const items = { type: 'integer', minimum: 0, maximum: 9 };
  const a = { type: 'array', items, minItems: 1, maxItems: 2, contains: { minimum: least } };
  const schema = { type: 'object', properties: { a }, required: ['a'] };
  const functions = [{ name: 'f', schema, isStrict: false }];
  const calls = { functions, isRequired: true, parallel: false, notation: 'tags' as const };
  return { promptIds, shape: { calls }, seed: 3, maxTokens: 200 };
}

function open() {
  const engine = createSamplingEngine({ ...model, text, context: 512, session: { threads: 1 } });
  onTestFinished(engine.close);
  return engine;
}

it('an answer whose call never fits ends with what it has, and the others go on', {
  timeout: JOURNEY_TIMEOUT_MS,
}, async () => {
  const [failed, fitting, free] = await open().answer([
    calling(10),
    calling(0),
    { promptIds, seed: 3, maxTokens: 5 },
  ]);
  expect(failed).toMatchObject({ text: '', calls: [], isCut: false });
  expect(text.decode(failed!.ids)).toMatch(/^<tool_call>.*"f".*\[/s);
  expect(fitting!.calls).toMatchObject([{ name: 'f', arguments: expect.stringMatching(/^\{"a":/) }]);
  expect(free!.ids.length).toBeGreaterThan(0);
});

it('all answers fail with any other fault of one', async () => {
  const stop = new AbortController();
  const answering = open().answer([calling(10), calling(0)], stop.signal);
  stop.abort(new Error('Canceled.'));
  await expect(answering).rejects.toThrow('Canceled.');
});
