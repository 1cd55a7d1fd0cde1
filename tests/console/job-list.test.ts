import { describe, expect, it } from 'vitest';
import {
  completedJobs,
  countFilters,
  isFiltering,
  type JobListQuery,
  jobCount,
  listJobs,
  nextFilter,
  queryAfter,
  readJobQuery,
  STATUS_FILTERS,
  type StatusFilter,
  toggleTag,
  writeJobQuery,
} from '../../lib/console/index.js';
import { JOB_STATUSES } from '../../lib/contract/index.js';

const jobs = [
  { id: 'aaaa1111-0000-4000-8000-00000000000b', name: 'Alpha', status: 'completed' },
  { id: 'bbbb2222-0000-4000-8000-00000000000a', name: 'beta-ALPHA (2)', status: 'failed' },
  { id: 'cccc3333-0000-4000-8000-00000000000c', name: 'gamma.*', status: 'running' },
] as const;

const names = (search: string, status: StatusFilter = 'all') =>
  listJobs(jobs, { search, status }).rows.map(({ name }) => name);

describe('the jobs list', () => {
  it('keeps the order in which the jobs were answered', () => {
    expect(names('')).toEqual(['Alpha', 'beta-ALPHA (2)', 'gamma.*']);
  });

  it('searches in the name, whatever the case, taking every character literally', () => {
    expect(names('aLpH')).toEqual(['Alpha', 'beta-ALPHA (2)']);
    expect(names('.*')).toEqual(['gamma.*']);
    expect(names('(')).toEqual(['beta-ALPHA (2)']);
    expect(names('[')).toEqual([]);
  });

  it('searches in the id as well', () => {
    expect(names('B2222-00')).toEqual(['beta-ALPHA (2)']);
  });

  it('filters by status, together with the search', () => {
    expect(names('', 'failed')).toEqual(['beta-ALPHA (2)']);
    expect(names('alpha', 'completed')).toEqual(['Alpha']);
    expect(names('alpha', 'running')).toEqual([]);
  });

  it('says No matches when everything is hidden, and No jobs yet when there is nothing to hide', () => {
    expect(listJobs(jobs, { search: 'zzz', status: 'all' }).placeholder).toBe('No matches');
    expect(listJobs(jobs, { search: '', status: 'queued' }).placeholder).toBe('No matches');
    expect(listJobs([], { search: 'zzz', status: 'failed' }).placeholder).toBe('No jobs yet');
    expect(listJobs(jobs, { search: '', status: 'all' }).placeholder).toBeNull();
  });

  it('has six chips in their order, one for each status and one for all', () => {
    const labels = STATUS_FILTERS.map(({ label }) => label);
    expect(labels).toEqual(['All', 'Running', 'Completed', 'Queued', 'Failed', 'Cancelled']);
    expect(STATUS_FILTERS.map(({ value }) => value).sort()).toEqual(['all', ...JOB_STATUSES].sort());
  });

  it('counts its rows, and of how many when some are hidden', () => {
    expect([jobCount(0, 0), jobCount(1, 1), jobCount(1, 3), jobCount(0, 1200)]).toEqual([
      '0 jobs',
      '1 job',
      '1 of 3 jobs',
      '0 of 1,200 jobs',
    ]);
  });

  it('cycles through the chips and back to the first', () => {
    let filter: StatusFilter = 'all';
    const seen = STATUS_FILTERS.map(() => (filter = nextFilter(filter)));
    expect(seen).toEqual([...STATUS_FILTERS.map(({ value }) => value).slice(1), 'all']);
  });

  it('does not search for the blanks around what was typed', () => {
    expect(listJobs(jobs, { search: ' \tALPHA ', status: 'all' }).rows.map(({ name }) => name)).toEqual([
      'Alpha',
      'beta-ALPHA (2)',
    ]);
    expect(listJobs(jobs, { search: '  ', status: 'all' }).rows).toHaveLength(jobs.length);
  });

  it('offers completed jobs to chat with, and no other', () => {
    expect(completedJobs(jobs).map(({ name }) => name)).toEqual(['Alpha']);
  });
});

