// The cluster that the cloud trains on, if it does. Without a project there is nothing to show of it.
import { ApiError, type ClusterAnswer, type StudioRoutes } from '../../contract/index.js';
import type { Handlers } from '../../http/index.js';
import type { ProjectAccess } from '../project/project-access.js';

const NONE: ClusterAnswer = { cluster: null };

export function createClusterHandlers({ ifAny }: ProjectAccess): Pick<Handlers<StudioRoutes>, 'getCluster'> {
  return {
    async getCluster({ request: { signal } }) {
      try {
        return (await ifAny(cloud => cloud.getCluster({ signal }))) ?? NONE;
      } catch (error) {
        // Clouds of other makers need not have the route.
        if (error instanceof ApiError && error.status === 404) return NONE;
        throw error;
      }
    },
  };
}
