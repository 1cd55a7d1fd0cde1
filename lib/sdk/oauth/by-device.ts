// Signing in from a machine without a browser: a code that is typed in on another one.
import { ApiError } from '../../contract/index.js';
import { audienceParameters, chooseScope, codeExpired, type Provider } from './provider.js';
import type { TokenAnswer } from './tokens.js';

export interface DeviceCode {
  /** Where the code is typed in. */
  url: string;
  code: string;
  /** The same with the code in it, where the provider has such. */
  fullUrl: string | null;
}

/** Asks as often as the provider allows, until the code was typed in or has expired. */
export async function signInByDevice(
  { oidc, config, ask, issuer }: Provider,
  audience: string,
  show: (code: DeviceCode) => unknown,
): Promise<TokenAnswer> {
  const { device_authorization_endpoint, scopes_supported } = config.serverMetadata();
  if (!device_authorization_endpoint) {
    throw new ApiError(
      'unsupported_parameter',
      `The identity provider at ${issuer} knows no sign-in by code. Use "svc login --no-browser", and open its address on this machine.`,
    );
  }
  const scope = chooseScope(scopes_supported);
  const begun = await ask(() =>
    oidc.initiateDeviceAuthorization(config, {
      ...(scope !== '' && { scope }),
      prompt: 'consent',
      ...audienceParameters(audience),
    }),
  );
  await show({
    url: begun.verification_uri,
    code: begun.user_code,
    fullUrl: begun.verification_uri_complete ?? null,
  });
  // A provider that is not asked after the code has expired does not say so.
  const signal = AbortSignal.timeout(begun.expires_in * 1000);
  return ask(() =>
    oidc
      .pollDeviceAuthorizationGrant(config, begun, audienceParameters(audience), { signal })
      .catch((error: unknown) => {
        throw signal.aborted ? codeExpired() : error;
      }),
  );
}
