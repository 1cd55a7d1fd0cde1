// Signs in with a browser on this machine: authorization code with PKCE, redirected back to a local listener.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { audienceParameters, type Provider, secureAddress } from './provider.js';
import type { TokenResponse } from './tokens.js';

export async function signInByBrowser(
  provider: Provider,
  audience: string,
  show: (url: string) => unknown,
): Promise<TokenResponse> {
  const { oidc, config, ask, request } = provider;
  const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
  const isOpenid = request.scope?.split(' ').includes('openid');
  const listener = await listenForRedirect(state);
  try {
    const challenge = await oidc.calculatePKCECodeChallenge(verifier);
    const { href } = await ask(async () =>
      oidc.buildAuthorizationUrl(config, {
        ...request,
        redirect_uri: listener.uri,
        state,
        ...(isOpenid && { nonce }),
        code_challenge: challenge,
        code_challenge_method: 'S256',
        ...audienceParameters(audience),
      }),
    );
    // The provider supplies this URL, and a browser opens more than web pages.
    const url = secureAddress(href, 'a sign-in page');
    const checks = {
      pkceCodeVerifier: verifier,
      expectedState: state,
      ...(isOpenid && { expectedNonce: nonce, idTokenExpected: true }),
    };
    const came = listener.handleRedirect(redirect =>
      ask(() => oidc.authorizationCodeGrant(config, redirect, checks, audienceParameters(audience))),
    );
    came.catch(() => {});
    await show(url);
    return await came;
  } finally {
    listener.close();
  }
}

const PATH = '/callback';

/**
 * Listens on this machine for the browser's redirect from the identity provider. Requests without the state we sent are
 * rejected. @internal
 */
export async function listenForRedirect(state: string) {
  let onAnswer: ((address: URL, response: ServerResponse) => void) | null = null;
  const server = createServer(({ method, url = '', headers }, response) => {
    const address = toAddress(url, origin);
    if (headers.host !== new URL(origin).host || address?.pathname !== PATH || method !== 'GET')
      return tell(response, 404, 'Not found.');
    if (address.searchParams.get('state') !== state)
      return tell(response, 400, 'This is not the sign-in that svc is waiting for.');
    if (!onAnswer) return tell(response, 409, 'This sign-in was already completed.');
    onAnswer(address, response);
    onAnswer = null;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    uri: `${origin}${PATH}`,
    /** Handles the URL the browser returns with, once. The page shows whether `work` succeeded. */
    handleRedirect<T>(work: (address: URL) => Promise<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        onAnswer = (address, response) =>
          void work(address).then(
            result => {
              tell(response, 200, 'You are signed in. You can close this page.');
              resolve(result);
            },
            error => {
              tell(response, 400, 'Sign-in failed. See the terminal for the reason.');
              reject(error);
            },
          );
      });
    },
    close(): void {
      server.close();
      server.closeIdleConnections();
    },
  };
}

/** Null for anything but a path. Leading double slashes are part of the path and do not name a host. */
function toAddress(target: string, origin: string): URL | null {
  return target.startsWith('/') ? new URL(origin + target) : null;
}

function tell(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  response.end(
    `<!doctype html><meta charset="utf-8"><title>svc</title><body style="font: 16px/1.5 sans-serif; margin: 20vh auto; max-width: 32em">${text}\n`,
  );
}
