// What stands in a banner.
import { expect, it } from 'vitest';
import { errorText } from '../../lib/console/index.js';

it('an error is its message', () => {
  expect(errorText(new Error('No such job.'))).toBe('No such job.');
  expect(errorText('thrown as text')).toBe('thrown as text');
});

it('an error that says nothing is a sentence all the same', () => {
  for (const error of [new Error(''), new Error(' \n'), '', undefined, null])
    expect(errorText(error)).toBe('The request failed without giving a reason. Try again.');
});
