// Who can get an identity, whose token is accepted, and the errors for everyone else.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createAccess } from '../../../lib/cloud/auth/authorize.js';
import { createAnonymousIdentity } from '../../../lib/cloud/auth/identities.js';
import { openDb } from '../../../lib/cloud/store/db.js';
import type { AnonymousIdentity } from '../../../lib/contract/index.js';
import { saying, scriptedBackend } from '../backends/scripted-backend.js';
import { answerOf, type MemoryCloud, openMemoryCloud, refusalOf, SECRET } from '../host/memory-cloud.js';

let memory: MemoryCloud;
beforeAll(async () => {
  memory = await openMemoryCloud();
});
afterAll(() => memory.close());

const signUp = (cloud: MemoryCloud, secret: string | null, json: unknown = { kind: 'cli' }) =>
  cloud.call('/v1/auth/anonymous', { method: 'POST', headers: { 'x-svc-cloud-secret': secret }, json });

const askMe = (authorization: string | null, cloud = memory) =>
  cloud.call('/v1/me', { headers: { authorization } });
const refusedMe = async (authorization: string | null, cloud = memory) =>
  refusalOf(await askMe(authorization, cloud));
const NOBODY = `svc_anon_${'A'.repeat(43)}`;
const NO_JWT = 'eyJhbGciOiJub25lIn0.e30.';
const has = (text: string) => expect.stringContaining(text);

/** A new identity in a database of its own, which closes with the test. */
async function openIdentities() {
  const db = await openDb(':memory:');
  onTestFinished(() => db.destroy());
  const create = (draw?: () => string) =>
    db.transaction().execute(transaction => createAnonymousIdentity(transaction, new Date(), draw));
  return { db, create };
}

describe('anonymous sign-up', () => {
  it('creates a new identity with a personal organization each time', async () => {
    const response = await signUp(memory, SECRET);
    expect(response.status).toBe(201);
    const identity = await answerOf<AnonymousIdentity>(response);
    const { personalOrg } = identity;
    expect(identity).toEqual({
      token: expect.stringMatching(/^svc_anon_[\w-]{43}$/),
      anonymousId: expect.stringMatching(/^[\da-f-]{36}$/),
      kind: 'cli',
      personalOrg: { id: expect.any(String), slug: personalOrg.slug, name: expect.any(String) },
      deploymentDomain: 'localhost:4100',
      baseModel: 'test/model',
    });
    expect(personalOrg.slug).toMatch(/^anon-[a-z2-9]{6}$/);
    const me = await (await askMe(`Bearer ${identity.token}`)).json();
    const subject = identity.anonymousId;
    expect(me).toEqual({ mode: 'anonymous', subject, email: null, orgs: [personalOrg] });
    const other = await memory.signUp();
    expect(other.token).not.toBe(identity.token);
    expect(other.personalOrg.slug).not.toBe(personalOrg.slug);
    expect((await memory.client(other.token).getMe()).subject).toBe(other.anonymousId);
  });

  it('requires the secret on a local cloud, in full', async () => {
    const refusal = { status: 403, code: 'anonymous_disabled', message: has('cloud.json') };
    for (const secret of [null, '', 'x', SECRET.slice(1), `${SECRET}x`, SECRET.toUpperCase()])
      expect(await refusalOf(await signUp(memory, secret)), String(secret)).toMatchObject(refusal);
  });

  it('needs no secret when sign-up is open, and is refused when it is off', async () => {
    const open = await openMemoryCloud({ anonymous: 'open', exposed: true });
    expect((await signUp(open, null)).status).toBe(201);
    await open.close();
    const off = await openMemoryCloud({ anonymous: 'off', exposed: true });
    const message = expect.stringMatching(/^No one can sign in: .*--oauth-issuer.*--anonymous.*API keys/);
    const refusal = { status: 403, code: 'anonymous_disabled', message };
    expect(await refusalOf(await signUp(off, SECRET))).toMatchObject(refusal);
    await off.close();
  });

  it('picks another organization name when one is taken', async () => {
    const { create } = await openIdentities();
    const names = ['anon-aaaaaa', 'anon-aaaaaa', 'anon-bbbbbb'];
    const draw = () => names.shift()!;
    expect((await create(draw)).personalOrg.slug).toBe('anon-aaaaaa');
    expect((await create(draw)).personalOrg.slug).toBe('anon-bbbbbb');
  });

  it('stores only the digest of the token', async () => {
    const { db, create } = await openIdentities();
    const { token } = await create();
    const rows = JSON.stringify(await db.selectFrom('identities').selectAll().execute());
    expect(rows).not.toContain(token.slice('svc_anon_'.length));
    expect(rows).toMatch(/"token_hash":"[\da-f]{64}"/);
  });
});

