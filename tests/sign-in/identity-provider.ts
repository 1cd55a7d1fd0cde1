// A real identity provider on a loopback port. Its pages sign in as the account that the test has set and grant
// everything without asking.

import { createSign, KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import { openServer } from '../support/listening.js';

export const AUDIENCE = 'https://api.test/';
export const CLIENT_ID = 'svc';

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;

export async function startIdentityProvider() {
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = () => {};
  const server = createServer((request, response) => void handle(request, response));
  const { url: issuer, close } = await openServer(server);
  const granted = new Set<string>();
  let key = await firstKey();
  let provider!: Provider;

  const own = {
    issuer,
    /** The account that signs in next. */
    account: 'anna',
    /** The audience of issued tokens. */
    audience: AUDIENCE,
    /** Whether the user denies the sign-in. */
    refuses: false,
    /** How long a device code is valid. */
    deviceCodeSeconds: 600,
    /** The requests to the token endpoint and their outcome, such as `refresh_token ok`. */
    grants: [] as string[],
    /** The requests in order, such as `GET /jwks`. */
    calls: [] as string[],
    /** Replaces the signing keys; tokens signed with the old ones become invalid. */
    async rotateKeys() {
      key = await createKey();
      serveWithKey();
    },
    /** Ends every session and revokes its tokens. */
    async revokeAll() {
      for (const id of granted) await (await provider.Grant.find(id))?.destroy();
    },
    /** A token with any claims, signed with its key, whose header may say anything. */
    async sign(claims: object, header?: Record<string, unknown>) {
      const parts = [{ alg: 'RS256', typ: 'at+jwt', kid: key.jwk.kid, ...header }, claims];
      const text = parts.map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
      const signature = createSign('sha256').update(text).sign(KeyObject.from(key.privateKey));
      return `${text}.${signature.toString('base64url')}`;
    },
    close,
  };

  function serveWithKey(): void {
    provider = createProvider(own, key.jwk);
    const serve = provider.callback();
    handle = (request, response) => {
      own.calls.push(`${request.method} ${new URL(request.url!, issuer).pathname}`);
      if (request.url!.startsWith('/interaction/')) return interact(request, response);
      return serve(request, response);
    };
  }

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params } = await provider.interactionDetails(request, response);
    const refusal = { error: 'access_denied', error_description: 'They said no.' };
    if (own.refuses) return provider.interactionFinished(request, response, refusal);
    const grant = new provider.Grant({ accountId: own.account, clientId: params.client_id! });
    grant.addOIDCScope(params.scope!);
    const grantId = await grant.save();
    granted.add(grantId);
    const granting = { login: { accountId: own.account }, consent: { grantId } };
    await provider.interactionFinished(request, response, granting);
  }

  serveWithKey();
  return own;
}

type Settings = Pick<IdentityProvider, 'issuer' | 'audience' | 'deviceCodeSeconds' | 'grants'>;

function createProvider(own: Settings, jwk: object): Provider {
  const emailOf = (accountId: string) => `${accountId}@example.com`;
  const provider = new Provider(own.issuer, {
    jwks: { keys: [jwk] },
    cookies: { keys: ['a key of the cookies'] },
    ttl: {
      ...{ AccessToken: 3600, IdToken: 3600, RefreshToken: 86_400 },
      DeviceCode: () => own.deviceCodeSeconds,
      ...{ Grant: 86_400, Interaction: 3600, Session: 86_400 },
    },
    clients: [
      {
        ...{ client_id: CLIENT_ID, token_endpoint_auth_method: 'none', application_type: 'native' },
        ...{ redirect_uris: ['http://127.0.0.1/callback'], response_types: ['code'] },
        grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email'] },
    findAccount: (_: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, email: emailOf(accountId) }),
    }),
    extraTokenClaims: (_: unknown, { accountId }: { accountId: string }) => ({ email: emailOf(accountId) }),
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      deviceFlow: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          ...{ scope: '', audience: own.audience, accessTokenFormat: 'jwt', accessTokenTTL: 3600 },
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  });
  const note = (how: string) => (context: { oidc: { params?: Record<string, string | undefined> } }) =>
    void own.grants.push(`${context.oidc.params?.grant_type?.split(':').at(-1)} ${how}`);
  return provider.on('grant.success', note('ok')).on('grant.error', note('refused'));
}

let keys = 0;
let first: ReturnType<typeof createKey> | undefined;

/** Of every provider until its keys are rotated: a pair takes long to find. */
function firstKey() {
  first ??= createKey();
  return first;
}

async function createKey() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const exported = await exportJWK(privateKey);
  return { privateKey, jwk: { ...exported, kid: `key-${++keys}`, use: 'sig', alg: 'RS256' } };
}
