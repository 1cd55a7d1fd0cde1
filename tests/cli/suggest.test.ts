// Which known name a mistyped one is taken for.
import { expect, it } from 'vitest';
import { suggest } from '../../cli/suggest.js';

const names = ['build', 'dev', 'start', 'endpoints'];

it.each([
  ['bulid', 'build', 'two letters swapped'],
  ['biuld', 'build', 'two letters swapped'],
  ['ednpionts', 'endpoints', 'swapped twice'],
  ['buil', 'build', 'a letter left out'],
  ['starrt', 'start', 'a letter too many'],
  ['stort', 'start', 'a wrong letter'],
  ['dve', 'dev', 'a short name'],
  ['endpoint', 'endpoints', 'the singular'],
])('%s means %s: %s', (typed, meant) => {
  expect(suggest(typed, names)).toBe(meant);
});

it.each(['', 'x', 'dxx', 'serve', 'rm'])('"%s" means none of them', typed => {
  expect(suggest(typed, names)).toBeUndefined();
});

it('takes the closest of several', () => {
  expect(suggest('jbs', ['job', 'jobs'])).toBe('jobs');
});
