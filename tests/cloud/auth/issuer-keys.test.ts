// The keys of an identity provider: when they are fetched, and for how long they are trusted, in virtual time.
import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIssuerKeys, metadataAddresses } from '../../../lib/cloud/auth/oauth/issuer-keys.js';
import { createTokenVerifier } from '../../../lib/cloud/auth/oauth/verify-token.js';
import { type Db, openDb } from '../../../lib/cloud/store/db.js';
import { AUDIENCE, type IdentityProvider, startIdentityProvider } from '../../sign-in/identity-provider.js';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.js';

const claims = (issuer: string) => {
  const now = Math.floor(Date.now() / 1000);
  return { iss: issuer, sub: 'anna', aud: AUDIENCE, iat: now, exp: now + 60 * 60 };
};

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

  const verifierOf = ({ issuer }: IdentityProvider) =>
    createTokenVerifier({ db, issuer, audience: AUDIENCE, keys: createIssuerKeys(issuer, clock), clock });
  const sign = () => own.sign(claims(own.issuer));
  const fetches = () => own.calls.filter(call => call === 'GET /jwks').length;

  it('are fetched with the first token and then cached', async () => {
    const verifier = verifierOf(own);
    expect(own.calls).toEqual([]);
    for (let i = 0; i < 3; i++) expect(await verifier.verify(await sign())).toMatchObject({ mode: 'oauth' });
    expect(own.calls).toEqual(['GET /.well-known/openid-configuration', 'GET /jwks']);
  });

  it('are fetched again when a token names an unknown key, 30 s after the last time', async () => {
    const verifier = verifierOf(own);
    const former = await sign();
    expect(await verifier.verify(former)).not.toBeNull();
    await own.rotateKeys();
    const token = await sign();
    await clock.pass(29_999);
    expect([await verifier.verify(token), fetches()]).toEqual([null, 1]);
    await clock.pass(1);
    expect(await verifier.verify(token)).not.toBeNull();
    expect([await verifier.verify(former), fetches()]).toEqual([null, 2]);
  });

  it('are trusted for ten minutes, in case one was withdrawn', async () => {
    const verifier = verifierOf(own);
    const token = await sign();
    expect(await verifier.verify(token)).not.toBeNull();
    await own.rotateKeys();
    await clock.pass(10 * 60_000 - 1);
    expect([await verifier.verify(token), fetches()]).toEqual([expect.anything(), 1]);
    await clock.pass(1);
    expect([await verifier.verify(token), fetches()]).toEqual([null, 2]);
  });

  it('are fetched once for all who ask meanwhile', async () => {
    const verifier = verifierOf(own);
    const tokens = await Promise.all([sign(), sign(), sign()]);
    const callers = await Promise.all(tokens.map(token => verifier.verify(token)));
    expect([callers.every(caller => caller !== null), own.calls.length]).toEqual([true, 2]);
  });

  it('are not fetched again for every token with a made-up key', async () => {
    const verifier = verifierOf(own);
    expect(await verifier.verify(await sign())).not.toBeNull();
    for (let i = 0; i < 5; i++)
      expect(await verifier.verify(await own.sign(claims(own.issuer), { kid: `made-up-${i}` }))).toBeNull();
    expect(own.calls).toHaveLength(2);
  });

  it('that cannot be fetched answer 502 issuer_unreachable', async () => {
    const { issuer } = own;
    const port = Number(new URL(issuer).port);
    const token = await sign();
    const verifier = verifierOf(own);
    await own.close();
    await expect(verifier.verify(token)).rejects.toMatchObject({ status: 502, code: 'issuer_unreachable' });
    const other = createServer((_, response) => response.writeHead(404).end()).listen(port, '127.0.0.1');
    await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'issuer_unreachable' });
    other.close();
    other.closeAllConnections();
  });

  it('are refused when the metadata names another issuer', async () => {
    const alias = own.issuer.replace('127.0.0.1', 'localhost');
    const verifier = verifierOf({ ...own, issuer: alias });
    await expect(verifier.verify(await own.sign(claims(alias)))).rejects.toMatchObject({
      code: 'issuer_unreachable',
    });
  });

  it('are found through OpenID Connect or OAuth metadata', () => {
    expect(metadataAddresses('https://id.test/').map(String)).toEqual([
      'https://id.test/.well-known/openid-configuration',
      'https://id.test/.well-known/oauth-authorization-server',
    ]);
    expect(metadataAddresses('https://id.test/realms/a').map(String)).toEqual([
      'https://id.test/realms/a/.well-known/openid-configuration',
      'https://id.test/.well-known/oauth-authorization-server/realms/a',
    ]);
  });
});
