// The project's jobs: the list, which is polled every few seconds, and single jobs.
import { ApiError, type RowLossRequest, type StudioRoutes } from '../../contract/index.js';
import type { Handlers } from '../../http/index.js';
import type { ProjectAccess } from '../project/project-access.js';
import { createJobListAnswers } from './job-list.js';

const NO_JOBS: { jobs: never[] } = { jobs: [] };

type JobHandlers = Pick<
  Handlers<StudioRoutes>,
  'listJobs' | 'getJob' | 'updateJob' | 'listJobSettings' | 'listJobRows'
>;

type RowQuery = Parameters<JobHandlers['listJobRows']>[0]['query'];

export function createJobHandlers(project: ProjectAccess): JobHandlers {
  const answerList = createJobListAnswers();
  return {
    async listJobs({ request }) {
      const found = await project.ifAny(cloud => cloud.listJobs({ signal: request.signal }));
      return answerList(request, found ?? NO_JOBS);
    },
    getJob: ({ params: { id }, request }) =>
      project.existing(
        () => jobNotFound(id),
        cloud => cloud.getJob(id, { signal: request.signal }),
      ),
    updateJob: ({ params: { id }, body }) =>
      project.existing(
        () => jobNotFound(id),
        cloud => cloud.updateJob(id, body),
      ),
    async listJobSettings({ body: { ids }, request }) {
      return (
        (await project.ifAny(cloud => cloud.listJobSettings(ids, { signal: request.signal }))) ?? NO_JOBS
      );
    },
    listJobRows: ({ params: { id }, query, request }) =>
      project.existing(
        () => jobNotFound(id),
        cloud => cloud.listJobRows(id, toRequest(query), { signal: request.signal }),
      ),
  };
}

function toRequest({ sort, rising, step, limit, cursor }: RowQuery): RowLossRequest {
  const toNumber = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  return { sort, rising: rising === 'true', step: toNumber(step), limit: toNumber(limit), cursor };
}

export function jobNotFound(id: string): ApiError {
  return new ApiError('job_not_found', `No job ${id}: this project has no jobs yet.`);
}
