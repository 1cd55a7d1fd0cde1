import { describe, expect, it } from 'vitest';
import {
  completedJobs,
  jobCount,
  listJobs,
  nextFilter,
  STATUS_FILTERS,
  type StatusFilter,
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
