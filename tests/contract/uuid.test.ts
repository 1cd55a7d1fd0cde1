import { expect, it } from 'vitest';
import { isUuid, uuid } from '../../lib/contract/index.js';

const WHOLE = '3F2a9c1e-7a51-4b8e-9d3a-0c2f5b6d7e80';

it.each([
  WHOLE,
  WHOLE.slice(0, 8),
  WHOLE.slice(1),
  `${WHOLE}0`,
  `${WHOLE}\n`,
  ` ${WHOLE}`,
  WHOLE.replaceAll('-', ''),
  WHOLE.replace('a', 'g'),
  '00000000-0000-0000-0000-000000000000',
  '',
])('the rule takes and refuses what the schema does: %j', text => {
  expect(isUuid(text)).toBe(uuid.safeParse(text).success);
});

it('the rule takes a UUID, and nothing else', () => {
  expect([isUuid(WHOLE), isUuid('zebra')]).toEqual([true, false]);
});
