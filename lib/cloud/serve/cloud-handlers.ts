// The routes of the cloud itself: what it is, whether it is well, and clearing up.
import { ApiError, type CloudRoutes, type Collected, type Json } from '../../contract/index.js';
import type { Handlers } from '../../http/index.js';
import { knowsSecret, proveSecret, requireSecret } from '../auth/secret.js';
import type { CloudDeps } from '../deps.js';
import { describeApi } from './describe-api.js';

export interface Activity {
  /** No job waits or runs, and no chat is being answered. */
  idle: boolean;
  jobs: { queued: number; running: number };
}

export interface CloudContext {
  deps: Pick<CloudDeps, 'address' | 'backend' | 'baseModel' | 'oauth' | 'secret' | 'version'>;
  /** Asks the store, and throws when it does not answer. */
  readActivity(): Promise<Activity>;
  collectGarbage(): Promise<Collected>;
}

type OwnRoutes = Pick<CloudRoutes, 'getCloud' | 'getHealth' | 'collectGarbage' | 'getOpenApi'>;

export function cloudHandlers({ deps, readActivity, collectGarbage }: CloudContext): Handlers<OwnRoutes> {
  const { secret, version, baseModel, address, oauth } = deps;
  let document: Json | undefined;
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
    getOpenApi: () => {
      document ??= describeApi(version, address);
      return document;
    },
    async collectGarbage({ request }) {
      requireSecret(request, secret);
      return { collected: await collectGarbage() };
    },
  };
}
