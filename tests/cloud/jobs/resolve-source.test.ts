// Data at a URL: fetched once per job, with its token, even across restarts.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { startServer } from '../../engine/train/data/web-server.js';
import { until } from '../../support/until.js';
import { jobsToOpen } from './jobs-per-test.js';

const token = 'tok-3cr3t';
const server = await startServer((request, response) => {
  const isAllowed = request.headers.authorization === `Bearer ${token}` && request.url!.includes('sig=ok');
  if (!isAllowed) response.writeHead(403).end();
  else response.setHeader('content-type', 'text/csv').end('text\na\n');
});
const blob = { type: 'blob', url: `${server.url}/rows?sig=ok`, token } as const;

const cloud = jobsToOpen();
beforeEach(() => {
  server.requests.length = 0;
});

describe('data at a URL', () => {
  it('is downloaded with its token and passed to the trainer as a file', async () => {
    await cloud.openStarted();
    const { run } = await cloud.begin({ datasetSource: blob, evalDatasetSource: blob });
    const [file] = await readdir(join(cloud.folder, 'downloads'));
    const source = { type: 'file', path: join(cloud.folder, 'downloads', file!), fileName: 'rows.csv' };
    expect(run.task.request).toMatchObject({ source, evaluationSource: source });
  });

  it('is downloaded once and reused by later attempts, even after a restart loses the token', async () => {
    await cloud.openStarted();
    const { run: first } = await cloud.begin({ datasetSource: blob });
    expect(server.requests).toHaveLength(1);
    first.die('SIGKILL');
    const second = await cloud.runner.next();
    second.onTold = () => second.end('paused');
    await cloud.restart();
    await cloud.jobs.start();
    const third = await cloud.runner.next();
    expect(third.task.request.source).toEqual(first.task.request.source);
    expect(server.requests).toHaveLength(1);
    await cloud.finish(third);
  });

  it('fails its job when the server refuses it, and names the server', async () => {
    await cloud.openStarted();
    const { id } = await cloud.create({ datasetSource: { ...blob, token: 'other' } });
    const { error } = await cloud.until(id, 'failed');
    expect(error).toMatch(/^rows: 127\.0\.0\.1 answered 403; use a token/);
    expect(cloud.runner.runs).toEqual([]);
  });

  it('is not downloaded from a loopback address by an exposed cloud', async () => {
    await cloud.openStarted({ exposed: true });
    const { id } = await cloud.create({ datasetSource: blob });
    expect((await cloud.until(id, 'failed')).error).toMatch(/^rows: /);
    expect(server.requests).toEqual([]);
  });

  async function createWithSilentServer() {
    const silent = await startServer(() => {});
    await cloud.openStarted();
    const { id } = await cloud.create({ datasetSource: { type: 'blob', url: silent.url } });
    await until(() => silent.requests.length).toBe(1);
    return { id, silent };
  }

  it('is downloaded again after a restart during the download', async () => {
    const { id, silent } = await createWithSilentServer();
    await cloud.restart();
    await cloud.until(id, 'running');
    await cloud.jobs.start();
    await until(() => silent.requests.length).toBe(2);
  });

  it('is abandoned when its job is cancelled', async () => {
    const { id } = await createWithSilentServer();
    await cloud.cancel(id);
    const next = await cloud.begin();
    expect(next.run.task.jobId).toBe(next.id);
    expect(await cloud.story(id)).toBe('end cancelled');
  });
});
