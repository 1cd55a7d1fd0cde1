import { expect, it } from 'vitest';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { answerSchemas } from './answer-schemas.js';

it('the bundled model answers random schemas with values that fit', {
  timeout: JOURNEY_TIMEOUT_MS,
}, async () => {
  const { ended, invalid } = await answerSchemas(60, 4);
  expect(invalid).toEqual([]);
  expect(ended).toBeGreaterThan(57);
});
