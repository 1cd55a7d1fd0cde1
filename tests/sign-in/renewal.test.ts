// Tokens are renewed before they expire and when they are refused: once, even if several callers need them.
import { chmod, readFile, stat } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildProgram, type Program } from '../cli/support/run-bin.js';
import { openWorld, type World } from './world.js';

let program: Program;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.remove());

let world: World;
beforeEach(async () => {
  world = await openWorld();
  await world.login();
  await world.link();
  world.forget();
});

const LIST = 'GET /v1/jobs';
const LONG_AGO = new Date(0).toISOString();
const WORN = { accessToken: 'eyJ.no.token' };
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const list = () => world.svc('jobs', 'list');
const listed = async () => expect((await list()).exitCode).toBe(0);
const refused = (exitCode: number, said: string) => world.expectFailure('jobs list', exitCode, said);

describe('a token', () => {
  it('is used without renewal while it is valid', async () => {
    for (let i = 0; i < 3; i++) await listed();
    expect([world.calls, world.provider.grants]).toEqual([[LIST, LIST, LIST], []]);
  });

  it.each([
    ['expires soon', () => inSeconds(5)],
    ['expired long ago', () => LONG_AGO],
  ])('that %s is renewed before use and stored, for this user only', async (_, expiresAt) => {
    const before = await world.signed();
    await world.change({ expiresAt: expiresAt() });
    await chmod(world.credentials, 0o644);
    await listed();
    expect([world.calls, world.provider.grants]).toEqual([[LIST], ['refresh_token ok']]);
    const after = await world.signed();
    expect(after.accessToken).not.toBe(before.accessToken);
    expect(after.refreshToken).not.toBe(before.refreshToken);
    expect(Date.parse(String(after.expiresAt))).toBeGreaterThan(Date.now());
    expect((await stat(world.credentials)).mode & 0o777).toBe(0o600);
    await listed();
    expect(world.provider.grants).toHaveLength(1);
  });

  it('that is refused is renewed once, and the call repeated, even a whole upload', async () => {
    await world.change(WORN);
    await listed();
    expect([world.calls, world.provider.grants]).toEqual([[LIST, LIST], ['refresh_token ok']]);
    world.forget();
    await world.change(WORN);
    const cloud = await world.session().projectClient();
    const { dataset } = await cloud.uploadDataset('rows.jsonl', new Blob(['{"text":"a"}\n{"text":"b"}\n']));
    expect(dataset).toMatchObject({ rows: 2 });
    expect(world.calls).toEqual(['POST /v1/datasets', 'POST /v1/datasets']);
    expect(world.provider.grants).toEqual(['refresh_token ok']);
  });

  it('is not renewed again when its replacement is refused too', async () => {
    world.provider.audience = 'https://other.test/';
    await world.change(WORN);
    await refused(4, 'svc login');
    expect([world.calls, world.provider.grants]).toEqual([[LIST, LIST], ['refresh_token ok']]);
  });

  it('that cannot be renewed is used while the cloud accepts it', async () => {
    const issuer = 'http://127.0.0.1:9';
    await world.change({ expiresAt: inSeconds(5), issuer });
    await listed();
    await world.change(WORN);
    const unreachable = `Cannot reach the identity provider at ${issuer}.`;
    await refused(1, unreachable);
  });

  it('without a refresh token is used until it is refused', async () => {
    await world.change({ refreshToken: null, expiresAt: LONG_AGO });
    await listed();
    await world.change(WORN);
    await refused(4, 'svc login');
    expect(world.provider.grants).toEqual([]);
  });
});

describe('a refresh token', () => {
  it('is used once for concurrent calls', async () => {
    await world.change({ expiresAt: LONG_AGO });
    const session = world.session();
    const cloud = await session.projectClient();
    await Promise.all([
      ...Array.from({ length: 4 }, () => cloud.listJobs()),
      ...Array.from({ length: 4 }, async () => (await session.projectClient()).listDeployments()),
    ]);
    expect(world.provider.grants).toEqual(['refresh_token ok']);
  });

  it('is used once for concurrent processes', async () => {
    for (const worn of [{ expiresAt: LONG_AGO }, WORN]) {
      world.forget();
      await world.change(worn);
      const runs = Array.from({ length: 3 }, () => program.run(['jobs', 'list', '--json'], world).done);
      for (const { exitCode, stdout } of await Promise.all(runs))
        expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '{"jobs":[]}\n' });
      expect(world.provider.grants).toEqual(['refresh_token ok']);
    }
  });

  it('that was revoked ends the session until svc login', async () => {
    await world.provider.revokeAll();
    await world.change({ ...WORN, expiresAt: LONG_AGO });
    const ended = `svc: Your session at ${world.provider.issuer} has ended. Run \`svc login\`.\n`;
    await refused(4, ended);
    expect(world.calls).toEqual([]);
    // The provider is not asked again, and whoami fails too.
    const { length } = world.provider.calls;
    for (const words of ['jobs list', 'link acme/web', 'whoami'])
      expect((await world.svc(...words.split(' '))).exitCode).toBe(words.startsWith('link') ? 1 : 4);
    expect(world.provider.calls).toHaveLength(length);
    expect((await world.login()).exitCode).toBe(0);
    await listed();
  });
});

it('signing out signs out the commands that are still running', async () => {
  const cloud = await world.session().projectClient();
  await cloud.listJobs();
  await world.svc('logout');
  world.forget();
  await expect(cloud.listJobs()).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(world.calls).toEqual([]);
  expect(await readFile(world.credentials, 'utf8')).not.toContain('accessToken');
});
