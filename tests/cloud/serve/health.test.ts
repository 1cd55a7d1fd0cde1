// GET /healthz while another process locks the database: degraded with the problem, then ok again without a restart.
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { InferenceBackend } from '../../../lib/cloud/seams/backend.js';
import { LOCKED } from '../../../lib/cloud/store/storage-fault.js';
import { until } from '../../support/until.js';
import { saying, scriptedBackend } from '../inference/scripted-backend.js';
import { type ForeignWriter, lockForeign } from '../store/foreign-writer.js';
import { type MemoryCloud, openMemoryCloud, SECRET } from './memory-cloud.js';

let cloud: MemoryCloud;
let writer: ForeignWriter;
beforeEach(async () => {
  cloud = await openMemoryCloud();
  writer = await lockForeign(join(cloud.folder, 'cloud.db'), 60_000);
});
afterEach(async () => {
  await writer.stop();
  await cloud.close();
});

const health = () => cloud.client().getHealth(SECRET);
const problems = [{ part: 'store', message: LOCKED }];

it('reports degraded with the reason until the database is unlocked', async () => {
  expect(await health()).toMatchObject({ status: 'ok', idle: true });
  const writing = cloud.signUp();
  await until(health).toMatchObject({ status: 'degraded', problems, jobs: { running: 0, queued: 0 } });
  const response = await cloud.call('/healthz');
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
  expect(await response.json()).toEqual({
    error: { message: LOCKED, type: 'server_error', code: 'storage_unavailable', param: null },
    status: 'degraded',
    problems,
  });
  await writer.stop();
  await writing;
  await until(health).toMatchObject({ status: 'ok' });
});

it('reports degraded while the engine cannot start', async () => {
  const backend: InferenceBackend = {
    ...scriptedBackend(saying()),
    state: 'failed',
    // biome-ignore lint/correctness/useYield: it is never called.
    async *ask() {
      throw new Error('No chat is answered here.');
    },
    close: async () => {},
  };
  const other = await openMemoryCloud({ backend });
  expect(await other.client().getHealth(SECRET)).toMatchObject({
    status: 'degraded',
    problems: [{ part: 'engine', message: expect.stringContaining('cannot start') }],
  });
  await other.close();
});
