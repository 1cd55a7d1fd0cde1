// How long requests are kept, how many, and what happens where they cannot be written.
import { chmodSync, statSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { stageBackup } from '../../../lib/cloud/backup/make-backup.js';
import { makePrivateFolder } from '../../../lib/cloud/disk/own-folder.js';
import { createKeptFile, type KeptFile } from '../../../lib/cloud/kept-requests/kept-db.js';
import { createKeptRequests } from '../../../lib/cloud/kept-requests/kept-requests.js';
import { openConnection } from '../../../lib/cloud/store/sqlite.js';
import { passUntil } from '../../support/pass-until.js';
import { until } from '../../support/until.js';
import { end, saying, scriptedBackend, text } from '../backends/scripted-backend.js';
import { bearer } from '../edge/sample-edge.js';
import { lockHere } from '../store/open-here.js';
import { type KeptCloud, openKeptCloud } from './sample-kept-cloud.js';

const DAY_MS = 24 * 60 * 60 * 1000;

let cloud: KeptCloud;
afterEach(() => cloud.close());

const open = async (options: Parameters<typeof openKeptCloud>[1] = {}, body?: object) => {
  cloud = await openKeptCloud(scriptedBackend(saying(text('Hello'), end(5, 1))), options, body);
};
const ask = async (content: string, more = {}) => {
  const messages = [{ role: 'user', content }];
  const response = await cloud.sample.chat('demo', { messages, ...more }, bearer(cloud.key));
  expect([response.status, await response.json()]).toMatchObject([200, {}]);
};
/** The first letter of each, the newest first. */
const initials = async () => (await asked()).map(content => String(content)[0]).join('');
const asked = async (query?: string) =>
  (await cloud.list(query)).requests.map(({ messages }) => messages[0]!.content);
/** Asks, and finds nothing else kept. */
const askFirst = async (content: string) => {
  await ask(content);
  expect(await asked()).toEqual([content]);
};
const change = (body: object) => cloud.call('PATCH', `/${cloud.deployment.id}`, body);
const pass = (days: number) => cloud.clock.pass(days * DAY_MS);
/** Looks again after each time that writing may be tried again. */
const untilRetried = <T>(read: () => T | Promise<T>) =>
  until(async () => {
    await cloud.clock.pass(2000);
    return read();
  });
/** All that is in the folder, whatever the file. */
async function bytesOnDisk(): Promise<string> {
  const names = await readdir(cloud.folder);
  const files = names.filter(name => name.startsWith('requests.db'));
  return (await Promise.all(files.map(name => readFile(join(cloud.folder, name), 'latin1')))).join('');
}
const callFirst = async (method: string, body?: object) => {
  const [first] = (await cloud.list()).requests;
  return cloud.call(method, `/${cloud.deployment.id}/requests/${first!.id}`, body);
};
/** What the next process does with the same folder. */
const openAgain = () =>
  createKeptRequests(cloud.db, { folder: cloud.folder, clock: cloud.clock, log: () => {} });

describe('a kept request', () => {
  it('is gone after seven days for readers at once, and from the disk with the next sweep', async () => {
    await open();
    await ask('early secret');
    await pass(6);
    await ask('late');
    expect(await asked()).toEqual(['late', 'early secret']);
    await pass(1);
    expect(await asked()).toEqual(['late']);
    expect(await cloud.list()).toMatchObject({ counts: { all: 1 } });
    expect(await bytesOnDisk()).toContain('early secret');
    await cloud.kept.start();
    expect(await bytesOnDisk()).not.toContain('early secret');
    await cloud.clock.pass(6 * DAY_MS - 1);
    expect(await bytesOnDisk()).toContain('late');
    // Every minute.
    await until(async () => {
      await cloud.clock.pass(60_000);
      return (await bytesOnDisk()).includes('late');
    }).toBe(false);
  });

  it('lives as long as its endpoint’s retention says, also when that changes', async () => {
    await open({}, { keepRequests: true, runRetentionMode: 'unlimited' });
    await ask('old');
    await pass(3650);
    expect(await asked()).toEqual(['old']);
    await ask('new');
    await change({ runRetentionMode: 'days', runRetentionDays: 30 });
    expect(await asked()).toEqual(['new']);
    await change({ runRetentionMode: 'unlimited' });
    expect(await asked()).toEqual(['new']);
  });

  it('is deleted when keeping is turned off, and with its endpoint', async () => {
    await open();
    await askFirst('secret one');
    const { status } = await change({ keepRequests: false });
    expect([status, await asked()]).toEqual([200, []]);
    await ask('secret two');
    await change({ keepRequests: true });
    expect(await asked()).toEqual([]);
    await askFirst('secret three');
    await cloud.call('DELETE', `/${cloud.deployment.id}`);
    await until(async () => !/secret (?:one|two|three)/.test(await bytesOnDisk())).toBe(true);
  });

  it('is not written once keeping was turned off while it was answered', async () => {
    await open();
    await ask('hello');
    await cloud.list();
    const id = cloud.deployment.id;
    await cloud.db.updateTable('deployments').set({ keep_requests: 0 }).where('id', '=', id).execute();
    await ask('too late');
    await cloud.db.updateTable('deployments').set({ keep_requests: 1 }).where('id', '=', id).execute();
    // What is read now was written after `too late` would have been.
    await cloud.kept.enforce();
    await ask('again');
    expect(await asked()).not.toContain('too late');
  });

  it('needs a retention', async () => {
    await open({}, {});
    const refused = await change({ keepRequests: true, runRetentionMode: 'disabled' });
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { param: 'keepRequests' } }]);
    await change({ keepRequests: true });
    expect((await change({ runRetentionMode: 'disabled' })).status).toBe(400);
    expect((await change({ runRetentionMode: 'disabled', keepRequests: false })).status).toBe(200);
  });

  it('survives a restart of the cloud', async () => {
    await open();
    await ask('before');
    await cloud.kept.close();
    const again = openAgain();
    const row = await cloud.db.selectFrom('deployments').selectAll().executeTakeFirstOrThrow();
    expect((await again.list(row, {})).requests).toMatchObject([{ messages: [{ content: 'before' }] }]);
    await again.close();
  });
});

