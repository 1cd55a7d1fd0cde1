// Ends a session at its identity provider, so that its tokens are of no use to whoever has them.
import { openProvider } from './provider.js';
import type { Signed } from './tokens.js';

/** False when the provider has no way to. Throws when it cannot be told. */
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
