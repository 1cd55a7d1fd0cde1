// Tokens are renewed before they expire and when they are refused: once, even if several callers need them.
import { chmod, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSession } from '../../lib/sdk/index.js';
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
  await world.svc('link', `${(await world.signed()).orgSlug}/web`);
  world.calls.length = 0;
  world.provider.grants.length = 0;
});
afterEach(() => world.close());

const LIST = 'GET /v1/jobs';
const LONG_AGO = new Date(0).toISOString();
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

describe('a token', () => {
  it('is used without renewal while it is valid', async () => {
    for (let i = 0; i < 3; i++) expect((await world.svc('jobs', 'list')).exitCode).toBe(0);
    expect(world.calls).toEqual([LIST, LIST, LIST]);
    expect(world.provider.grants).toEqual([]);
  });

  it.each([
    ['expires soon', () => inSeconds(5)],
    ['expired long ago', () => LONG_AGO],
    ['expired long ago, in seconds', () => 1],
  ])('that %s is renewed before use and stored', async (_, expiresAt) => {
    const before = await world.signed();
    await world.change({ expiresAt: expiresAt() });
    expect((await world.svc('jobs', 'list')).exitCode).toBe(0);
    expect(world.calls).toEqual([LIST]);
    expect(world.provider.grants).toEqual(['refresh_token ok']);
    const after = await world.signed();
    expect(after.accessToken).not.toBe(before.accessToken);
    expect(after.refreshToken).not.toBe(before.refreshToken);
    expect(Date.parse(String(after.expiresAt))).toBeGreaterThan(Date.now());
    expect((await world.svc('jobs', 'list')).exitCode).toBe(0);
    expect(world.provider.grants).toHaveLength(1);
  });

  it('is stored with mode 0600, even if the file was readable by others before', async () => {
    const path = join(world.home, 'credentials.json');
    await world.change({ expiresAt: LONG_AGO });
    await chmod(path, 0o644);
    expect((await world.svc('jobs', 'list')).exitCode).toBe(0);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('that is refused during an upload is renewed, and the whole upload repeated', async () => {
    await world.change({ accessToken: 'eyJ.no.token' });
    const cloud = await openSession({ folder: world.cwd, env: world.env }).projectClient();
    const { dataset } = await cloud.uploadDataset('rows.jsonl', new Blob(['{"text":"a"}\n{"text":"b"}\n']));
    expect(dataset).toMatchObject({ rows: 2 });
    expect(world.calls).toEqual(['POST /v1/datasets', 'POST /v1/datasets']);
    expect(world.provider.grants).toEqual(['refresh_token ok']);
  });

  it('that is refused is renewed once, and the call repeated', async () => {
    await world.change({ accessToken: 'eyJ.no.token' });
    expect((await world.svc('jobs', 'list')).exitCode).toBe(0);
    expect(world.calls).toEqual([LIST, LIST]);
    expect(world.provider.grants).toEqual(['refresh_token ok']);
  });

  it('is not renewed again when its replacement is refused too', async () => {
    world.provider.audience = 'https://other.test/';
    await world.change({ accessToken: 'eyJ.no.token' });
    const { exitCode, stderr } = await world.svc('jobs', 'list');
    expect({ exitCode, stderr }).toEqual({ exitCode: 4, stderr: expect.stringContaining('svc login') });
    expect(world.calls).toEqual([LIST, LIST]);
    expect(world.provider.grants).toEqual(['refresh_token ok']);
  });

  it('that cannot be renewed is used while the cloud accepts it', async () => {
    await world.change({ expiresAt: inSeconds(5), issuer: 'http://127.0.0.1:9' });
    expect((await world.svc('jobs', 'list')).exitCode).toBe(0);
    await world.change({ accessToken: 'eyJ.no.token' });
    expect(await world.svc('jobs', 'list')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Cannot reach the identity provider at http://127.0.0.1:9.'),
    });
  });

  it('without a refresh token is used until it is refused', async () => {
    await world.change({ refreshToken: null, expiresAt: LONG_AGO });
    expect((await world.svc('jobs', 'list')).exitCode).toBe(0);
    await world.change({ accessToken: 'eyJ.no.token' });
    expect(await world.svc('jobs', 'list')).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining('svc login'),
    });
    expect(world.provider.grants).toEqual([]);
  });

  it('with invalid characters is neither sent nor printed', async () => {
    await world.change({ accessToken: 'top\nsecret' });
    const { exitCode, stderr } = await world.svc('jobs', 'list');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('contains invalid characters');
    expect(stderr).not.toContain('secret');
    expect(world.calls).toEqual([]);
  });
});

describe('a refresh token', () => {
  it('is used once for concurrent calls', async () => {
    await world.change({ expiresAt: LONG_AGO });
    const session = openSession({ folder: world.cwd, env: world.env });
    const cloud = await session.projectClient();
    await Promise.all([
      ...Array.from({ length: 4 }, () => cloud.listJobs()),
      ...Array.from({ length: 4 }, async () => (await session.projectClient()).listDeployments()),
    ]);
    expect(world.provider.grants).toEqual(['refresh_token ok']);
  });

  it('is used once for concurrent processes', async () => {
    for (const worn of [{ expiresAt: LONG_AGO }, { accessToken: 'eyJ.no.token' }]) {
      world.provider.grants.length = 0;
      await world.change(worn);
      const { cwd, env } = world;
      const runs = Array.from(
        { length: 3 },
        () => program.run(['jobs', 'list', '--json'], { cwd, env }).done,
      );
      for (const { exitCode, stdout } of await Promise.all(runs))
        expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '{"jobs":[]}\n' });
      expect(world.provider.grants).toEqual(['refresh_token ok']);
    }
  });

  it('that was revoked ends the session until svc login', async () => {
    await world.provider.revokeAll();
    const { exitCode, stderr } = await expired();
    expect({ exitCode, stderr }).toEqual({
      exitCode: 4,
      stderr: `svc: Your session at ${world.provider.issuer} has ended. Run \`svc login\`.\n`,
    });
    expect(world.calls).toEqual([]);
    // The provider is not asked again, and whoami fails too.
    const { length } = world.provider.calls;
    for (const words of ['jobs list', 'link acme/web', 'whoami'])
      expect((await world.svc(...words.split(' '))).exitCode).toBe(words.startsWith('link') ? 1 : 4);
    expect(world.provider.calls).toHaveLength(length);
    expect((await world.login()).exitCode).toBe(0);
    expect((await world.svc('jobs', 'list')).exitCode).toBe(0);
  });

  it('is not printed when the session has ended', async () => {
    const { accessToken, refreshToken } = await world.signed();
    await world.provider.revokeAll();
    const { stdout, stderr } = await expired();
    for (const secret of [accessToken, refreshToken!]) expect(stdout + stderr).not.toContain(secret);
  });
});

describe('signing out during a command', () => {
  it('signs out commands that are still running', async () => {
    const cloud = await openSession({ folder: world.cwd, env: world.env }).projectClient();
    await cloud.listJobs();
    await world.svc('logout');
    world.calls.length = 0;
    await expect(cloud.listJobs()).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(world.calls).toEqual([]);
    expect(await readFile(join(world.home, 'credentials.json'), 'utf8')).not.toContain('accessToken');
  });
});

/** Runs a command with an expired and invalid token. */
async function expired() {
  await world.change({ accessToken: 'eyJ.no.token', expiresAt: LONG_AGO });
  return world.svc('jobs', 'list');
}
