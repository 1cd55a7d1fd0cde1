// The list of jobs: what it shows, how it is filtered, and how one of it is edited.
import { describe, expect, it } from 'vitest';
import {
  chosenStatus,
  completedJobs,
  countFilters,
  draftOf,
  EVERY_JOB,
  isFiltering,
  type JobDraft,
  type JobListQuery,
  jobCount,
  jobNameProblem,
  listJobs,
  listWith,
  neighborJob,
  nextFilter,
  queryAfter,
  queryText,
  readJobQuery,
  readList,
  STATUS_FILTERS,
  type StatusFilter,
  toggleValue,
  toJobPatch,
  withStatus,
  writeJobQuery,
} from '../../lib/console/index.js';
import { JOB_STATUSES } from '../../lib/contract/index.js';
import { sampleJob } from '../support/samples.js';

const jobs = [
  { id: 'aaaa1111-0000-4000-8000-00000000000b', name: 'Alpha', status: 'completed' },
  { id: 'bbbb2222-0000-4000-8000-00000000000a', name: 'beta-ALPHA (2)', status: 'failed' },
  { id: 'cccc3333-0000-4000-8000-00000000000c', name: 'gamma.*', status: 'running' },
] as const;
const statusOnly = (status: StatusFilter) => withStatus(EVERY_JOB, status);

describe('the jobs list', () => {
  it.each<[what: string, search: string, status: StatusFilter, names: string[]]>([
    ['keeps the order in which the jobs were answered', '', 'all', ['Alpha', 'beta-ALPHA (2)', 'gamma.*']],
    ['searches in the name, whatever the case', 'aLpH', 'all', ['Alpha', 'beta-ALPHA (2)']],
    ['takes every character literally', '.*', 'all', ['gamma.*']],
    ['takes an open bracket literally', '(', 'all', ['beta-ALPHA (2)']],
    ['finds nothing by a bracket that is not there', '[', 'all', []],
    ['searches in the id as well', 'B2222-00', 'all', ['beta-ALPHA (2)']],
    ['does not search for the blanks around what was typed', ' \tALPHA ', 'all', ['Alpha', 'beta-ALPHA (2)']],
    ['hides nothing for blanks', '  ', 'all', ['Alpha', 'beta-ALPHA (2)', 'gamma.*']],
    ['filters by status', '', 'failed', ['beta-ALPHA (2)']],
    ['filters by status together with the search', 'alpha', 'completed', ['Alpha']],
    ['shows nothing where one of both hides it', 'alpha', 'running', []],
  ])('%s', (_, search, status, names) =>
    expect(listJobs(jobs, { ...statusOnly(status), search }).rows.map(({ name }) => name)).toEqual(names),
  );

  it('says No matches when everything is hidden, and No jobs yet when there is nothing to hide', () => {
    const placeholder = (search: string, status: StatusFilter, listed: typeof jobs | [] = jobs) =>
      listJobs(listed, { ...statusOnly(status), search }).placeholder;
    expect([placeholder('zzz', 'all'), placeholder('', 'queued')]).toEqual(['No matches', 'No matches']);
    expect([placeholder('zzz', 'failed', []), placeholder('', 'all')]).toEqual(['No jobs yet', null]);
  });

  it('has six chips in their order, one for each status and one for all, and cycles through them', () => {
    const labels = STATUS_FILTERS.map(({ label }) => label);
    expect(labels).toEqual(['All', 'Running', 'Completed', 'Queued', 'Failed', 'Cancelled']);
    const values = STATUS_FILTERS.map(({ value }) => value);
    expect([...values].sort()).toEqual(['all', ...JOB_STATUSES].sort());
    expect(values.map(nextFilter)).toEqual([...values.slice(1), 'all']);
  });

  it('counts its rows, of how many when some are hidden, and offers completed jobs to chat with', () => {
    const counts = [jobCount(0, 0), jobCount(1, 1), jobCount(1, 3), jobCount(0, 1200)];
    expect(counts).toEqual(['0 jobs', '1 job', '1 of 3 jobs', '0 of 1,200 jobs']);
    const trained = { status: 'completed', artifactCount: 1 } as const;
    const without = [
      { status: 'completed', artifactCount: 0 },
      { status: 'cancelled', artifactCount: 1 },
    ] as const;
    expect(completedJobs([...without, trained])).toEqual([trained]);
  });
});

