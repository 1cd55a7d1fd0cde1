// What deleting a job removes, and when it is refused.
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addDeployment } from './add-deployment.js';
import { createScriptedRunner, type ScriptedRunner } from './scripted-runner.js';
import { openTestJobs, type TestJobs } from './test-jobs.js';

let runner: ScriptedRunner;
let cloud: TestJobs;
let unloaded: string[];
beforeEach(async () => {
  runner = createScriptedRunner();
  unloaded = [];
  cloud = await openTestJobs(runner, { onUnload: sha256 => unloaded.push(sha256) });
  await cloud.jobs.start();
});
afterEach(() => cloud.close());

async function complete(config = {}): Promise<string> {
  const { id } = await cloud.create(config);
  const run = await runner.next();
  await run.checkpoint(5);
  await run.complete();
  await cloud.until(id, 'completed');
  return id;
}

const upload = (rows: string) =>
  cloud.upload(rows).then(datasetId => ({ datasetSource: { type: 'upload', datasetId } as const }));
const deletion = (id: string) => cloud.call('DELETE', `/v1/jobs/${id}`);
async function remove(id: string): Promise<void> {
  expect((await deletion(id)).status).toBe(200);
}
const stored = () => readdir(join(cloud.folder, 'datasets'));

describe('deleting a job', () => {
  it('removes its log, its adapters and its data', async () => {
    const id = await complete(await upload('{"text":"a"}'));
    expect(await stored()).toHaveLength(1);
    await remove(id);
    expect((await cloud.call('GET', `/v1/jobs/${id}`)).status).toBe(404);
    expect(existsSync(join(cloud.folder, 'jobs', id))).toBe(false);
    expect(await stored()).toEqual([]);
    for (const table of ['jobs', 'events', 'artifacts', 'job_datasets', 'datasets'] as const)
      expect(await cloud.db.selectFrom(table).selectAll().execute()).toEqual([]);
    expect((await deletion(id)).status).toBe(404);
  });

  it('unloads its adapters, which the backend may still hold', async () => {
    const id = await complete();
    const rows = await cloud.db.selectFrom('artifacts').select('sha256').execute();
    expect(unloaded).toEqual([]);
    await remove(id);
    expect(unloaded).toEqual(rows.map(({ sha256 }) => sha256));
    expect(unloaded).toHaveLength(2);
  });

  it('keeps data that another job uses', async () => {
    const config = await upload('{"text":"a"}');
    const id = await complete(config);
    const other = await complete(config);
    await remove(id);
    expect(await stored()).toHaveLength(1);
    await remove(other);
    expect(await stored()).toEqual([]);
  });

  it('keeps data that was uploaded again since, for another job', async () => {
    const id = await complete(await upload('{"text":"a"}'));
    cloud.clock.at += 1000;
    await upload('{"text":"a"}');
    await remove(id);
    expect(await stored()).toHaveLength(1);
  });

  it('keeps data that someone else uploaded earlier but has not used yet', async () => {
    const mine = await upload('{"text":"a"}');
    const theirs = await upload('{"text":"a"}');
    await remove(await complete(mine));
    expect(await stored()).toHaveLength(1);
    await remove(await complete(theirs));
    expect(await stored()).toEqual([]);
  });

  it('keeps data that another organization also uploaded', async () => {
    const id = await complete(await upload('{"text":"a"}'));
    await cloud.call('POST', '/v1/datasets?orgSlug=org-b&projectSlug=one', Buffer.from('{"text":"a"}'));
    await remove(id);
    expect(await stored()).toHaveLength(1);
  });

  it.each(['queued', 'running'] as const)('is refused while it is %s', async status => {
    const running = await cloud.create();
    await runner.next();
    const { id } = status === 'queued' ? await cloud.create() : running;
    const response = await deletion(id);
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({
      error: { code: 'job_in_use', message: expect.stringMatching(new RegExp(`${status}.*Cancel it first`)) },
    });
    await cloud.until(id, status);
  });

  it('is refused while an endpoint uses it, and names the endpoint', async () => {
    const id = await complete();
    await addDeployment(cloud.db, { slug: 'my-bot', jobId: id, step: null });
    const response = await deletion(id);
    expect([response.status, await response.json()]).toMatchObject([
      409,
      { error: { code: 'job_in_use', message: expect.stringContaining('`my-bot`') } },
    ]);
    expect(existsSync(join(cloud.folder, 'jobs', id, 'adapters', 'final'))).toBe(true);
    await cloud.db.deleteFrom('deployments').execute();
    await remove(id);
  });

  it('kills a cancelled trainer that is still running instead of waiting for it', async () => {
    const { id } = await cloud.create();
    const run = await runner.next();
    await cloud.json('POST', `/v1/jobs/${id}/cancel`);
    await remove(id);
    expect(run.told).toEqual(['cancel', 'kill']);
    expect(existsSync(join(cloud.folder, 'jobs', id))).toBe(false);
  });
});
