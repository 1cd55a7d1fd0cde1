import { expect, it } from 'vitest';
import { listWith, neighborJob } from '../../lib/console/index.js';

const rows = [{ id: 'c' }, { id: 'b' }, { id: 'a' }];

it('the job before and after is the one above and below in the list', () => {
  expect([neighborJob(rows, 'b', -1), neighborJob(rows, 'b', 1)]).toEqual(['c', 'a']);
});

it('there is none beyond the ends, nor beside a job that is not listed', () => {
  expect([neighborJob(rows, 'c', -1), neighborJob(rows, 'a', 1), neighborJob(rows, 'z', 1)]).toEqual([
    null,
    null,
    null,
  ]);
});

it('the list is the first one that has the job', () => {
  const filtered = [{ id: 'b' }];
  expect(listWith('b', [undefined, filtered, rows])).toBe(filtered);
  expect(listWith('a', [filtered, rows])).toBe(rows);
  expect(listWith('z', [filtered, rows])).toBeNull();
});