describe('tags, notes and groups', () => {
  const tagged = [
    { ...jobs[0], tags: ['baseline', 'v2'], note: 'Learns too slowly' },
    { ...jobs[1], tags: ['v2'], note: null, group: { id: 'g1', settings: [] } },
    { ...jobs[2], tags: [], group: null },
  ];
  const found = (query: Partial<JobListQuery>) =>
    listJobs(tagged, { ...EVERY_JOB, ...query }).rows.map(({ name }) => name.split(' ')[0]);

  it.each([
    ['only when asked for: tags', 'BASE', []],
    ['only when asked for: notes', 'too slowly', []],
    ['whatever the case', ' Tag: BASE', ['Alpha']],
    ['by tag', 'tag:v2', ['Alpha', 'beta-ALPHA']],
    ['by note', 'note:too SLOWLY ', ['Alpha']],
    ['each in its own: notes', 'note:v2', []],
    ['each in its own: tags', 'tag:slowly', []],
    ['for any tag, where no text follows', 'tag:', ['Alpha', 'beta-ALPHA']],
    ['for any note, where no text follows', 'note:', ['Alpha']],
  ])('are searched %s', (_, search, names) => expect(found({ search })).toEqual(names));

  it('do not hide a name that has these words in it', () => {
    const named = { ...jobs[2], name: 'my tag:v2' };
    const { rows } = listJobs([...tagged, named], { search: 'tag:v2' });
    expect(rows).toEqual([tagged[0], tagged[1], named]);
  });

  it('filter: a job has all of the tags, and one of the values of any other field', () => {
    expect([found({ tags: ['v2'] }), found({ tags: ['v'] })]).toEqual([['Alpha', 'beta-ALPHA'], []]);
    expect([found({ tags: ['v2', 'baseline'] }), found({ group: ['g1'] })]).toEqual([
      ['Alpha'],
      ['beta-ALPHA'],
    ]);
    expect(found({ status: ['failed', 'running'] })).toEqual(['beta-ALPHA', 'gamma.*']);
  });

  it('count what each filter would show beside the others', () => {
    const all = countFilters(tagged, EVERY_JOB);
    expect(all.statuses).toEqual({ all: 3, running: 1, completed: 1, queued: 0, failed: 1, cancelled: 0 });
    const [v2, baseline] = ['v2', 'baseline'].map(value => ({ value, count: 1, isOn: false }));
    const tags = { name: 'tags', label: 'Tags' };
    expect(all.values).toEqual([{ ...tags, choices: [{ ...v2, count: 2 }, baseline] }]);
    const some = countFilters(tagged, { search: 'alpha', status: ['failed'], tags: ['baseline'] });
    expect(some.statuses).toMatchObject({ all: 1, completed: 1, failed: 0 });
    expect(some.values).toEqual([{ ...tags, choices: [{ value: 'baseline', count: 0, isOn: true }] }]);
    expect(countFilters(tagged, statusOnly('failed')).values).toEqual([{ ...tags, choices: [v2] }]);
    expect(countFilters(tagged, statusOnly('running')).values).toEqual([]);
  });

  it('are turned on and off', () => {
    const on = toggleValue(EVERY_JOB, 'tags', 'v2');
    const queries = [EVERY_JOB, on, { search: '  ' }, { ...EVERY_JOB, group: ['g1'] }];
    expect(queries.map(isFiltering)).toEqual([false, true, false, true]);
    expect(toggleValue(on, 'tags', 'v2').tags).toEqual([]);
    expect([EVERY_JOB, statusOnly('failed'), statusOnly('all')].map(chosenStatus)).toEqual([
      'all',
      'failed',
      'all',
    ]);
  });

  it('are named in a line of text', () => {
    expect(queryText({ search: 'bug', tags: ['v2', 'b'], status: ['failed'] })).toBe('/bug #v2 #b');
    expect(queryText(EVERY_JOB)).toBe('');
  });
});

