// GET /healthz: degraded with the problem, then ok again without a restart.
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { CloudDeps } from '../../../lib/cloud/deps.js';
import { LOCKED } from '../../../lib/cloud/store/storage-fault.js';
import { until } from '../../support/until.js';
import { saying, scriptedBackend } from '../backends/scripted-backend.js';
import { lockForeign } from '../store/foreign-writer.js';
import { openMemoryCloud, SECRET } from './memory-cloud.js';

async function open(deps: Partial<CloudDeps> = {}) {
  const cloud = await openMemoryCloud(deps);
  onTestFinished(() => cloud.close());
  return { cloud, health: () => cloud.client().getHealth(SECRET) };
}

it('reports degraded with the reason while another process locks the database', async () => {
  const { cloud, health } = await open();
  const writer = await lockForeign(join(cloud.folder, 'cloud.db'), 60_000);
  onTestFinished(() => writer.stop());
  expect(await health()).toMatchObject({ status: 'ok', idle: true });
  const writing = cloud.signUp();
  const degraded = { status: 'degraded', problems: [{ part: 'store', message: LOCKED }] };
  await until(health).toMatchObject({ ...degraded, jobs: { running: 0, queued: 0 } });
  const response = await cloud.call('/healthz');
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
  const error = { message: LOCKED, type: 'server_error', code: 'storage_unavailable', param: null };
  expect(await response.json()).toEqual({ error, ...degraded });
  await writer.stop();
  await writing;
  await until(health).toMatchObject({ status: 'ok' });
});

it('reports degraded while the engine cannot start', async () => {
  const { health } = await open({ backend: { ...scriptedBackend(saying()), state: 'failed' } });
  const problems = [{ part: 'engine', message: expect.stringContaining('cannot start') }];
  expect(await health()).toMatchObject({ status: 'degraded', problems });
});
