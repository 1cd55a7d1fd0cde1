// svc endpoints requests and svc data from-requests, against a cloud in memory.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FakeCloud } from '../../support/fake-cloud.js';
import { openRemoteProject, type RemoteProject } from '../../support/remote-project.js';
import { sampleKept } from '../../support/sample-kept.js';
import { sampleDeployment } from '../../support/samples.js';
import { callCli, startCli, type TerminalOptions } from '../support/terminal.js';

const id = (number: number) => `${number}a2b3c4d-0000-4000-8000-000000000004`;
const tools = [{ type: 'function' as const, function: { name: 'look' } }];
const call = { id: 'call_1', type: 'function' as const, function: { name: 'look', arguments: '{"a":1}' } };

let cloud: FakeCloud;
let project: RemoteProject;
beforeEach(async () => {
  project = await openRemoteProject();
  await project.link();
  ({ cloud } = project);
  cloud.deployments.push(sampleDeployment({ keepRequests: true }));
  cloud.kept.push(
    sampleKept({ id: id(1), mark: 'good', tools, answer: { content: null, tool_calls: [call] } }),
    sampleKept({ id: id(2), mark: 'corrected', correction: { content: 'Today.' } }),
    sampleKept({ id: id(3), outcome: 'aborted', answer: { content: 'It arr' }, mark: 'good' }),
    sampleKept({ id: id(4), mark: 'bad' }),
    sampleKept({ id: id(5) }),
  );
});
afterEach(() => project.close());

const svc = (argv: string[], options: Partial<TerminalOptions> = {}) =>
  callCli(argv, { cwd: project.cwd, ...options, env: { ...project.env, ...options.env } });
const requests = (...argv: string[]) => svc(['endpoints', 'requests', 'demo', ...argv]);
const written = async (file: string) =>
  (await readFile(join(project.cwd, file), 'utf8'))
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));

describe('svc endpoints requests', () => {
  it('lists what is kept, and for how long', async () => {
    const { stdout } = await requests();
    expect(stdout).toContain('It arrives tomorrow.');
    expect(stdout).toContain('It arr [caller left]');
    expect(stdout).toContain('look({"a":1})');
    expect(stdout).toContain('5 of 5 requests · Requests and answers are kept for 7 days.');
    expect((await requests('--mark', 'corrected', '--json')).stdout).toContain('"corrected":1');
    expect(JSON.parse((await requests('--mark', 'bad', '--json')).stdout).requests).toHaveLength(1);
    expect(JSON.parse((await requests('--last', '2', '--json')).stdout).requests).toHaveLength(2);
  });

  it('shows one by the start of its ID', async () => {
    const { stdout } = await requests('2a2b');
    expect(stdout).toMatch(
      /user\nMy parcel is late\.\n\nanswer\nIt arrives tomorrow\.\n\ncorrected\nToday\.\n/,
    );
    expect(JSON.parse((await requests(id(2), '--json')).stdout)).toEqual({ request: cloud.kept[1] });
    expect(await requests('99')).toMatchObject({ exitCode: 1 });
  });

  it('marks and corrects', async () => {
    await requests('5a2b', '--good');
    expect(cloud.kept[4]).toMatchObject({ mark: 'good' });
    await requests('5a2b', '--bad');
    expect(cloud.kept[4]).toMatchObject({ mark: 'bad' });
    await requests('5a2b', '--correct', 'Tomorrow.');
    expect(cloud.kept[4]).toMatchObject({ mark: 'corrected', correction: { content: 'Tomorrow.' } });
    await requests('5a2b', '--unmark');
    expect(cloud.kept[4]).toMatchObject({ mark: null, correction: null });
  });

  it('deletes one', async () => {
    expect((await requests('5a2b', '--delete')).stdout).toBe('Deleted request 5a2b3c4d.\n');
    expect(cloud.kept.map(one => one.id)).toEqual([id(1), id(2), id(3), id(4)]);
  });

  it.each([
    [['--delete'], 'specify the ID'],
    [['5a2b', '--delete', '--bad'], 'use one of'],
    [['--good'], 'specify the ID'],
    [['5a2b', '--good', '--bad'], 'use one of'],
    [['5a2b', '--correct', ' '], 'must not be empty'],
  ])('refuses %j', async (argv, reason) => {
    expect(await requests(...argv)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(reason) });
  });

  it('says how to keep requests where none are kept', async () => {
    cloud.deployments[0]!.keepRequests = false;
    expect((await requests()).stdout).toContain('svc endpoints update demo --keep-requests');
  });
});

describe('svc data from-requests', () => {
  const from = (...argv: string[]) => svc(['data', 'from-requests', 'demo', ...argv]);
  const user = { role: 'user', content: 'My parcel is late.' };

  it('writes good and corrected answers, the oldest first, with tools and calls', async () => {
    const { stdout } = await from();
    expect(stdout).toBe(
      'Wrote 2 rows to demo.jsonl.\n1 answer left out, because it is not whole. Correct it to use it.\n',
    );
    expect(await written('demo.jsonl')).toEqual([
      { messages: [user, { role: 'assistant', content: 'Today.' }] },
      { messages: [user, { role: 'assistant', content: null, tool_calls: [call] }], tools },
    ]);
  });

  it('writes what was chosen', async () => {
    expect(JSON.parse((await from('--good', '--out', 'a.jsonl', '--json')).stdout)).toEqual({
      file: 'a.jsonl',
      rows: 1,
      skipped: 1,
    });
    await from('--corrected', '--out', 'b.jsonl');
    await from('--all', '--out', 'c.jsonl');
    expect((await written('b.jsonl')).length).toBe(1);
    expect((await written('c.jsonl')).length).toBe(3);
    expect(await from('--all', '--good')).toMatchObject({ exitCode: 2 });
  });

  it('never overwrites a file', async () => {
    await writeFile(join(project.cwd, 'demo.jsonl'), 'mine');
    expect(await from()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('exists already') });
    expect(await readFile(join(project.cwd, 'demo.jsonl'), 'utf8')).toBe('mine');
  });

  it('writes no file where there is nothing to write', async () => {
    cloud.kept.splice(0, 4);
    expect(await from()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('--good') });
    await expect(readFile(join(project.cwd, 'demo.jsonl'))).rejects.toThrow('ENOENT');
  });
});

describe('svc endpoints update', () => {
  const update = (...argv: string[]) => svc(['endpoints', 'update', 'demo', ...argv]);

  it('turns keeping on, with a time', async () => {
    cloud.deployments[0]!.keepRequests = false;
    const { stdout } = await update('--keep-requests', '--keep-for', '30');
    expect(stdout).toContain('Requests and answers are kept for 30 days.');
    expect(cloud.deployments[0]).toMatchObject({ runRetentionMode: 'days', runRetentionDays: 30 });
    expect(await update('--keep-for', 'ever')).toMatchObject({ exitCode: 2 });
    expect(await update('--keep-requests', '--no-keep-requests')).toMatchObject({ exitCode: 2 });
  });

  it('asks before it deletes what is kept', async () => {
    const argv = ['endpoints', 'update', 'demo', '--no-keep-requests'];
    const asked = startCli(argv, { cwd: project.cwd, env: project.env, isTTY: true });
    await asked.shown('Delete the 5 requests that demo keeps? [y/N] ');
    asked.type('n\n');
    expect(await asked.done).toMatchObject({ exitCode: 1 });
    expect(cloud.deployments[0]).toMatchObject({ keepRequests: true });
    await update('--no-keep-requests', '--yes');
    expect(cloud.deployments[0]).toMatchObject({ keepRequests: false });
  });
});
