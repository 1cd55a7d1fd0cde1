// What deleting a job removes, and when it is refused.
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { addDeployment } from './add-deployment.js';
import { jobsPerTest } from './jobs-per-test.js';

let unloaded: string[];
beforeEach(() => {
  unloaded = [];
});
const cloud = jobsPerTest({ onUnload: sha256 => unloaded.push(sha256) });

async function complete(datasetId?: string): Promise<string> {
  const { id, run } = await cloud.begin(datasetId ? { datasetSource: { type: 'upload', datasetId } } : {});
  await run.checkpoint(5);
  await cloud.finish(run);
  return id;
}

const upload = () => cloud.upload('{"text":"a"}');
const remove = (id: string) => cloud.json('DELETE', `/v1/jobs/${id}`);
const stored = async () => (await readdir(join(cloud.folder, 'datasets'))).length;

async function expectRefused(id: string, message: RegExp): Promise<void> {
  const refused = await cloud.refusal('DELETE', `/v1/jobs/${id}`);
  expect(refused).toMatchObject({ status: 409, code: 'job_in_use', message: expect.stringMatching(message) });
  expect(refused.retry).toBe('false');
}

describe('deleting a job', () => {
  it('removes its log, its adapters, which the backend may still hold, and its data', async () => {
    const id = await complete(await upload());
    expect(await stored()).toBe(1);
    const adapters = await cloud.db.selectFrom('artifacts').select('sha256').execute();
    expect([unloaded, adapters.length]).toEqual([[], 2]);
    await remove(id);
    expect(unloaded).toEqual(adapters.map(({ sha256 }) => sha256));
    expect([existsSync(join(cloud.folder, 'jobs', id)), await stored()]).toEqual([false, 0]);
    for (const table of ['jobs', 'events', 'artifacts', 'job_datasets', 'datasets'] as const)
      expect(await cloud.db.selectFrom(table).selectAll().execute()).toEqual([]);
    for (const method of ['GET', 'DELETE'])
      expect((await cloud.call(method, `/v1/jobs/${id}`)).status).toBe(404);
  });

  it('keeps data that another job uses', async () => {
    const data = await upload();
    const [one, other] = [await complete(data), await complete(data)];
    await remove(one);
    expect(await stored()).toBe(1);
    await remove(other);
    expect(await stored()).toBe(0);
  });

  it('keeps data that was uploaded again since, for another job', async () => {
    const id = await complete(await upload());
    cloud.clock.at += 1000;
    await upload();
    await remove(id);
    expect(await stored()).toBe(1);
  });

  it('keeps data that someone else uploaded earlier but has not used yet', async () => {
    const [mine, theirs] = [await upload(), await upload()];
    await remove(await complete(mine));
    expect(await stored()).toBe(1);
    await remove(await complete(theirs));
    expect(await stored()).toBe(0);
  });

  it('keeps data that another organization also uploaded', async () => {
    const id = await complete(await upload());
    await cloud.call('POST', '/v1/datasets?orgSlug=org-b&projectSlug=one', Buffer.from('{"text":"a"}'));
    await remove(id);
    expect(await stored()).toBe(1);
  });

  it('is refused while it is queued or running', async () => {
    const running = await cloud.begin();
    await expectRefused(running.id, /running.*Cancel it first/);
    const queued = await cloud.create();
    await expectRefused(queued.id, /queued.*Cancel it first/);
    expect((await cloud.list()).map(({ status }) => status)).toEqual(['queued', 'running']);
  });

  it('is refused while an endpoint uses it, and names the endpoint', async () => {
    const id = await complete();
    await addDeployment(cloud.db, { slug: 'my-bot', jobId: id, step: null });
    await expectRefused(id, /`my-bot`/);
    expect(existsSync(join(cloud.folder, 'jobs', id, 'adapters', 'final'))).toBe(true);
    await cloud.db.deleteFrom('deployments').execute();
    await remove(id);
  });

  it('kills a cancelled trainer that is still running instead of waiting for it', async () => {
    const { id, run } = await cloud.begin();
    await cloud.cancel(id);
    await remove(id);
    expect(run.told).toEqual(['cancel', 'kill']);
    expect(existsSync(join(cloud.folder, 'jobs', id))).toBe(false);
  });
});