describe('tags, notes and groups', () => {
  const GROUP = { id: 'g1', settings: [] };
  const tagged = [
    { ...jobs[0], tags: ['baseline', 'v2'], note: 'Learns too slowly' },
    { ...jobs[1], tags: ['v2'], note: null, group: GROUP },
    { ...jobs[2], tags: [], group: null },
  ];
  const everything: JobListQuery = { search: '', status: 'all' };
  const found = (query: Partial<JobListQuery>) =>
    listJobs(tagged, { ...everything, ...query }).rows.map(({ name }) => name);

  it('are searched only when asked for, whatever the case', () => {
    expect(found({ search: 'BASE' })).toEqual([]);
    expect(found({ search: 'too slowly' })).toEqual([]);
    expect(found({ search: ' Tag: BASE' })).toEqual(['Alpha']);
    expect(found({ search: 'tag:v2' })).toEqual(['Alpha', 'beta-ALPHA (2)']);
    expect(found({ search: 'note:too SLOWLY ' })).toEqual(['Alpha']);
    expect(found({ search: 'note:v2' })).toEqual([]);
    expect(found({ search: 'tag:slowly' })).toEqual([]);
  });

  it('are searched for any, where no text follows', () => {
    expect(found({ search: 'tag:' })).toEqual(['Alpha', 'beta-ALPHA (2)']);
    expect(found({ search: 'note:' })).toEqual(['Alpha']);
  });

  it('do not hide a name that has these words in it', () => {
    const named = { ...jobs[2], name: 'my tag:v2' };
    const search = 'tag:v2';
    expect(listJobs([...tagged, named], { ...everything, search }).rows).toEqual([
      tagged[0],
      tagged[1],
      named,
    ]);
  });

  it('filter: a job has all of the tags', () => {
    expect(found({ tags: ['v2'] })).toEqual(['Alpha', 'beta-ALPHA (2)']);
    expect(found({ tags: ['v2', 'baseline'] })).toEqual(['Alpha']);
    expect(found({ tags: ['v'] })).toEqual([]);
    expect(found({ group: 'g1' })).toEqual(['beta-ALPHA (2)']);
  });

  it('count what each filter would show beside the others', () => {
    const all = countFilters(tagged, everything);
    expect(all.statuses).toEqual({ all: 3, running: 1, completed: 1, queued: 0, failed: 1, cancelled: 0 });
    expect(all.tags).toEqual([
      { tag: 'v2', count: 2, isOn: false },
      { tag: 'baseline', count: 1, isOn: false },
    ]);
    const some = countFilters(tagged, { search: 'alpha', status: 'failed', tags: ['baseline'] });
    expect(some.statuses).toMatchObject({ all: 1, completed: 1, failed: 0 });
    expect(some.tags).toEqual([{ tag: 'baseline', count: 0, isOn: true }]);
    expect(countFilters(tagged, { ...everything, status: 'failed' }).tags).toEqual([
      { tag: 'v2', count: 1, isOn: false },
    ]);
  });

  it('are turned on and off', () => {
    const on = toggleTag(everything, 'v2');
    expect([isFiltering(everything), isFiltering(on)]).toEqual([false, true]);
    expect(toggleTag(on, 'v2').tags).toEqual([]);
    expect(isFiltering({ ...everything, search: '  ' })).toBe(false);
    expect(isFiltering({ ...everything, group: 'g1' })).toBe(true);
  });
});

describe('the query in an address', () => {
  it('is empty if nothing is hidden, and trimmed', () => {
    expect(writeJobQuery({ search: '  ', status: 'all', tags: [], group: null })).toBe('');
    expect(writeJobQuery({ search: ' a b ', status: 'all' })).toBe('search=a+b');
  });

  it('says all that it said when it is read again', () => {
    const query = { search: 'a&b=c', status: 'failed', tags: ['x y', 'z'], group: 'g1' } as const;
    expect(readJobQuery(writeJobQuery(query))).toEqual(query);
  });

  it('leaves out what nobody could have chosen', () => {
    expect(readJobQuery('status=broken&tag=&tag=a&tag=a&other=1&group=')).toEqual({
      search: '',
      status: 'all',
      tags: ['a'],
      group: null,
    });
  });
});

describe('the link to all jobs', () => {
  const latest = { search: 'bug', status: 'failed' as const, tags: ['a'], group: 'sweep' };

  it('leaves a sweep that was opened, and keeps the search and the filters', () => {
    expect(queryAfter('#/jobs', latest)).toEqual({ ...latest, group: null });
  });

  it('follows what an address says, and no other page', () => {
    expect(queryAfter('#/jobs?group=other', latest)).toEqual({
      search: '',
      status: 'all',
      tags: [],
      group: 'other',
    });
    expect(queryAfter('#/jobs/1a2b', latest)).toBe(latest);
  });
});
