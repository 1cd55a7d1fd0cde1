// Who can get an identity, whose token is accepted, and the errors for everyone else.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createAccess } from '../../../lib/cloud/auth/authorize.js';
import { createAnonymousIdentity } from '../../../lib/cloud/auth/create-identity.js';
import { isSameText, readBearer } from '../../../lib/cloud/auth/token.js';
import { type Db, openDb } from '../../../lib/cloud/store/db.js';
import type { AnonymousIdentity } from '../../../lib/contract/index.js';
import { saying, scriptedBackend } from '../inference/scripted-backend.js';
import { answerOf, type MemoryCloud, openMemoryCloud, refusalOf, SECRET } from '../serve/memory-cloud.js';

let memory: MemoryCloud;
beforeAll(async () => {
  memory = await openMemoryCloud();
});
afterAll(() => memory.close());

const signUp = (cloud: MemoryCloud, secret: string | null, json: unknown = { kind: 'cli' }) =>
  cloud.call('/v1/auth/anonymous', { method: 'POST', headers: { 'x-svc-cloud-secret': secret }, json });

const askMe = (authorization: string | null, cloud = memory) =>
  cloud.call('/v1/me', { headers: { authorization } });

describe('anonymous sign-up', () => {
  it('creates an identity with a personal organization', async () => {
    const response = await signUp(memory, SECRET);
    expect(response.status).toBe(201);
    const identity = await answerOf<AnonymousIdentity>(response);
    expect(identity).toEqual({
      token: expect.stringMatching(/^svc_anon_[\w-]{43}$/),
      anonymousId: expect.stringMatching(/^[\da-f-]{36}$/),
      kind: 'cli',
      personalOrg: {
        id: expect.any(String),
        slug: expect.stringMatching(/^anon-[a-z2-9]{6}$/),
        name: expect.any(String),
      },
      deploymentDomain: 'localhost:4100',
      baseModel: 'test/model',
    });
    const me = await (await askMe(`Bearer ${identity.token}`)).json();
    expect(me).toEqual({
      mode: 'anonymous',
      subject: identity.anonymousId,
      email: null,
      orgs: [identity.personalOrg],
    });
  });

  it('creates a new identity each time', async () => {
    const [one, other] = [await memory.signUp(), await memory.signUp()];
    expect(one.token).not.toBe(other.token);
    expect(one.personalOrg.slug).not.toBe(other.personalOrg.slug);
    expect((await memory.client(other.token).getMe()).subject).toBe(other.anonymousId);
  });

  it.each([null, '', 'x', SECRET.slice(1), `${SECRET}x`, SECRET.toUpperCase()])(
    'requires the secret on a local cloud, rejects %s',
    async secret => {
      expect(await refusalOf(await signUp(memory, secret))).toMatchObject({
        status: 403,
        code: 'anonymous_disabled',
        message: expect.stringContaining('cloud.json'),
      });
    },
  );

  it('needs no secret when sign-up is open, and is refused when it is off', async () => {
    const open = await openMemoryCloud({ anonymous: 'open', exposed: true });
    expect((await signUp(open, null)).status).toBe(201);
    await open.close();
    const off = await openMemoryCloud({ anonymous: 'off', exposed: true });
    expect(await refusalOf(await signUp(off, SECRET))).toMatchObject({
      status: 403,
      code: 'anonymous_disabled',
      message: expect.stringMatching(/^No one can sign in: .*--oauth-issuer.*--anonymous.*API keys/),
    });
    await off.close();
  });

  it('picks another organization name when one is taken', async () => {
    const db = await openDb(':memory:');
    const names = ['anon-aaaaaa', 'anon-aaaaaa', 'anon-bbbbbb'];
    const draw = () => names.shift()!;
    const first = await db
      .transaction()
      .execute(transaction => createAnonymousIdentity(transaction, new Date(), draw));
    const second = await db
      .transaction()
      .execute(transaction => createAnonymousIdentity(transaction, new Date(), draw));
    expect([first.personalOrg.slug, second.personalOrg.slug]).toEqual(['anon-aaaaaa', 'anon-bbbbbb']);
    await db.destroy();
  });

  it('stores only the digest of the token', async () => {
    const db = await openDb(':memory:');
    const { token } = await db
      .transaction()
      .execute(transaction => createAnonymousIdentity(transaction, new Date()));
    const rows = JSON.stringify(await db.selectFrom('identities').selectAll().execute());
    expect(rows).not.toContain(token.slice('svc_anon_'.length));
    expect(rows).toMatch(/"token_hash":"[\da-f]{64}"/);
    await db.destroy();
  });
});

