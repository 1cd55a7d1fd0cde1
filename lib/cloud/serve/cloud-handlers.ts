// The routes of the cloud itself: what it is, whether it is well, clearing up, and its end.
import { ApiError, type CloudRoutes, type Collected } from '../../contract/index.js';
import type { Handlers } from '../../http/index.js';
import { knowsSecret, proveSecret, requireSecret } from '../auth/secret.js';
import type { CloudDeps } from '../deps.js';

export interface Activity {
  /** No job waits or runs, and no chat is being answered. */
  idle: boolean;
  jobs: { queued: number; running: number };
}

export interface CloudContext {
  deps: Pick<CloudDeps, 'address' | 'backend' | 'baseModel' | 'oauth' | 'secret' | 'stop' | 'version'>;
  /** Asks the store, and throws when it does not answer. */
  readActivity(): Promise<Activity>;
  collectGarbage(): Promise<Collected>;
}

type OwnRoutes = Pick<CloudRoutes, 'getCloud' | 'getHealth' | 'collectGarbage' | 'stopCloud'>;

export function cloudHandlers({ deps, readActivity, collectGarbage }: CloudContext): Handlers<OwnRoutes> {
  const { secret, version, baseModel, address, oauth } = deps;
  return {
    getCloud: ({ query: { nonce } }) => ({
      version,
      baseModel: baseModel.name,
      deploymentDomain: address.deploymentDomain,
      proof: nonce === undefined ? null : proveSecret(secret, nonce),
      ...(oauth && { oauth }),
    }),
    async getHealth({ request }) {
      const activity = await readActivity();
      if (deps.backend.state === 'failed')
        throw new ApiError(
          'engine_unavailable',
          'The engine that answers chats cannot be started. The log says why.',
        );
      return { status: 'ok', ...(knowsSecret(request, secret) && activity) };
    },
    async collectGarbage({ request }) {
      requireSecret(request, secret);
      return { collected: await collectGarbage() };
    },
    stopCloud({ request }) {
      requireSecret(request, secret);
      deps.stop();
      return { pid: process.pid };
    },
  };
}