describe('a caller', () => {
  it('without a valid token is told to run svc login', async () => {
    const refusal = { status: 401, code: 'unauthenticated', message: has('svc login') };
    for (const given of [null, '', 'Bearer', 'Bearer ', 'Basic dTpw', 'svc_anon_x', 'Bearer a b']) {
      const response = await askMe(given);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(await refusalOf(response), String(given)).toMatchObject(refusal);
    }
  });

  it('with a token unknown to a local cloud is told to run svc logout', async () => {
    const { token } = await memory.signUp();
    const message = 'This cloud does not know you (was its data wiped?): run `svc logout`.';
    for (const unknown of [`${token}x`, token.slice(0, -1), NOBODY])
      expect(await refusedMe(`Bearer ${unknown}`)).toMatchObject({ status: 401, message });
  });

  it('with a token unknown to a remote cloud is told to run svc login', async () => {
    const remote = await openMemoryCloud({ anonymous: 'open', exposed: true });
    for (const token of [NOBODY, NO_JWT])
      expect((await refusedMe(`Bearer ${token}`, remote)).message).toContain('svc login');
    await remote.close();
  });

  it('is not told to run svc login when no one can sign in', async () => {
    const closed = await openMemoryCloud({ anonymous: 'off', exposed: true });
    const why = 'no identity provider, and anonymous identities are off. Ask its operator to restart it';
    for (const token of [null, NOBODY, NO_JWT]) {
      const { message } = await refusedMe(token && `Bearer ${token}`, closed);
      expect(message).toContain(why);
      expect(message).not.toContain('svc login');
    }
    await closed.close();
  });

  it('may write the Bearer scheme in any case', async () => {
    const { token } = await memory.signUp();
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer '])
      expect((await askMe(`${scheme} ${token}`)).status).toBe(200);
  });

  it('has any token without the svc_anon_ prefix checked by the identity provider', async () => {
    const { db } = await openIdentities();
    const asked: string[] = [];
    const someone = { identityId: 'i', mode: 'oauth', subject: 'someone' } as const;
    const verify = async (token: string) => {
      asked.push(token);
      return token === 'good' ? someone : null;
    };
    const access = createAccess({ db, local: false, verifier: { verify } });
    const identify = (token: string) =>
      access.authenticate(new Request('http://x', { headers: { authorization: `Bearer ${token}` } }));
    expect(await identify('good')).toEqual(someone);
    for (const token of ['bad', 'svc_anon_good'])
      await expect(identify(token)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(asked).toEqual(['good', 'bad']);
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
    for (const nonce of ['', 'x'.repeat(129)])
      expect((await memory.call(`/v1/cloud?nonce=${nonce}`)).status).toBe(400);
  });

  it('is healthy unless its engine has failed', async () => {
    expect(await (await memory.call('/healthz')).json()).toEqual({ status: 'ok' });
    const ill = await openMemoryCloud({ backend: { ...scriptedBackend(saying()), state: 'failed' } });
    const refusal = { status: 503, code: 'engine_unavailable' };
    expect(await refusalOf(await ill.call('/healthz'))).toMatchObject(refusal);
    await ill.close();
  });

  it('shows its activity, collects garbage and stops only with the secret', async () => {
    const headers = { 'x-svc-cloud-secret': SECRET };
    const files = { running: 0, waiting: 0 };
    const idle = { status: 'ok', idle: true, jobs: { queued: 0, running: 0 }, files };
    expect(await (await memory.call('/healthz', { headers })).json()).toEqual(idle);
    expect(await memory.client().collectGarbage(SECRET)).toEqual({ collected: { files: 0, bytes: 0 } });
    const { token } = await memory.signUp();
    for (const path of ['/v1/cloud/gc', '/v1/cloud/stop']) {
      const response = await memory.call(path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      });
      expect(await refusalOf(response)).toMatchObject({ status: 401, code: 'unauthenticated' });
    }
    const stopped = vi.fn();
    const ending = await openMemoryCloud({ stop: stopped });
    expect(await ending.client().stopCloud(SECRET)).toEqual({ pid: process.pid });
    expect(stopped).toHaveBeenCalledOnce();
    await ending.close();
  });
});
