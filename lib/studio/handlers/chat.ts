// Chat with the base model or an adapter: one document, or chunks at the reader's pace.
import type { CloudClient } from '../../client/index.js';
import type { Clock } from '../../clock/index.js';
import { ApiError, type InferenceRequest, type StudioRoutes } from '../../contract/index.js';
import { chunkEvents, errorData, type Handler, streamAnswer } from '../../http/index.js';
import type { ProjectAccess } from '../project/project-access.js';

export function createChatHandler(project: ProjectAccess, clock: Clock): Handler<StudioRoutes['chat']> {
  return ({ body, request }) => {
    const { adapter } = body;
    const work = (cloud: CloudClient) => answer(cloud, body, request.signal, clock);
    return adapter ? project.existing(() => nothingTrained(adapter.jobId), work) : project.ensure(work);
  };
}

async function answer(
  cloud: CloudClient,
  body: InferenceRequest,
  readerGone: AbortSignal,
  clock: Clock,
): Promise<Response> {
  if (!body.stream)
    return Response.json(await cloud.chat({ ...body, stream: false }, { signal: readerGone }));
  const clientGone = new AbortController();
  const signal = AbortSignal.any([readerGone, clientGone.signal]);
  const chunks = cloud.chat({ ...body, stream: true }, { signal });
  const failLate = (error: unknown) => ({ data: errorData(error) });
  return streamAnswer(chunkEvents(chunks), { clientGone, failLate, clock });
}

function nothingTrained(jobId: string): ApiError {
  return new ApiError('target_not_found', `No job ${jobId}: this project has no jobs yet.`, {
    param: 'adapter.jobId',
  });
}