describe('what is deleted', () => {
  it('is off the disk at once, or with the first sweep after another process stops reading', async () => {
    await open();
    await ask('secret one');
    await callFirst('PATCH', { correction: { content: 'a secret correction' } });
    await callFirst('DELETE');
    expect(await bytesOnDisk()).not.toMatch(/secret (?:one|correction)/);
    await askFirst('secret two');
    const reader = openConnection(join(cloud.folder, 'requests.db'), []);
    reader.exec('BEGIN');
    reader.query('SELECT count(*) FROM requests', []);
    await callFirst('DELETE');
    expect(await bytesOnDisk()).toContain('secret two');
    reader.exec('COMMIT');
    reader.close();
    await cloud.kept.enforce();
    expect(await bytesOnDisk()).not.toContain('secret two');
  });

  it('is off the disk with the next sweep if it made room or was corrected otherwise', async () => {
    await open({ limits: { requests: 1 } });
    for (const content of ['secret', 'more']) await askFirst(content);
    for (const content of ['a secret correction', 'another'])
      await callFirst('PATCH', { correction: { content } });
    await cloud.kept.enforce();
    expect(await bytesOnDisk()).not.toContain('secret');
    expect(await bytesOnDisk()).toContain('another');
  });

  it('is off the disk with the first sweep of a cloud whose predecessor was killed meanwhile', async () => {
    await open();
    await ask('secret');
    await cloud.list();
    const killed = openConnection(join(cloud.folder, 'requests.db'), ['secure_delete = ON']);
    killed.exec('DELETE FROM requests');
    expect(await bytesOnDisk()).toContain('secret');
    const again = openAgain();
    await again.enforce();
    expect(await bytesOnDisk()).not.toContain('secret');
    await again.close();
    killed.close();
  });
});

it.skipIf(process.platform === 'win32')(
  'the database of kept requests belongs to the folder, which can be made private again',
  async () => {
    await open();
    await askFirst('hello');
    chmodSync(cloud.folder, 0o755);
    makePrivateFolder(cloud.folder);
    expect(statSync(cloud.folder).mode & 0o777).toBe(0o700);
  },
);

it('a backup has no kept requests', async () => {
  await open();
  await askFirst('secret');
  // They have no files here, which a backup would miss.
  await cloud.db.deleteFrom('artifacts').execute();
  const stage = await mkdtemp(join(tmpdir(), 'svc-stage-'));
  const { names } = await stageBackup(cloud.folder, async () => stage);
  expect(names).toEqual(['cloud.db']);
  expect(await readFile(join(stage, 'cloud.db'), 'latin1')).not.toContain('secret');
  await rm(stage, { recursive: true });
});

