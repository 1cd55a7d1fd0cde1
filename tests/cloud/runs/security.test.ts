// What the tokens of an attempt cannot do: anything but their own attempt, and nothing after it.
import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createRunApi } from '../../../lib/cloud/runs/run-api.js';
import type { JobRunner, RemoteAttempt } from '../../../lib/cloud/seams/runner.js';
import type { Claim } from '../../../lib/contract/index.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { until } from '../../support/until.js';
import { openTestJobs, type TestJobs } from '../jobs/test-jobs.js';

let modelFolder: string;
let test: TestJobs;
beforeAll(async () => {
  modelFolder = await makeModelFolder();
});
afterEach(() => test.close());
afterAll(() => rm(modelFolder, { recursive: true }));

const ROWS = '{"prompt":"How much is 1 and 1?","completion":"2"}\n{"prompt":"And 2 and 2?","completion":"4"}';
const SHA = 'a'.repeat(64);

/** Every door of an attempt but the claim. */
const DOORS: [method: string, path: string, body?: string][] = [
  ['POST', 'report', JSON.stringify({ from: 0, events: [] })],
  ['GET', 'model/config.json'],
  ['GET', 'rows/training'],
  ['GET', 'rows/evaluation'],
  ['GET', 'initial'],
  ['GET', 'checkpoint'],
  ['POST', 'folders/final', 'x'],
];

/** Two attempts at jobs of the same cloud, left to whoever claims them. */
async function open(): Promise<[RemoteAttempt, RemoteAttempt]> {
  const attempts: RemoteAttempt[] = [];
  const start: JobRunner['start'] = (_, desk) => {
    let leave = () => {};
    const left = new Promise<'left'>(resolve => {
      leave = () => resolve('left');
    });
    const ended = desk.admit().then(async attempt => {
      attempts.push(attempt);
      const end = await Promise.race([attempt.ended, left]);
      return {
        status: typeof end === 'string' ? ('paused' as const) : end.status,
        exitCode: 0,
        signal: null,
      };
    });
    return { ended, cancel: leave, pause: leave, kill: leave };
  };
  test = await openTestJobs({ start }, { modelFolder, concurrency: 2 });
  await test.jobs.start();
  for (const name of ['mine', 'theirs']) {
    const datasetId = await test.upload(`${ROWS}\n{"text":"of ${name}"}`);
    await test.create({ datasetSource: { type: 'upload', datasetId } }, name);
  }
  await until(() => attempts).toHaveLength(2);
  return attempts as [RemoteAttempt, RemoteAttempt];
}

async function knock(
  url: string,
  token: string,
  [method, path, body]: (typeof DOORS)[number],
): Promise<Response> {
  const api = createRunApi({ ...test.jobs.remote, guard: () => {}, deps: { log: () => {} } });
  const type = path.startsWith('folders') ? 'application/octet-stream' : 'application/json';
  const headers = { authorization: `Bearer ${token}`, 'content-type': type, 'x-svc-sha256': SHA };
  return (await api(new Request(`http://cloud${url}/${path}`, { method, headers, ...(body && { body }) })))!;
}

const CLAIM = JSON.stringify({ worker: '10.0.0.7', pid: 1, versions: {}, gpus: 0 });

async function claim({ url, claimToken }: RemoteAttempt): Promise<string> {
  const response = await knock(url, claimToken!, ['POST', 'claim', CLAIM]);
  expect(response.status).toBe(200);
  return ((await response.json()) as Claim).token;
}

async function expectShut(url: string, token: string): Promise<void> {
  for (const door of DOORS) expect([door[1], (await knock(url, token, door)).status]).toEqual([door[1], 401]);
}

it('a claim token opens nothing but the claim, and nothing at all once the attempt has ended', async () => {
  const [mine, theirs] = await open();
  const token = await claim(mine);
  await expectShut(mine.url, mine.claimToken!);
  expect((await knock(theirs.url, mine.claimToken!, ['POST', 'claim', CLAIM])).status).toBe(401);
  const last = JSON.stringify({ from: 0, events: [], ended: { status: 'failed' } });
  expect((await knock(mine.url, token, ['POST', 'report', last])).status).toBe(200);
  await until(async () => (await knock(mine.url, mine.claimToken!, ['POST', 'claim', CLAIM])).status).toBe(
    401,
  );
  await expectShut(mine.url, token);
});

it('a run token reads no rows of another job, reports for none, and ends with the next claim', async () => {
  const [mine, theirs] = await open();
  const [token] = [await claim(mine), await claim(theirs)];
  expect((await knock(mine.url, token, DOORS[2]!)).status).toBe(200);
  await expectShut(theirs.url, token);
  expect((await knock(mine.url, token, ['POST', 'claim', CLAIM])).status).toBe(401);
  for (const path of ['model/..%2F..%2Fcloud.db', 'model/%2e%2e', 'rows/..', 'rows/..%2Fvalidation'])
    expect((await knock(mine.url, token, ['GET', path])).status).not.toBe(200);
  await claim(mine);
  await expectShut(mine.url, token);
});

it('tokens are stored as digests, and no line of the log has one', async () => {
  const [mine] = await open();
  const token = await claim(mine);
  const stored = JSON.stringify(await test.db.selectFrom('attempts').selectAll().execute());
  for (const secret of [token, mine.claimToken!]) {
    expect(stored).not.toContain(secret);
    expect(JSON.stringify(test.log)).not.toContain(secret);
  }
});
