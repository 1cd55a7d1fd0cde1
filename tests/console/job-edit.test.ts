import { describe, expect, it } from 'vitest';
import { draftOf, jobNameProblem, readTags, toJobPatch } from '../../lib/console/index.js';

const job = { name: 'triage', tags: ['a', 'b'], note: 'why' };

describe('editing a job', () => {
  it('begins with what it has', () => {
    expect(draftOf(job)).toEqual({ name: 'triage', tags: 'a, b', note: 'why' });
    expect(draftOf({ name: 'triage', note: null })).toEqual({ name: 'triage', tags: '', note: '' });
  });

  it('reads tags between commas, once each', () => {
    expect(readTags(' a ,b,, a,two words ')).toEqual(['a', 'b', 'two words']);
    expect(readTags(' , ')).toEqual([]);
  });

  it('changes only what differs', () => {
    expect(toJobPatch(job, draftOf(job))).toBeNull();
    expect(toJobPatch(job, { name: ' triage ', tags: 'a,b', note: 'why ' })).toBeNull();
    expect(toJobPatch(job, { name: 'trial', tags: 'a, b', note: 'why' })).toEqual({ name: 'trial' });
    expect(toJobPatch(job, { name: 'triage', tags: 'b', note: '' })).toEqual({ tags: ['b'], note: '' });
  });

  it('needs a name', () => {
    expect(jobNameProblem('  ')).toBe('A job needs a name.');
    expect(jobNameProblem('x')).toBeNull();
  });
});