describe('the room for kept requests', () => {
  it('has a limit for each endpoint: the oldest go first, and marked ones last', async () => {
    await open({ limits: { requests: 3 } });
    await ask('1');
    await callFirst('PATCH', { mark: 'good' });
    for (const content of ['2', '3', '4', '5']) await ask(content);
    expect(await initials()).toBe('541');
  });

  it('is measured in bytes, too', async () => {
    await open({ limits: { bytes: 3000 } });
    for (const number of [1, 2, 3, 4]) await ask(`${number}${'x'.repeat(1000)}`);
    expect(await initials()).toBe('43');
  });

  it('is not for requests that are too large, which are counted', async () => {
    await open({ limits: { requestBytes: 1000 } });
    for (const content of ['x'.repeat(5000), 'é'.repeat(480), 'small']) await ask(content);
    expect(await asked()).toEqual(['small']);
    expect(await cloud.list()).toMatchObject({ skipped: 2 });
  });

  it('is returned to the system', async () => {
    await open();
    for (let number = 0; number < 20; number++) await ask('x'.repeat(50_000));
    expect(await asked('limit=1')).toHaveLength(1);
    expect((await bytesOnDisk()).length).toBeGreaterThan(1_000_000);
    await change({ keepRequests: false });
    await until(async () => (await bytesOnDisk()).length < 100_000).toBe(true);
  });
});

describe('pages of kept requests', () => {
  it('continue where the page before ended, while others come in', async () => {
    await open();
    for (const content of ['1', '2', '3', '4', '5']) await ask(content);
    const first = await cloud.list('limit=2');
    await ask('6');
    const second = await cloud.list(`limit=2&cursor=${first.nextCursor}`);
    const third = await cloud.list(`limit=2&cursor=${second.nextCursor}`);
    const seen = [first, second, third].flatMap(({ requests }) =>
      requests.map(({ messages }) => messages[0]!.content),
    );
    expect([seen, third.nextCursor]).toEqual([['5', '4', '3', '2', '1'], null]);
  });

  it('end early where requests are large', async () => {
    await open();
    for (let number = 0; number < 12; number++) await ask('x'.repeat(200_000));
    const { requests, nextCursor } = await cloud.list();
    expect(requests).toHaveLength(10);
    expect((await cloud.list(`cursor=${nextCursor}`)).requests).toHaveLength(2);
  });
});

describe('where requests cannot be written', () => {
  const untilLogged = (words: string) =>
    untilRetried(() => cloud.keptLog.some(line => line.includes(words))).toBe(true);

  it('answers do not wait, and requests are kept once the database is free', async () => {
    await open();
    await askFirst('first');
    const unlock = lockHere(join(cloud.folder, 'requests.db'));
    await ask('meanwhile');
    expect(await passUntil(cloud.clock, asked(), 8)).toEqual(['first']);
    unlock();
    await untilRetried(asked).toEqual(['meanwhile', 'first']);
    expect(cloud.keptLog.join('\n')).not.toMatch(/meanwhile|Hello/);
  });

  it('all of a request counts in memory, not only what was said', async () => {
    const small = await fullDisk();
    const bytes = 20_000;
    await open({ file: small.file, limits: { waitingBytes: 3.5 * bytes } });
    await askFirst('first');
    small.fill();
    const parameters = { type: 'object', description: 'x'.repeat(bytes) };
    for (const name of ['1', '2', '3', '4', '5'])
      await ask(name, { tools: [{ type: 'function', function: { name, parameters } }] });
    await untilLogged('were not kept');
    small.free();
    await untilRetried(initials).toBe('543f');
    await small.remove();
  });

  it('no answer is lost on a full disk; the oldest requests are, beyond what fits in memory', async () => {
    const small = await fullDisk();
    await open({ file: small.file, limits: { waiting: 3 } });
    await askFirst('first');
    small.fill();
    for (const number of [1, 2, 3, 4, 5]) await ask(`${number} ${'x'.repeat(20_000)}`);
    await untilLogged("The cloud's disk is full.");
    await untilLogged('were not kept');
    expect(await asked()).toEqual(['first']);
    small.free();
    await untilRetried(initials).toBe('543f');
    expect(cloud.keptLog.at(-1)).toContain('kept again');
    expect(cloud.keptLog.join('\n')).not.toContain('xxx');
    await small.remove();
  });
});

/** A database that cannot grow while the disk is full. Each failure reopens its connection, which forgets the limit. */
async function fullDisk() {
  const folder = await mkdtemp(join(tmpdir(), 'svc-full-'));
  const real = createKeptFile(folder);
  let isFull = false;
  const open = async () => {
    const db = await real.open();
    if (isFull) await sql.raw('PRAGMA max_page_count = 1').execute(db);
    return db;
  };
  const file: KeptFile = { ...real, open, openExisting: open };
  const become = (full: boolean) => () => {
    isFull = full;
  };
  return { file, fill: become(true), free: become(false), remove: () => rm(folder, { recursive: true }) };
}
