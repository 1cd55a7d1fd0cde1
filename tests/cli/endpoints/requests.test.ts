// svc endpoints requests and svc data from-requests, against a cloud in memory.
import { existsSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { sampleKept } from '../../support/sample-kept.js';
import { sampleDeployment } from '../../support/samples.js';
import { failure, jsonLines, projectOfEach } from '../support/project.js';

const id = (number: number) => `${number}a2b3c4d-0000-4000-8000-000000000004`;
const tools = [{ type: 'function' as const, function: { name: 'look' } }];
const call = { id: 'call_1', type: 'function' as const, function: { name: 'look', arguments: '{"a":1}' } };

const project = projectOfEach({ isLinked: true });
const { svc, json, atTerminal, print } = project;
beforeEach(() => {
  project.cloud.deployments.push(sampleDeployment({ keepRequests: true }));
  project.cloud.kept.push(
    sampleKept({ id: id(1), mark: 'good', tools, answer: { content: null, tool_calls: [call] } }),
    sampleKept({ id: id(2), mark: 'corrected', correction: { content: 'Today.' } }),
    sampleKept({ id: id(3), outcome: 'aborted', answer: { content: 'It arr' }, mark: 'good' }),
    sampleKept({ id: id(4), mark: 'bad' }),
    sampleKept({ id: id(5) }),
  );
});
const written = (file: string) => readFileSync(project.path(file), 'utf8');

describe('svc endpoints requests', () => {
  it('lists what is kept, and for how long', async () => {
    const stdout = await print('endpoints requests demo');
    for (const text of [
      'It arrives tomorrow.',
      'It arr [caller left]',
      'look({"a":1})',
      '5 of 5 requests · Requests and answers are kept for 7 days.',
    ])
      expect(stdout).toContain(text);
    const chosen = async (options: string) => (await json(`endpoints requests demo ${options}`)).requests;
    expect(await chosen('--mark corrected')).toEqual([project.cloud.kept[1]]);
    expect(await chosen('--last 2')).toHaveLength(2);
    project.cloud.deployments[0]!.keepRequests = false;
    expect(await print('endpoints requests demo')).toContain('endpoints update demo --keep-requests');
  });

  it('shows one by the start of its ID', async () => {
    expect(await print('endpoints requests demo 2a2b')).toMatch(
      /user\nMy parcel is late\.\n\nanswer\nIt arrives tomorrow\.\n\ncorrected\nToday\.\n/,
    );
    expect(await json(`endpoints requests demo ${id(2)}`)).toEqual({ request: project.cloud.kept[1] });
    expect(await svc('endpoints requests demo 99')).toMatchObject({ exitCode: 1 });
  });

  it('does not take a filter of the list for a mark', async () => {
    const complaint = '"--mark" is for the list. To mark a request, use "--good", "--bad" or "--unmark".';
    expect(await svc('endpoints requests demo 2a2b --mark good')).toMatchObject(failure(2, complaint));
  });

  it.each([
    ['--good', { mark: 'good' }],
    ['--bad', { mark: 'bad' }],
    ['--correct Tomorrow.', { mark: 'corrected', correction: { content: 'Tomorrow.' } }],
    ['--unmark', { mark: null, correction: null }],
  ])('marks with %s', async (option, kept) => {
    await svc(`endpoints requests demo 2a2b ${option}`);
    expect(project.cloud.kept[1]).toMatchObject(kept);
  });

  it('deletes one', async () => {
    const stdout = 'Deleted request 5a2b3c4d.\n';
    expect(await svc('endpoints requests demo 5a2b --delete')).toMatchObject({ stdout });
    expect(project.cloud.kept.map(one => one.id)).toEqual([id(1), id(2), id(3), id(4)]);
  });
});

describe('svc data from-requests', () => {
  const user = { role: 'user', content: 'My parcel is late.' };

  it('writes good and corrected answers, the oldest first, with tools and calls', async () => {
    expect(await print('data from-requests demo')).toBe(
      'Wrote 2 rows to demo.jsonl.\n1 answer left out, because it is not whole. Correct it to use it.\n',
    );
    expect(jsonLines(written('demo.jsonl'))).toEqual([
      { messages: [user, { role: 'assistant', content: 'Today.' }] },
      { messages: [user, { role: 'assistant', content: null, tool_calls: [call] }], tools },
    ]);
  });

  it.each([
    ['--good', { rows: 1, skipped: 1 }],
    ['--corrected', { rows: 1, skipped: 0 }],
    ['--all', { rows: 3, skipped: 1 }],
  ])('writes what was chosen with %s', async (option, counts) => {
    const answer = await json(`data from-requests demo ${option} --out a.jsonl`);
    expect(answer).toEqual({ file: 'a.jsonl', ...counts });
    expect(jsonLines(written('a.jsonl'))).toHaveLength(counts.rows);
  });

  it('never overwrites a file, and writes none where there is nothing to write', async () => {
    await project.write('demo.jsonl', 'mine');
    expect(await svc('data from-requests demo')).toMatchObject(
      failure(1, 'Could not write demo.jsonl: it exists already'),
    );
    expect(written('demo.jsonl')).toBe('mine');
    project.cloud.kept.splice(0, 4);
    expect(await svc('data from-requests demo --out b.jsonl')).toMatchObject(failure(1, '--good'));
    expect(existsSync(project.path('b.jsonl'))).toBe(false);
  });
});

describe('svc endpoints update', () => {
  it('turns keeping on, with a time', async () => {
    const [demo] = project.cloud.deployments;
    demo!.keepRequests = false;
    expect(await print('endpoints update demo --keep-requests --keep-for 30')).toContain(
      'Requests and answers are kept for 30 days.',
    );
    expect(demo).toMatchObject({ keepRequests: true, runRetentionMode: 'days', runRetentionDays: 30 });
  });

  it('says that a time has no effect while nothing is kept', async () => {
    project.cloud.deployments[0]!.keepRequests = false;
    const { stderr } = await svc('endpoints update demo --keep-for 30');
    expect(stderr).toContain('The endpoint keeps no requests until it is told to with "--keep-requests".');
  });

  it('asks before it deletes what is kept', async () => {
    const asked = atTerminal('endpoints update demo --no-keep-requests');
    await asked.shown('Delete the 5 requests that demo keeps? [y/N] ');
    asked.type('n\n');
    expect(await asked.done).toMatchObject({ exitCode: 1 });
    expect(project.cloud.deployments).toMatchObject([{ keepRequests: true }]);
    await svc('endpoints update demo --no-keep-requests --yes');
    expect(project.cloud.deployments).toMatchObject([{ keepRequests: false }]);
  });
});
