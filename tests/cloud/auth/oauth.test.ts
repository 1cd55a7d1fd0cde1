// Users of an identity provider: which tokens are accepted and which refused, and for how long its keys are trusted.
import { createHmac, createSecretKey } from 'node:crypto';
import { createServer } from 'node:http';
import { SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Clock, realClock } from '../../../lib/clock/index.js';
import { createIssuerKeys, createTokenVerifier, metadataAddresses } from '../../../lib/cloud/auth/oauth.js';
import { type Db, openDb } from '../../../lib/cloud/store/db.js';
import type { Me } from '../../../lib/contract/index.js';
import {
  AUDIENCE,
  CLIENT_ID,
  type IdentityProvider,
  startIdentityProvider,
} from '../../sign-in/identity-provider.js';
import { openServer } from '../../support/listening.js';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.js';
import { answerOf, type MemoryCloud, openMemoryCloud, refusalOf, SECRET } from '../host/memory-cloud.js';

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

const settings = () => ({ issuer: provider.issuer, audience: AUDIENCE, clientId: CLIENT_ID });
const openUserCloud = (deps = {}) => openMemoryCloud({ oauth: settings(), ...deps });

const now = () => Math.floor(Date.now() / 1000);
const claims = (changes = {}) => ({
  ...{ iss: provider.issuer, aud: AUDIENCE, sub: 'anna', iat: now(), exp: now() + 600 },
  ...changes,
});
const sign = (changes = {}, header = {}) => provider.sign(claims(changes), header);

const askMe = (token: string, of = cloud) =>
  of.call('/v1/me', { headers: { authorization: `Bearer ${token}` } });

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Expects a 401 that says to run svc login. */
async function expectRefused(token: string, of = cloud): Promise<void> {
  const response = await askMe(token, of);
  expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  const message = expect.stringContaining('svc login');
  expect(await refusalOf(response)).toMatchObject({ status: 401, code: 'unauthenticated', message });
}

