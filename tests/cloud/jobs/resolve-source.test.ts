// Data at a URL: fetched once per job, with its token, even across restarts.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startServer } from '../../engine/train/data/web-server.js';
import { until } from '../../support/until.js';
import { createScriptedRunner, type ScriptedRunner } from './scripted-runner.js';
import { openTestJobs, type TestJobs, type TestOptions } from './test-jobs.js';

const token = 'tok-3cr3t';
const server = await startServer((request, response) => {
  const isAllowed = request.headers.authorization === `Bearer ${token}` && request.url!.includes('sig=ok');
  if (!isAllowed) response.writeHead(403).end();
  else response.setHeader('content-type', 'text/csv').end('text\na\n');
});
const blob = { type: 'blob', url: `${server.url}/rows?sig=ok`, token } as const;

let runner: ScriptedRunner;
let cloud: TestJobs;
beforeEach(() => {
  runner = createScriptedRunner();
  server.requests.length = 0;
});
afterEach(() => cloud.close());

async function open(options: TestOptions = {}): Promise<void> {
  cloud = await openTestJobs(runner, options);
  await cloud.jobs.start();
}

describe('data at a URL', () => {
  it('is downloaded with its token and passed to the trainer as a file', async () => {
    await open();
    await cloud.create({ datasetSource: blob, evalDatasetSource: blob });
    const { request } = (await runner.next()).task;
    const [file] = await readdir(join(cloud.folder, 'downloads'));
    const source = { type: 'file', path: join(cloud.folder, 'downloads', file!), fileName: 'rows.csv' };
    expect(request).toMatchObject({ source, evaluationSource: source });
  });

  it('is downloaded once and reused by later attempts, even after a restart loses the token', async () => {
    await open();
    const { id } = await cloud.create({ datasetSource: blob });
    const first = await runner.next();
    expect(server.requests).toHaveLength(1);
    first.die('SIGKILL');
    const second = await runner.next();
    second.onTold = () => second.end('paused');
    runner = createScriptedRunner();
    cloud = await cloud.reopen(runner);
    await cloud.jobs.start();
    const third = await runner.next();
    expect(third.task.request.source).toEqual(first.task.request.source);
    expect(server.requests).toHaveLength(1);
    await third.complete();
    await cloud.until(id, 'completed');
  });

  it('fails its job when the server refuses it, and names the server', async () => {
    await open();
    const { id } = await cloud.create({ datasetSource: { ...blob, token: 'other' } });
    const { error } = await cloud.until(id, 'failed');
    expect(error).toMatch(/^rows: 127\.0\.0\.1 answered 403; use a token/);
    expect(runner.runs).toEqual([]);
  });

  it('is not downloaded from a loopback address by an exposed cloud', async () => {
    await open({ exposed: true });
    const { id } = await cloud.create({ datasetSource: blob });
    expect((await cloud.until(id, 'failed')).error).toMatch(/^rows: /);
    expect(server.requests).toEqual([]);
  });

  it('is downloaded again after a restart during the download', async () => {
    const silent = await startServer(() => {});
    await open();
    const { id } = await cloud.create({ datasetSource: { type: 'blob', url: silent.url } });
    await until(() => silent.requests.length).toBe(1);
    cloud = await cloud.reopen(runner);
    await cloud.until(id, 'running');
    await cloud.jobs.start();
    await until(() => silent.requests.length).toBe(2);
  });

  it('is abandoned when its job is cancelled', async () => {
    const silent = await startServer(() => {});
    await open();
    const { id } = await cloud.create({ datasetSource: { type: 'blob', url: silent.url } });
    await until(() => silent.requests.length).toBe(1);
    await cloud.json('POST', `/v1/jobs/${id}/cancel`);
    const next = await cloud.create();
    expect((await runner.next()).task.jobId).toBe(next.id);
    expect(await cloud.events(id)).toMatchObject([{ type: 'end', status: 'cancelled' }]);
  });
});
