// Ends a session at its identity provider, so that its tokens become useless.
import { openProvider } from './provider.js';
import type { Signed } from './tokens.js';

/** False if the provider does not support revocation. Throws if the request fails. */
export async function revokeSession({
  issuer,
  clientId,
  refreshToken,
  accessToken,
}: Signed): Promise<boolean> {
  const { oidc, config, ask } = await openProvider({ issuer, clientId });
  if (!config.serverMetadata().revocation_endpoint) return false;
  await ask(() => oidc.tokenRevocation(config, refreshToken ?? accessToken));
  return true;
}
