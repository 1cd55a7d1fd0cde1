// Every architecture answers on a GPU as on the CPU: the same tokens, as likely, with and without an adapter. Asked again, it answers
// the same to the bit.
import { expect, it } from 'vitest';
import { GOLDEN_MODELS } from '../support/golden-models.js';
import { answer, expectAlike } from './answer.js';

it.each(GOLDEN_MODELS)('%s answers as on the CPU', async name => {
  const answerThere = () => answer(name, { session: { provider: 'webgpu' } });
  const found = await answerThere();
  expectAlike(found, await answer(name, {}));
  expect(await answerThere()).toEqual(found);
});