describe('a caller', () => {
  it.each([null, '', 'Bearer', 'Bearer ', 'Basic dTpw', 'svc_anon_x', 'Bearer a b'])(
    'without a valid token is told to run svc login: %s',
    async authorization => {
      const response = await askMe(authorization);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(await refusalOf(response)).toMatchObject({
        status: 401,
        code: 'unauthenticated',
        message: expect.stringContaining('svc login'),
      });
    },
  );

  it('with a token unknown to a local cloud is told to run svc logout', async () => {
    const { token } = await memory.signUp();
    for (const unknown of [`${token}x`, token.slice(0, -1), `svc_anon_${'A'.repeat(43)}`]) {
      expect(await refusalOf(await askMe(`Bearer ${unknown}`))).toMatchObject({
        status: 401,
        code: 'unauthenticated',
        message: 'This cloud does not know you (was its data wiped?): run `svc logout`.',
      });
    }
  });

  it('with a token unknown to a remote cloud is told to run svc login', async () => {
    const remote = await openMemoryCloud({ anonymous: 'open', exposed: true });
    for (const token of [`svc_anon_${'A'.repeat(43)}`, 'eyJhbGciOiJub25lIn0.e30.'])
      expect((await refusalOf(await askMe(`Bearer ${token}`, remote))).message).toContain('svc login');
    await remote.close();
  });

  it.each([null, `svc_anon_${'A'.repeat(43)}`, 'eyJhbGciOiJub25lIn0.e30.'])(
    'is not told to run svc login when no one can sign in: %s',
    async token => {
      const closed = await openMemoryCloud({ anonymous: 'off', exposed: true });
      const { message } = await refusalOf(await askMe(token && `Bearer ${token}`, closed));
      expect(message).toContain(
        'no identity provider, and anonymous identities are off. Ask its operator to restart it',
      );
      expect(message).not.toContain('svc login');
      await closed.close();
    },
  );

  it('may write the Bearer scheme in any case', async () => {
    const { token } = await memory.signUp();
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      expect((await askMe(`${scheme} ${token}`)).status).toBe(200);
  });

  it('has any token without the svc_anon_ prefix checked by the identity provider', async () => {
    const db: Db = await openDb(':memory:');
    const asked: string[] = [];
    const access = createAccess({
      db,
      local: false,
      verifier: {
        verify: async token => {
          asked.push(token);
          return token === 'good' ? { identityId: 'i', mode: 'oauth', subject: 'someone' } : null;
        },
      },
    });
    const identify = (token: string) =>
      access.authenticate(new Request('http://x', { headers: { authorization: `Bearer ${token}` } }));
    expect(await identify('good')).toEqual({ identityId: 'i', mode: 'oauth', subject: 'someone' });
    await expect(identify('bad')).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(identify('svc_anon_good')).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(asked).toEqual(['good', 'bad']);
    await db.destroy();
  });
});

describe('the cloud itself', () => {
  it('proves that it knows the secret without revealing it', async () => {
    const text = await (await memory.call('/v1/cloud?nonce=4f1e')).text();
    expect(text).not.toContain(SECRET);
    expect(JSON.parse(text)).toEqual({
      version: '1.2.3',
      baseModel: 'test/model',
      deploymentDomain: 'localhost:4100',
      proof: createHmac('sha256', SECRET).update('4f1e').digest('hex'),
    });
    expect(await (await memory.call('/v1/cloud')).json()).toMatchObject({ proof: null });
    expect((await memory.call('/v1/cloud?nonce=')).status).toBe(400);
    expect((await memory.call(`/v1/cloud?nonce=${'x'.repeat(129)}`)).status).toBe(400);
  });

  it('is healthy unless its engine has failed', async () => {
    expect(await (await memory.call('/healthz')).json()).toEqual({ status: 'ok' });
    const ill = await openMemoryCloud({
      backend: { ...scriptedBackend(saying()), state: 'failed' },
    });
    expect(await refusalOf(await ill.call('/healthz'))).toMatchObject({
      status: 503,
      code: 'engine_unavailable',
    });
    await ill.close();
  });

  it('shows its activity, collects garbage and stops only with the secret', async () => {
    const headers = { 'x-svc-cloud-secret': SECRET };
    expect(await (await memory.call('/healthz', { headers })).json()).toEqual({
      status: 'ok',
      idle: true,
      jobs: { queued: 0, running: 0 },
      files: { running: 0, waiting: 0 },
    });
    expect(await memory.client().collectGarbage(SECRET)).toEqual({ collected: { files: 0, bytes: 0 } });
    const { token } = await memory.signUp();
    for (const given of [{}, { 'x-svc-cloud-secret': 'x' }, { authorization: `Bearer ${token}` }]) {
      for (const path of ['/v1/cloud/gc', '/v1/cloud/stop']) {
        const response = await memory.call(path, { method: 'POST', headers: given });
        expect(await refusalOf(response)).toMatchObject({ status: 401, code: 'unauthenticated' });
      }
    }
    const stopped = vi.fn();
    const ending = await openMemoryCloud({ stop: stopped });
    expect(await ending.client().stopCloud(SECRET)).toEqual({ pid: process.pid });
    expect(stopped).toHaveBeenCalledOnce();
    await ending.close();
  });
});

it('compares strings in full and reads a single bearer token', () => {
  expect([isSameText('a', 'a'), isSameText('a', 'b'), isSameText('a', 'aa'), isSameText('', '')]).toEqual([
    true,
    false,
    false,
    true,
  ]);
  const bearerOf = (authorization: string) =>
    readBearer(new Request('http://x', { headers: { authorization } }));
  expect([bearerOf('Bearer  x '), bearerOf('Bearer x y'), bearerOf('Token x')]).toEqual(['x', null, null]);
});