describe('an access token of the identity provider', () => {
  it('creates a user with a personal organization for its subject', async () => {
    const email = 'emma@example.com';
    const first = await answerOf<Me>(askMe(await sign({ sub: 'emma', email })));
    const org = { id: expect.any(String), slug: expect.stringMatching(/^user-[a-z2-9]{6}$/) };
    const orgs = [{ ...org, name: expect.any(String) }];
    expect(first).toEqual({ mode: 'oauth', subject: 'emma', email, orgs });
    expect(await answerOf<Me>(askMe(await sign({ sub: 'emma' })))).toEqual(first);
    const other = await answerOf<Me>(askMe(await sign({ sub: 'bert' })));
    expect(other.orgs[0]!.slug).not.toBe(first.orgs[0]!.slug);
  });

  it('creates one user when several first calls race', async () => {
    const token = await sign({ sub: 'carl' });
    const all = await Promise.all(Array.from({ length: 8 }, () => answerOf<Me>(askMe(token))));
    expect(new Set(all.map(({ orgs }) => JSON.stringify(orgs))).size).toBe(1);
    expect(all[0]!.orgs).toHaveLength(1);
  });

  it('may have several audiences, and the types JWT and application/at+jwt', async () => {
    for (const good of [
      await sign({ aud: ['https://other.test/', AUDIENCE] }),
      await sign({}, { typ: 'JWT' }),
      await sign({}, { typ: 'application/at+jwt' }),
      await sign({ iss: `${provider.issuer}/` }),
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
    ['that is not valid yet', { nbf: now() + 3600 }],
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
    await expectRefused(await sign(changes));
  });

  it('is accepted for a minute around its validity, since clocks differ', async () => {
    for (const changes of [{ exp: now() - 30 }, { nbf: now() + 30 }])
      expect((await askMe(await sign(changes))).status).toBe(200);
  });

  it('of another type is refused', async () => {
    for (const typ of ['logout+jwt', '', 5, null, ['jwt'], { jwt: true }])
      await expectRefused(await sign({}, { typ }));
  });

  it('with a header that makes no sense is refused, and not blamed on the provider', async () => {
    const strange = [{ kid: 5 }, { kid: {} }, { kid: null }, { crit: 5 }, { crit: ['x'], x: 1 }, { b64: 5 }];
    for (const header of strange) await expectRefused(await sign({ sub: 5 }, header));
  });

  it('signed by someone else is refused, whatever its claims', async () => {
    const forger = await startIdentityProvider();
    // Providers of tests share their first key.
    await forger.rotateKeys();
    const { kid } = await signingKey(provider);
    for (const header of [{}, { kid }]) await expectRefused(await forger.sign(claims(), header));
    await expectRefused(await forger.sign(claims({ iss: forger.issuer })));
    expect(forger.calls).toEqual([]);
    await forger.close();
  });

  it('with claims changed after signing is refused', async () => {
    const [header, , signature] = (await sign()).split('.');
    await expectRefused(`${header}.${encode(claims({ sub: 'bert' }))}.${signature}`);
  });

  it('without a signature is refused: alg none, in any spelling', async () => {
    for (const alg of ['none', 'None', 'NONE', ''])
      for (const signature of ['', 'x'])
        await expectRefused(`${encode({ alg, typ: 'at+jwt' })}.${encode(claims())}.${signature}`);
  });

  it('signed with the public key as an HMAC secret is refused', async () => {
    const key = await signingKey(provider);
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
    await expectRefused(await sign(), plain);
    expect(await (await plain.call('/v1/cloud')).json()).not.toHaveProperty('oauth');
    await plain.close();
  });
});

const verifierOf = (db: Db, issuer: string, clock: Clock = realClock) =>
  createTokenVerifier({ db, issuer, audience: AUDIENCE, keys: createIssuerKeys(issuer, clock), clock });

describe('a user', () => {
  let db: Db;
  beforeEach(async () => {
    db = await openDb(':memory:');
  });
  afterEach(() => db.destroy());

  it('stays the same if the configured issuer gains a trailing slash', async () => {
    const verify = async (issuer: string) => verifierOf(db, issuer).verify(await sign());
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

describe('anonymous identities next to an identity provider', () => {
  it('answer 403 with a hint to run svc login when they are off, even existing ones', async () => {
    const off = await openUserCloud({ anonymous: 'off' });
    const headers = { 'x-svc-cloud-secret': SECRET };
    const signUp = await off.call('/v1/auth/anonymous', { method: 'POST', headers, json: { kind: 'cli' } });
    const { token } = await cloud.signUp();
    const message = expect.stringContaining('svc login');
    for (const response of [signUp, await askMe(token, off)])
      expect(await refusalOf(response)).toMatchObject({ status: 403, code: 'anonymous_disabled', message });
    expect((await askMe(await sign(), off)).status).toBe(200);
    await off.close();
  });

  it('are accepted along with OAuth users when they are on', async () => {
    const { token } = await cloud.signUp();
    expect((await answerOf<Me>(askMe(token))).mode).toBe('anonymous');
    expect((await answerOf<Me>(askMe(await sign()))).mode).toBe('oauth');
  });
});

it('the cloud publishes its OAuth settings', async () => {
  expect(await (await cloud.call('/v1/cloud')).json()).toMatchObject({ oauth: settings() });
});

describe("the provider's keys", () => {
  let own: IdentityProvider;
  let db: Db;
  let clock: VirtualClock;
  beforeEach(async () => {
    clock = createVirtualClock(Date.now());
    own = await startIdentityProvider();
    db = await openDb(':memory:');
  });
  afterEach(async () => {
    await own.close();
    await db.destroy();
  });

  const verifierHere = ({ issuer } = own) => verifierOf(db, issuer, clock);
  const signOwn = () => own.sign(claims({ iss: own.issuer }));
  const fetches = () => own.calls.filter(call => call === 'GET /jwks').length;

  it('are fetched with the first token and then cached', async () => {
    const verifier = verifierHere();
    expect(own.calls).toEqual([]);
    for (let i = 0; i < 3; i++)
      expect(await verifier.verify(await signOwn())).toMatchObject({ mode: 'oauth' });
    expect(own.calls).toEqual(['GET /.well-known/openid-configuration', 'GET /jwks']);
  });

  it('are fetched again when a token names an unknown key, 30 s after the last time', async () => {
    const verifier = verifierHere();
    const former = await signOwn();
    expect(await verifier.verify(former)).not.toBeNull();
    await own.rotateKeys();
    const token = await signOwn();
    await clock.pass(29_999);
    expect([await verifier.verify(token), fetches()]).toEqual([null, 1]);
    await clock.pass(1);
    expect(await verifier.verify(token)).not.toBeNull();
    expect([await verifier.verify(former), fetches()]).toEqual([null, 2]);
  });

  it('are trusted for ten minutes, in case one was withdrawn', async () => {
    const verifier = verifierHere();
    const token = await signOwn();
    expect(await verifier.verify(token)).not.toBeNull();
    await own.rotateKeys();
    await clock.pass(10 * 60_000 - 1);
    expect([await verifier.verify(token), fetches()]).toEqual([expect.anything(), 1]);
    await clock.pass(1);
    expect([await verifier.verify(token), fetches()]).toEqual([null, 2]);
  });

  it('are fetched once for all who ask meanwhile', async () => {
    const verifier = verifierHere();
    const tokens = await Promise.all([signOwn(), signOwn(), signOwn()]);
    expect(await Promise.all(tokens.map(verifier.verify))).not.toContain(null);
    expect(own.calls).toHaveLength(2);
  });

  it('are not fetched again for every token with a made-up key', async () => {
    const verifier = verifierHere();
    expect(await verifier.verify(await signOwn())).not.toBeNull();
    const made = ['a', 'b', 'c'].map(kid => own.sign(claims({ iss: own.issuer }), { kid }));
    for (const token of made) expect(await verifier.verify(await token)).toBeNull();
    expect(own.calls).toHaveLength(2);
  });

  it('that cannot be fetched answer 502 issuer_unreachable', async () => {
    const { issuer } = own;
    const port = Number(new URL(issuer).port);
    const token = await signOwn();
    const verifier = verifierHere();
    await own.close();
    await expect(verifier.verify(token)).rejects.toMatchObject({ status: 502, code: 'issuer_unreachable' });
    const other = createServer((_, response) => response.writeHead(404).end()).listen(port, '127.0.0.1');
    await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'issuer_unreachable' });
    other.close();
    other.closeAllConnections();
  });

  it('are looked for again once they are no longer where they were', async () => {
    let path = '/old';
    const { url, close } = await openServer(
      createServer(async ({ url: asked }, response) => {
        const metadata = { issuer: url, jwks_uri: `${url}${path}` };
        if (asked === '/.well-known/openid-configuration') response.end(JSON.stringify(metadata));
        else if (asked === path) response.end(await (await fetch(`${own.issuer}/jwks`)).text());
        else response.writeHead(404).end();
      }),
    );
    onTestFinished(close);
    const find = createIssuerKeys(url, clock);
    const { kid } = await signingKey(own);
    const ask = () => find({ alg: 'RS256', kid }, { payload: '', signature: '' });
    await ask();
    path = '/new';
    await clock.pass(10 * 60_000);
    await expect(ask()).rejects.toThrow(`${url}/old`);
    await ask();
  });

  it('are refused when the metadata names another issuer', async () => {
    const alias = own.issuer.replace('127.0.0.1', 'localhost');
    const verifier = verifierHere({ ...own, issuer: alias });
    const verified = verifier.verify(await own.sign(claims({ iss: alias })));
    await expect(verified).rejects.toMatchObject({ code: 'issuer_unreachable' });
  });

  it('are found through OpenID Connect or OAuth metadata', () => {
    const found = (issuer: string) => metadataAddresses(issuer).map(String);
    const [openId, oauth] = ['.well-known/openid-configuration', '.well-known/oauth-authorization-server'];
    expect(found('https://id.test/')).toEqual([`https://id.test/${openId}`, `https://id.test/${oauth}`]);
    const deep = [`https://id.test/realms/a/${openId}`, `https://id.test/${oauth}/realms/a`];
    expect(found('https://id.test/realms/a')).toEqual(deep);
  });
});

async function signingKey({ issuer }: IdentityProvider): Promise<{ kid: string; n: string }> {
  const answer = await (await fetch(`${issuer}/jwks`)).json();
  const { keys } = answer as { keys: { kid: string; n: string }[] };
  return keys[0]!;
}
