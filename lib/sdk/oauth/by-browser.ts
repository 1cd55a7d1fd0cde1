// Signs in with a browser on this machine: authorization code with PKCE, redirected back to a local listener.
import { audienceParameters, chooseScope, type Provider, secureAddress } from './provider.js';
import { listenForRedirect } from './redirect-listener.js';
import type { TokenAnswer } from './tokens.js';

export async function signInByBrowser(
  provider: Provider,
  audience: string,
  show: (url: string) => unknown,
): Promise<TokenAnswer> {
  const { oidc, config, ask } = provider;
  const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
  const isOpenid = scopeOf(provider).split(' ').includes('openid');
  const listener = await listenForRedirect(state);
  try {
    const url = await addressOf(provider, {
      redirect_uri: listener.uri,
      state,
      ...(isOpenid && { nonce }),
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      ...audienceParameters(audience),
    });
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

function scopeOf({ config }: Provider): string {
  return chooseScope(config.serverMetadata().scopes_supported);
}

/** The provider supplies this URL, and a browser opens more than web pages, so it is checked first. */
async function addressOf(provider: Provider, parameters: Record<string, string>): Promise<string> {
  const { oidc, config, ask } = provider;
  const scope = scopeOf(provider);
  const { href } = await ask(async () =>
    oidc.buildAuthorizationUrl(config, {
      ...(scope !== '' && { scope }),
      code_challenge_method: 'S256',
      // Without this, a provider need not issue a refresh token.
      prompt: 'consent',
      ...parameters,
    }),
  );
  return secureAddress(href, 'a sign-in page');
}
