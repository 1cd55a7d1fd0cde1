// Users of an identity provider: which tokens are accepted, which are refused, and who may access what.
import { createHmac, createSecretKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { realClock } from '../../../lib/clock/index.js';
import { createIssuerKeys } from '../../../lib/cloud/auth/oauth/issuer-keys.js';
import { createTokenVerifier } from '../../../lib/cloud/auth/oauth/verify-token.js';
import { type Db, openDb } from '../../../lib/cloud/store/db.js';
import type { Me } from '../../../lib/contract/index.js';
import {
  AUDIENCE,
  CLIENT_ID,
  type IdentityProvider,
  startIdentityProvider,
} from '../../sign-in/identity-provider.js';
import { answerOf, type MemoryCloud, openMemoryCloud, refusalOf, SECRET } from '../serve/memory-cloud.js';

let provider: IdentityProvider;
let cloud: MemoryCloud;
beforeAll(async () => {
  provider = await startIdentityProvider();
  cloud = await openUserCloud();
});
afterAll(async () => {
  await cloud.close();
  await provider.close();
});

const openUserCloud = (deps = {}) =>
  openMemoryCloud({
    oauth: { issuer: provider.issuer, audience: AUDIENCE, clientId: CLIENT_ID },
    ...deps,
  });

const now = () => Math.floor(Date.now() / 1000);
const claims = (changes = {}) => ({
  iss: provider.issuer,
  aud: AUDIENCE,
  sub: 'anna',
  iat: now(),
  exp: now() + 600,
  ...changes,
});

const askMe = (token: string, of = cloud) =>
  of.call('/v1/me', { headers: { authorization: `Bearer ${token}` } });

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Expects a 401 that says to run svc login. */
async function expectRefused(token: string, of = cloud): Promise<void> {
  const response = await askMe(token, of);
  expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  expect(await refusalOf(response)).toMatchObject({
    status: 401,
    code: 'unauthenticated',
    message: expect.stringContaining('svc login'),
  });
}

describe('an access token of the identity provider', () => {
  it('creates a user with a personal organization for its subject', async () => {
    const sub = 'emma';
    const first = await answerOf<Me>(askMe(await provider.sign(claims({ sub, email: 'emma@example.com' }))));
    expect(first).toEqual({
      mode: 'oauth',
      subject: 'emma',
      email: 'emma@example.com',
      orgs: [
        {
          id: expect.any(String),
          slug: expect.stringMatching(/^user-[a-z2-9]{6}$/),
          name: expect.any(String),
        },
      ],
    });
    expect(await answerOf<Me>(askMe(await provider.sign(claims({ sub }))))).toEqual(first);
    const other = await answerOf<Me>(askMe(await provider.sign(claims({ sub: 'bert' }))));
    expect(other.orgs[0]!.slug).not.toBe(first.orgs[0]!.slug);
  });

  it('creates one user when several first calls race', async () => {
    const token = await provider.sign(claims({ sub: 'carl' }));
    const all = await Promise.all(Array.from({ length: 8 }, () => answerOf<Me>(askMe(token))));
    expect(new Set(all.map(({ orgs }) => JSON.stringify(orgs))).size).toBe(1);
    expect(all[0]!.orgs).toHaveLength(1);
  });

  it('may have several audiences, and the types JWT and application/at+jwt', async () => {
    for (const good of [
      await provider.sign(claims({ aud: ['https://other.test/', AUDIENCE] })),
      await provider.sign(claims(), { typ: 'JWT' }),
      await provider.sign(claims(), { typ: 'application/at+jwt' }),
      await provider.sign(claims({ iss: `${provider.issuer}/` })),
    ])
      expect((await askMe(good)).status).toBe(200);
  });

  it.each([
    ['from another issuer', { iss: 'https://evil.test' }],
    ['without an issuer', { iss: undefined }],
    ['for another audience', { aud: 'https://other.test/' }],
    ['without an audience', { aud: undefined }],
    ['for the client, as an ID token is', { aud: CLIENT_ID }],
    ['that has expired', { exp: now() - 90 }],
    ['that never expires', { exp: undefined }],
    ['that is not valid yet', { nbf: now() + 90 }],
    ['without a subject', { sub: undefined }],
    ['with an empty subject', { sub: '' }],
    ['with a subject that is too long', { sub: 'x'.repeat(256) }],
    ['whose subject only begins like that of another user', { sub: 'anna\0' }],
    ['whose subject has half a character', { sub: 'anna\ud800' }],
    ['whose subject is an object', { sub: { id: 'anna' } }],
    ['whose subject is a list', { sub: ['anna'] }],
    ['whose subject is a number', { sub: 7 }],
    ['whose subject is true', { sub: true }],
  ])('%s is refused', async (_, changes) => {
    await expectRefused(await provider.sign(claims(changes)));
  });

  it('is accepted for a minute around its validity, since clocks differ', async () => {
    for (const changes of [{ exp: now() - 30 }, { nbf: now() + 30 }])
      expect((await askMe(await provider.sign(claims(changes)))).status).toBe(200);
  });

  it('of another type is refused', async () => {
    for (const typ of ['logout+jwt', '', 5, null, ['jwt'], { jwt: true }])
      await expectRefused(await provider.sign(claims(), { typ }));
  });

  it('with a header that makes no sense is refused, and not blamed on the provider', async () => {
    for (const header of [
      { kid: 5 },
      { kid: {} },
      { kid: null },
      { crit: 5 },
      { crit: ['x'], x: 1 },
      { b64: 5 },
    ])
      await expectRefused(await provider.sign(claims({ sub: 5 }), header));
  });

  it('signed by someone else is refused, whatever its claims', async () => {
    const forger = await startIdentityProvider();
    // Providers of tests share their first key.
    await forger.rotateKeys();
    const { kid } = await signingKey();
    for (const header of [{}, { kid }]) await expectRefused(await forger.sign(claims(), header));
    await expectRefused(await forger.sign(claims({ iss: forger.issuer })));
    expect(forger.calls).toEqual([]);
    await forger.close();
  });

  it('with claims changed after signing is refused', async () => {
    const [header, , signature] = (await provider.sign(claims())).split('.');
    await expectRefused(`${header}.${encode(claims({ sub: 'bert' }))}.${signature}`);
  });

  it('without a signature is refused: alg none, in any spelling', async () => {
    for (const alg of ['none', 'None', 'NONE', ''])
      for (const signature of ['', 'x'])
        await expectRefused(`${encode({ alg, typ: 'at+jwt' })}.${encode(claims())}.${signature}`);
  });

  it('signed with the public key as an HMAC secret is refused', async () => {
    const key = await signingKey();
    const text = `${encode({ alg: 'HS256', typ: 'at+jwt', kid: key.kid })}.${encode(claims())}`;
    for (const secret of [JSON.stringify(key), String(key.n), ''])
      await expectRefused(`${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`);
  });

  it('signed with an HMAC secret is refused, even if the provider lists it as a key', async () => {
    const db = await openDb(':memory:');
    const secret = createSecretKey(Buffer.alloc(32, 1));
    const { issuer } = provider;
    const options = { db, issuer, audience: AUDIENCE, keys: async () => secret, clock: realClock };
    const token = new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' });
    expect(await createTokenVerifier(options).verify(await token.sign(secret))).toBeNull();
    await db.destroy();
  });

  it.each(['x', 'a.b.c', '....', `eyJ${'A'.repeat(5000)}`])('that is not a JWT is refused: $0', token =>
    expectRefused(token),
  );

  it('is refused by a cloud without an identity provider', async () => {
    const plain = await openMemoryCloud();
    await expectRefused(await provider.sign(claims()), plain);
    expect(await (await plain.call('/v1/cloud')).json()).not.toHaveProperty('oauth');
    await plain.close();
  });
});

const verifierOf = (db: Db, issuer: string) =>
  createTokenVerifier({
    ...{ db, issuer, audience: AUDIENCE },
    ...{ keys: createIssuerKeys(issuer, realClock), clock: realClock },
  });

describe('a user', () => {
  let db: Db;
  beforeEach(async () => {
    db = await openDb(':memory:');
  });
  afterEach(() => db.destroy());

  it('stays the same if the configured issuer gains a trailing slash', async () => {
    const verify = async (issuer: string) => verifierOf(db, issuer).verify(await provider.sign(claims()));
    const one = await verify(provider.issuer);
    expect(one).toMatchObject({ mode: 'oauth', subject: 'anna' });
    expect(await verify(`${provider.issuer}/`)).toEqual(one);
  });

  it('of another issuer is a different user, even with the same subject', async () => {
    const other = await startIdentityProvider();
    const verify = async ({ issuer, sign }: IdentityProvider) =>
      verifierOf(db, issuer).verify(await sign(claims({ iss: issuer })));
    const [one, two] = [await verify(provider), await verify(other)];
    expect(one!.subject).toBe(two!.subject);
    expect(one!.identityId).not.toBe(two!.identityId);
    await other.close();
  });
});

it("a user has no access to another user's organization", async () => {
  const [anna, bert] = [await provider.sign(claims()), await provider.sign(claims({ sub: 'bert' }))];
  const { slug } = (await answerOf<Me>(askMe(anna))).orgs[0]!;
  await cloud.client(anna).createProject(slug, { name: 'Web', slug: 'web' });
  const foreign = cloud.client(bert, { orgSlug: slug, projectSlug: 'web' });
  for (const call of [() => foreign.listProjects(slug), () => foreign.listJobs()])
    await expect(call()).rejects.toMatchObject({ status: 404, code: 'project_not_found' });
});

describe('anonymous identities next to an identity provider', () => {
  it('answer 403 with a hint to run svc login when they are off, even existing ones', async () => {
    const off = await openUserCloud({ anonymous: 'off' });
    const signUp = await off.call('/v1/auth/anonymous', {
      method: 'POST',
      headers: { 'x-svc-cloud-secret': SECRET },
      json: { kind: 'cli' },
    });
    const { token } = await cloud.signUp();
    for (const response of [signUp, await askMe(token, off)])
      expect(await refusalOf(response)).toMatchObject({
        status: 403,
        code: 'anonymous_disabled',
        message: expect.stringContaining('svc login'),
      });
    expect((await askMe(await provider.sign(claims()), off)).status).toBe(200);
    await off.close();
  });

  it('are accepted along with OAuth users when they are on', async () => {
    const { token } = await cloud.signUp();
    expect((await answerOf<Me>(askMe(token))).mode).toBe('anonymous');
    expect((await answerOf<Me>(askMe(await provider.sign(claims())))).mode).toBe('oauth');
  });
});

it('the cloud publishes its OAuth settings', async () => {
  expect(await (await cloud.call('/v1/cloud')).json()).toMatchObject({
    oauth: { issuer: provider.issuer, audience: AUDIENCE, clientId: CLIENT_ID },
  });
});

async function signingKey(): Promise<{ kid: string; n: string }> {
  const { keys } = (await (await fetch(`${provider.issuer}/jwks`)).json()) as {
    keys: { kid: string; n: string }[];
  };
  return keys[0]!;
}
