// What the tokens of an attempt cannot do: anything but their own attempt, and nothing after it.
import { expect, it } from 'vitest';
import type { RemoteAttempt } from '../../../lib/cloud/seams/runner.js';
import { until } from '../../support/until.js';
import { ABOUT, cloudWithDoor } from './attempts-elsewhere.js';

const door = cloudWithDoor();

const ROWS = '{"prompt":"How much is 1 and 1?","completion":"2"}\n{"prompt":"And 2 and 2?","completion":"4"}';

/** Every door of an attempt but the claim. */
const DOORS: [method: string, path: string, body?: string][] = [
  ['POST', 'report', JSON.stringify({ from: 0, events: [] })],
  ['POST', 'score', JSON.stringify({ step: 1, groups: [] })],
  ['GET', 'model/config.json'],
  ['GET', 'rows/training'],
  ['GET', 'rows/evaluation'],
  ['GET', 'initial'],
  ['GET', 'checkpoint'],
  ['POST', 'folders/final', 'x'],
];

/** Two attempts at jobs of the same cloud, left to whoever claims them. */
async function open(): Promise<[RemoteAttempt, RemoteAttempt]> {
  const { attempts } = await door.open([`${ROWS}\n{"text":"of mine"}`, `${ROWS}\n{"text":"of theirs"}`]);
  return attempts as [RemoteAttempt, RemoteAttempt];
}

async function statusOf(url: string, token: string, [method, path, body]: (typeof DOORS)[number]) {
  const type = path.startsWith('folders') ? 'application/octet-stream' : 'application/json';
  const headers = { 'content-type': type, 'x-svc-sha256': 'a'.repeat(64) };
  return (await door.knock(url, path, token, { method, headers, ...(body && { body }) })).status;
}

const claimStatus = async (url: string, token: string) =>
  (await door.post(url, 'claim', token, ABOUT)).status;

async function expectShut(url: string, token: string): Promise<void> {
  for (const each of DOORS) expect([each[1], await statusOf(url, token, each)]).toEqual([each[1], 401]);
}

it('a claim token opens nothing but the claim, and nothing at all once the attempt has ended', async () => {
  const [mine, theirs] = await open();
  const { token } = await door.claim(mine);
  await expectShut(mine.url, mine.claimToken!);
  expect(await claimStatus(theirs.url, mine.claimToken!)).toBe(401);
  await door.report(mine.url, token, { from: 0, events: [], ended: { status: 'failed' } });
  await until(() => claimStatus(mine.url, mine.claimToken!)).toBe(401);
  await expectShut(mine.url, token);
});

it('a run token reads no rows of another job, reports for none, and ends with the next claim', async () => {
  const [mine, theirs] = await open();
  const [{ token }] = [await door.claim(mine), await door.claim(theirs)];
  expect(await statusOf(mine.url, token, DOORS[3]!)).toBe(200);
  await expectShut(theirs.url, token);
  expect(await claimStatus(mine.url, token)).toBe(401);
  for (const path of ['model/..%2F..%2Fcloud.db', 'model/%2e%2e', 'rows/..', 'rows/..%2Fvalidation'])
    expect(await statusOf(mine.url, token, ['GET', path])).not.toBe(200);
  await door.claim(mine);
  await expectShut(mine.url, token);
});

it('tokens are stored as digests, and no line of the log has one', async () => {
  const [mine] = await open();
  const { token } = await door.claim(mine);
  const stored = JSON.stringify(await door.cloud.db.selectFrom('attempts').selectAll().execute());
  for (const secret of [token, mine.claimToken!]) {
    expect(stored).not.toContain(secret);
    expect(JSON.stringify(door.cloud.log)).not.toContain(secret);
  }
});
