// Chat with the base model or an adapter: one document, or its chunks as the reader takes them.
import type { CloudClient } from '../../client/index.js';
import {
  ApiError,
  type ChatCompletionChunk,
  type InferenceRequest,
  type StudioRoutes,
} from '../../contract/index.js';
import { errorData, eventStream, type Handler } from '../../http/index.js';
import type { ProjectAccess } from '../project/project-access.js';

export function createChatHandler(project: ProjectAccess): Handler<StudioRoutes['chat']> {
  return ({ body, request }) => {
    const { adapter } = body;
    const work = (cloud: CloudClient) => answer(cloud, body, request.signal);
    return adapter ? project.existing(() => nothingTrained(adapter.jobId), work) : project.enter(work);
  };
}

async function answer(
  cloud: CloudClient,
  body: InferenceRequest,
  readerGone: AbortSignal,
): Promise<Response> {
  if (!body.stream)
    return Response.json(await cloud.chat({ ...body, stream: false }, { signal: readerGone }));
  const stop = new AbortController();
  const signal = AbortSignal.any([readerGone, stop.signal]);
  const chunks = cloud.chat({ ...body, stream: true }, { signal });
  // A refusal is answered with its own status, so the first chunk is waited for.
  const first = await chunks.next();
  return eventStream(async writer => {
    writer.signal.addEventListener('abort', () => stop.abort(), { once: true });
    for await (const data of toData(first, chunks)) await writer.send({ data });
  });
}

async function* toData(
  first: IteratorResult<ChatCompletionChunk>,
  chunks: AsyncGenerator<ChatCompletionChunk>,
): AsyncGenerator<string> {
  try {
    for (let next = first; !next.done; next = await chunks.next()) yield JSON.stringify(next.value);
  } catch (error) {
    yield errorData(error);
    return;
  } finally {
    await chunks.return(undefined);
  }
  yield '[DONE]';
}

function nothingTrained(jobId: string): ApiError {
  return new ApiError(
    'target_not_found',
    `There is no job ${jobId}: nothing was trained in this project yet.`,
    { param: 'adapter.jobId' },
  );
}
