// Asks a local cloud for its health and its job counts.
import { createCloudClient } from '../../../lib/client/index.js';
import type { CloudHealth } from '../../../lib/contract/index.js';
import type { LocalCloud } from '../../../lib/sdk/local-cloud/index.js';

/** Null when it does not respond. */
export async function askHealth({
  url,
  secret,
}: Pick<LocalCloud, 'url' | 'secret'>): Promise<CloudHealth | null> {
  return createCloudClient({ baseUrl: url })
    .getHealth(secret)
    .catch(() => null);
}
