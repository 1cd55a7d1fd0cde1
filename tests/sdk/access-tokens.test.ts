// Access tokens while the identity provider is unreachable: it is retried, but not on every call.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAccessTokens } from '../../lib/sdk/session/access-tokens.js';
import { sampleSignedIn } from '../support/samples.js';
import { writeCredentials } from '../support/write-credentials.js';

let home: string;
let server: Server;
let asked: number;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-tokens-'));
  asked = 0;
  server = createServer((_, response) => {
    asked++;
    response.writeHead(503).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.close();
  await rm(home, { recursive: true });
});

const write = (fields: Parameters<typeof sampleSignedIn>[0]) => {
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const old = { accessToken: 'old', refreshToken: 'r', expiresAt: 0, issuer };
  return writeCredentials(home, { here: sampleSignedIn({ ...old, ...fields }) });
};

describe('an unreachable identity provider', () => {
  it('is asked once by all callers, and again after a while', async () => {
    await write({});
    let now = 1_000_000;
    const tokens = () => createAccessTokens(home, 'here', () => now);
    expect(await tokens().get()).toBe('old');
    const once = asked;
    expect(once).toBeGreaterThan(0);
    for (let i = 0; i < 3; i++) expect(await tokens().get()).toBe('old');
    await expect(tokens().renew('old')).rejects.toMatchObject({ status: 502, code: 'issuer_unreachable' });
    expect(asked).toBe(once);
    now += 6000;
    expect(await tokens().get()).toBe('old');
    expect(asked).toBe(2 * once);
  });

  it('is not asked if another process already renewed the token or ended the session', async () => {
    await write({ accessToken: 'new' });
    expect(await createAccessTokens(home, 'here').renew('old')).toBe('new');
    await write({ refreshToken: null });
    expect(await createAccessTokens(home, 'here').renew('old')).toBeNull();
    await write({ ended: true });
    for (const call of ['get', 'renew'] as const)
      await expect(createAccessTokens(home, 'here')[call]('old')).rejects.toMatchObject({
        code: 'unauthenticated',
        message: expect.stringContaining('svc login'),
      });
    expect(asked).toBe(0);
  });
});
