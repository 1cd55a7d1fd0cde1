// What `svc cloud gc` removes, and what it must keep.
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../support/until.js';
import { addDeployment } from './add-deployment.js';
import { createScriptedRunner, type ScriptedRunner } from './scripted-runner.js';
import { openTestJobs, type TestJobs } from './test-jobs.js';

let runner: ScriptedRunner;
let cloud: TestJobs;
beforeEach(async () => {
  runner = createScriptedRunner();
  cloud = await openTestJobs(runner);
});
afterEach(() => cloud.close());

const days = (count: number) => count * 24 * 60 * 60 * 1000;
const pass = (ms: number) => {
  cloud.clock.at += ms;
};
const names = (...path: string[]) => readdir(join(cloud.folder, ...path)).then(found => found.sort());

/** Writes a file in the cloud's folder, `age` days old. */
async function put(path: string, content: string, age = 0): Promise<void> {
  const file = join(cloud.folder, path);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, content);
  const then = new Date(Date.now() - days(age));
  await utimes(file, then, then);
}

describe('collecting garbage', () => {
  it('removes nothing from a new cloud', async () => {
    expect(await cloud.jobs.collectGarbage()).toEqual({ files: 0, bytes: 0 });
  });

  it('removes leftovers of deleted and finished jobs, and keeps every listed adapter', async () => {
    await cloud.jobs.start();
    const { id } = await cloud.create();
    const run = await runner.next();
    await run.checkpoint(5);
    await run.complete();
    await cloud.until(id, 'completed');
    await addDeployment(cloud.db, { slug: 'bot', jobId: id, step: 5 });
    await cloud.jobs.close();
    await put(`jobs/${id}/checkpoint-7/optimizer.safetensors`, '12345');
    await put(`jobs/${id}/adapters/checkpoint-7/adapter_config.json`, '123');
    await put('jobs/00000000-0000-4000-8000-000000000000/adapters/final/adapter_config.json', '1');
    expect(await cloud.jobs.collectGarbage()).toEqual({ files: 3, bytes: 9 });
    expect(await names('jobs')).toEqual([id]);
    expect(await names('jobs', id)).toEqual(['adapters', 'attempt']);
    expect(await names('jobs', id, 'adapters')).toEqual(['checkpoint-5', 'final']);
    expect(await cloud.jobs.collectGarbage()).toEqual({ files: 0, bytes: 0 });
  });

  it('keeps the checkpoints of running and paused jobs', async () => {
    await cloud.jobs.start();
    const { id } = await cloud.create();
    const run = await runner.next();
    await run.checkpoint(5);
    await until(() => names('jobs', id)).toContain('adapters');
    await cloud.jobs.collectGarbage();
    expect(run.has(5)).toBe(true);
    await cloud.jobs.close(10);
    await cloud.jobs.collectGarbage();
    expect(run.has(5)).toBe(true);
  });

  it('keeps files of a cancelled trainer that has not exited yet', async () => {
    await cloud.jobs.start();
    const { id } = await cloud.create();
    const run = await runner.next();
    await run.save('checkpoint-5.partial');
    await cloud.json('POST', `/v1/jobs/${id}/cancel`);
    expect(await cloud.jobs.collectGarbage()).toEqual({ files: 0, bytes: 0 });
    run.end('cancelled');
    await until(() => names('jobs', id)).toEqual(['attempt']);
  });

  it('counts no freed bytes for a file that has another hard link', async () => {
    await cloud.jobs.start();
    const { id } = await cloud.create();
    const run = await runner.next();
    await run.checkpoint(5);
    await until(() => names('jobs', id, 'adapters').catch(() => [])).toEqual(['checkpoint-5']);
    await cloud.jobs.close(10);
    await cloud.json('POST', `/v1/jobs/${id}/cancel`);
    const optimizer = 'moments'.length;
    expect(await cloud.jobs.collectGarbage()).toEqual({ files: 3, bytes: optimizer });
    const adapter = join(cloud.folder, 'jobs', id, 'adapters', 'checkpoint-5', 'adapter_model.safetensors');
    expect(await readFile(adapter, 'utf8')).toBe('weights of checkpoint-5');
  });

  it('removes data sets that no job uses after a day', async () => {
    const datasetId = await cloud.upload('{"text":"read"}');
    await cloud.create({ datasetSource: { type: 'upload', datasetId } });
    await cloud.upload('{"text":"unread"}');
    pass(days(0.5));
    expect(await cloud.jobs.collectGarbage()).toEqual({ files: 0, bytes: 0 });
    await cloud.upload('{"text":"young"}');
    pass(days(0.6));
    expect(await cloud.jobs.collectGarbage()).toEqual({ files: 1, bytes: '{"text":"unread"}'.length });
    expect(await names('datasets')).toHaveLength(2);
  });

  it('removes files without a database row, and interrupted uploads', async () => {
    await put('datasets/0123', 'abc');
    await put('uploads/x.part', 'de');
    expect(await cloud.jobs.collectGarbage()).toEqual({ files: 2, bytes: 5 });
  });

  it('keeps an upload that is still in progress', async () => {
    let send!: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({
      start: controller => {
        send = controller;
      },
    });
    const response = cloud.call('POST', '/v1/datasets', body, { 'x-filename': 'rows.jsonl' });
    send.enqueue(Buffer.from('{"text":"a"}\n'));
    await until(() => names('uploads').catch(() => [])).toHaveLength(1);
    expect(await cloud.jobs.collectGarbage()).toEqual({ files: 0, bytes: 0 });
    send.enqueue(Buffer.from('{"text":"b"}\n'));
    send.close();
    expect(await (await response).json()).toMatchObject({ dataset: { rows: 2 } });
    expect(await names('uploads')).toEqual([]);
  });

  it('removes downloads after a day, unless a job still needs them', async () => {
    const waiting = await cloud.create();
    await put('downloads/blob-needed', 'a', 2);
    await put('downloads/blob-old', 'bcd', 2);
    await put('downloads/blob-young', 'e', 0.5);
    await cloud.db
      .insertInto('job_downloads')
      .values({ job_id: waiting.id, role: 'training', file: 'blob-needed', name: 'x' })
      .execute();
    expect(await cloud.jobs.collectGarbage()).toEqual({ files: 1, bytes: 3 });
    expect(await names('downloads')).toEqual(['blob-needed', 'blob-young']);
    await cloud.json('POST', `/v1/jobs/${waiting.id}/cancel`);
    expect(await cloud.jobs.collectGarbage()).toEqual({ files: 1, bytes: 1 });
  });
});
