import { describe, expect, it } from 'vitest';
import { applyJobChanges, findJobChanges, type JobSummary } from '../../lib/contract/index.js';
import { sampleJob } from '../support/samples.js';

const job = (id: string): JobSummary => sampleJob({ id });
const [a, b, c, d] = [job('a'), job('b'), job('c'), job('d')];
const done: JobSummary = { ...b, status: 'completed' };
const none = { added: [], changed: [], removed: [] };

describe('what has changed in a list of jobs', () => {
  it.each<[string, JobSummary[], JobSummary[], object]>([
    ['nothing', [a, b], [a, { ...b }], none],
    ['a new job', [b], [a, b], { ...none, added: [a] }],
    ['the first jobs', [], [a, b], { ...none, added: [a, b] }],
    ['a job that went on', [a, b, c], [a, done, c], { ...none, changed: [done] }],
    ['a job that was deleted', [a, b, c], [a, c], { ...none, removed: ['b'] }],
    ['the last jobs', [a, b], [], { ...none, removed: ['a', 'b'] }],
    ['all of it', [b, c, d], [a, done, d], { added: [a], changed: [done], removed: ['c'] }],
  ])('is %s, and leads from the one list to the other', (_what, before, after, changes) => {
    expect(findJobChanges(before, after)).toEqual(changes);
    expect(applyJobChanges(before, findJobChanges(before, after)!)).toEqual(after);
  });

  it('is not known for another order, shows nothing for the same, and fits only its list', () => {
    expect(findJobChanges([a, b], [b, a])).toBeNull();
    expect(findJobChanges([a, b], [a, c, b])).toBeNull();
    const list = [a, b];
    expect(applyJobChanges(list, { ...none, changed: [{ ...b }], removed: ['gone before'] })).toBe(list);
    expect(applyJobChanges(list, { ...none, changed: [{ ...a }, done] })![0]).toBe(a);
    expect(applyJobChanges([a], { ...none, changed: [done] })).toBeNull();
  });
});
