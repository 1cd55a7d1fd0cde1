// What a failed run tells its parent besides its words.
import { expect, it } from 'vitest';
import { isOutOfMemory } from '../../../lib/engine/runtime/index.js';

it.each([
  'std::bad_alloc',
  'Failed to allocate memory for requested buffer of size 7',
  'Array buffer allocation failed',
  'Out of memory',
])('knows by the words of native code that memory ran out: %s', text => {
  expect(isOutOfMemory(new Error(text))).toBe(true);
});

it('takes nothing else for it', () => {
  expect(isOutOfMemory(new Error('row 3: not valid JSON'))).toBe(false);
  expect(isOutOfMemory('Out of memory')).toBe(false);
});
