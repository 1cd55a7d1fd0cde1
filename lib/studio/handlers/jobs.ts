// The project's jobs: the list, which is polled every few seconds, and single jobs.
import { createHash } from 'node:crypto';
import { ApiError, type StudioRoutes } from '../../contract/index.js';
import type { Handlers } from '../../http/index.js';
import type { ProjectAccess } from '../project/project-access.js';

type JobHandlers = Pick<Handlers<StudioRoutes>, 'listJobs' | 'getJob'>;

export function createJobHandlers(project: ProjectAccess): JobHandlers {
  return {
    async listJobs({ request }) {
      const found = await project.ifAny(cloud => cloud.listJobs({ signal: request.signal }));
      return answerWithTag(request, { jobs: found?.jobs ?? [] });
    },
    getJob: ({ params: { id }, request }) =>
      project.existing(
        () => jobNotFound(id),
        cloud => cloud.getJob(id, { signal: request.signal }),
      ),
  };
}

export function jobNotFound(id: string): ApiError {
  return new ApiError('job_not_found', `No job ${id}: this project has no jobs yet.`);
}

/** Answers 304 to a client that already has this list, so nothing is sent or redrawn. */
function answerWithTag({ headers }: Request, document: object): Response {
  const text = JSON.stringify(document);
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  const known = (headers.get('if-none-match') ?? '').split(',').map(tag => tag.trim().replace(/^W\//, ''));
  const common = { etag, 'cache-control': 'no-cache' };
  if (known.includes(etag) || known.includes('*'))
    return new Response(null, { status: 304, headers: common });
  return new Response(text, { headers: { ...common, 'content-type': 'application/json' } });
}
