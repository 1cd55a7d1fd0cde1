// What goes on in the project. A cloud of an earlier version has no overview, which is no fault of its project.
import { ApiError, type Overview, type StudioRoutes } from '../../contract/index.js';
import type { Handlers } from '../../http/index.js';
import type { ProjectAccess } from '../project/project-access.js';

const NOTHING: Overview = { running: [], recent: [], endpoints: [] };

export function createOverviewHandler(project: ProjectAccess): Pick<Handlers<StudioRoutes>, 'getOverview'> {
  return {
    async getOverview({ request: { signal } }) {
      try {
        return (await project.ifAny(cloud => cloud.getOverview({ signal }))) ?? NOTHING;
      } catch (error) {
        if (error instanceof ApiError && error.code === 'unknown_url') return NOTHING;
        throw error;
      }
    },
  };
}
