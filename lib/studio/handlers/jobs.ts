// The project's jobs: the list, which is polled every few seconds, and single jobs.
import { createHash } from 'node:crypto';
import { ApiError, type RowLossRequest, type StudioRoutes } from '../../contract/index.js';
import { type Handlers, isKnownTag } from '../../http/index.js';
import type { ProjectAccess } from '../project/project-access.js';

const NO_JOBS: { jobs: never[] } = { jobs: [] };

type JobHandlers = Pick<
  Handlers<StudioRoutes>,
  'listJobs' | 'getJob' | 'updateJob' | 'listJobSettings' | 'listJobRows'
>;

type RowQuery = Parameters<JobHandlers['listJobRows']>[0]['query'];

export function createJobHandlers(project: ProjectAccess): JobHandlers {
  return {
    async listJobs({ request }) {
      const found = await project.ifAny(cloud => cloud.listJobs({ signal: request.signal }));
      return answerWithTag(request, found ?? NO_JOBS);
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

interface Tagged {
  text: string;
  etag: string;
}

/** As long as the cloud's list has not changed, its client returns the same object. */
const tagged = new WeakMap<object, Tagged>();

function toTagged(document: object): Tagged {
  const known = tagged.get(document);
  if (known) return known;
  const text = JSON.stringify(document);
  const made = { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` };
  tagged.set(document, made);
  return made;
}

/** Answers 304 to a client that already has this list, so nothing is sent or redrawn. */
function answerWithTag(request: Request, document: object): Response {
  const { text, etag } = toTagged(document);
  const common = { etag, 'cache-control': 'no-cache' };
  if (isKnownTag(request, etag)) return new Response(null, { status: 304, headers: common });
  return new Response(text, { headers: { ...common, 'content-type': 'application/json' } });
}
