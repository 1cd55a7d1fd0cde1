// Signs in from a machine without a browser, with a code that is entered on another one.
import { realClock } from '../../clock/index.js';
import { ApiError } from '../../contract/index.js';
import { untilAborted } from '../../system/index.js';
import { audienceParameters, codeExpired, type Provider } from './provider.js';
import type { TokenResponse } from './tokens.js';

interface DeviceCode {
  /** Where to enter the code. */
  url: string;
  code: string;
  /** The same URL with the code included, if the provider supports it. */
  fullUrl: string | null;
}

/** Polls at the provider's pace until the code is entered or expires. */
export async function signInByDevice(
  { oidc, config, ask, issuer, request }: Provider,
  audience: string,
  show: (code: DeviceCode) => unknown,
  clock = realClock,
): Promise<TokenResponse> {
  if (!config.serverMetadata().device_authorization_endpoint) {
    throw new ApiError(
      'unsupported_parameter',
      `The identity provider at ${issuer} does not support device codes. Use "svc login --no-browser" and open its URL on this machine.`,
    );
  }
  const grant = await ask(() =>
    oidc.initiateDeviceAuthorization(config, { ...request, ...audienceParameters(audience) }),
  );
  await show({
    url: grant.verification_uri,
    code: grant.user_code,
    fullUrl: grant.verification_uri_complete ?? null,
  });
  // The provider reports the expiry only if polled after it, which may never happen.
  const signal = clock.deadline(grant.expires_in * 1000);
  const polling = oidc.pollDeviceAuthorizationGrant(config, grant, audienceParameters(audience), { signal });
  return ask(() =>
    // The library does not check the signal between polls.
    untilAborted(polling, signal).catch((error: unknown) => {
      throw signal.aborted ? codeExpired() : error;
    }),
  );
}