describe('the query in an address', () => {
  it('is empty if nothing is hidden, and says what it said, without nonsense, when read again', () => {
    expect(writeJobQuery({ search: '  ', status: [], tags: [], group: [] })).toBe('');
    expect(writeJobQuery({ search: ' a b ' })).toBe('search=a+b');
    const query = { search: 'a&b=c', status: ['failed'], tags: ['x y', 'z'], group: ['g1'] } as const;
    expect(readJobQuery(writeJobQuery(query))).toEqual(query);
    const broken = readJobQuery('status=broken&status=all&tag=&tag=a&tag=a&other=1&group=');
    expect(broken).toEqual({ ...EVERY_JOB, tags: ['a'] });
    const twice = readJobQuery('status=failed&status=queued&group=a&group=b');
    expect(twice).toEqual({ ...EVERY_JOB, status: ['failed'], group: ['a'] });
  });

  it('of the link to all jobs leaves a sweep, keeps the rest, and follows an address of jobs only', () => {
    const latest = { search: 'bug', status: ['failed'], tags: ['a'], group: ['sweep'] };
    expect(queryAfter('#/jobs', latest)).toEqual({ ...latest, group: [] });
    expect(queryAfter('#/jobs?group=other', latest)).toEqual({ ...EVERY_JOB, group: ['other'] });
    expect(queryAfter('#/jobs/1a2b', latest)).toBe(latest);
  });
});

it('the job before and after is the one above and below in the first list that has it, if any', () => {
  const rows = [{ id: 'c' }, { id: 'b' }, { id: 'a' }];
  expect([neighborJob(rows, 'b', -1), neighborJob(rows, 'b', 1)]).toEqual(['c', 'a']);
  const beyond = [neighborJob(rows, 'c', -1), neighborJob(rows, 'a', 1), neighborJob(rows, 'z', 1)];
  expect(beyond).toEqual([null, null, null]);
  const filtered = [{ id: 'b' }];
  expect(listWith('b', [undefined, filtered, rows])).toBe(filtered);
  expect([listWith('a', [filtered, rows]), listWith('z', [filtered, rows])]).toEqual([rows, null]);
});

describe('editing a job', () => {
  const job = sampleJob({ tags: ['a', 'b'], note: 'why' });
  const draft = (typed: Partial<JobDraft>) => ({ ...draftOf(job), ...typed });

  it('begins with what it has, reads tags between commas once each, and needs a name', () => {
    expect(draftOf(job)).toMatchObject({ name: 'triage', tags: 'a, b', note: 'why' });
    expect(draftOf(sampleJob())).toMatchObject({ name: 'triage', tags: '', note: '' });
    expect([readList(' a ,b,, a,two words '), readList(' , ')]).toEqual([['a', 'b', 'two words'], []]);
    expect([jobNameProblem('  '), jobNameProblem('x')]).toEqual(['A job needs a name.', null]);
  });

  it('changes only what differs', () => {
    expect(toJobPatch(job, draftOf(job))).toBeNull();
    expect(toJobPatch(job, draft({ name: ' triage ', tags: 'a,b', note: 'why ' }))).toBeNull();
    expect(toJobPatch(job, draft({ name: 'trial' }))).toEqual({ name: 'trial' });
    expect(toJobPatch(job, draft({ tags: 'b', note: '' }))).toEqual({ tags: ['b'], note: '' });
  });
});
