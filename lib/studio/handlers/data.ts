// A preview of a data set: the trainer's, or that of a config. The cloud reads it.
import { ApiError, type StudioRoutes } from '../../contract/index.js';
import type { Handlers } from '../../http/index.js';
import type { TrainerData } from '../data/trainer-data.js';
import type { ProjectAccess } from '../project/project-access.js';

type DataHandlers = Pick<Handlers<StudioRoutes>, 'previewData'>;

export function createDataHandlers(project: ProjectAccess, trainer: TrainerData): DataHandlers {
  return {
    async previewData({ body, request }) {
      const { config: given, reload = false, ...query } = body;
      const { signal } = request;
      const ask = (config: NonNullable<typeof given>) =>
        project.ensure(cloud => cloud.previewData({ ...query, config }, { signal }));
      if (given) return ask(given);
      try {
        return await ask(await trainer.config(reload));
      } catch (error) {
        if (reload || !isGone(error)) throw error;
        return ask(await trainer.config(true));
      }
    },
  };
}

/** Uploads that no job reads are deleted after a while. */
function isGone(error: unknown): boolean {
  return (
    error instanceof ApiError && error.code === 'dataset_invalid' && /datasetId$/.test(error.param ?? '')
  );
}
