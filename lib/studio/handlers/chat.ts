// Chat with the base model or an adapter: one document, or chunks at the reader's pace.
import type { CloudClient } from '../../client/index.js';
import type { Clock } from '../../clock/index.js';
import {
  ApiError,
  type ChatCompletionChunk,
  type InferenceRequest,
  type StudioRoutes,
} from '../../contract/index.js';
import {
  comesWithin,
  type EventWriter,
  errorData,
  eventStream,
  type Handler,
  STREAM_TIMES,
} from '../../http/index.js';
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
  const stop = new AbortController();
  const signal = AbortSignal.any([readerGone, stop.signal]);
  const chunks = cloud.chat({ ...body, stream: true }, { signal });
  const first = chunks.next();
  const isQuick = await comesWithin(STREAM_TIMES.statusMs, first, clock);
  const write = async (writer: EventWriter) => {
    writer.signal.addEventListener('abort', () => stop.abort(), { once: true });
    for await (const data of toData(first, chunks)) await writer.send({ data });
  };
  return eventStream(write, { pingMs: STREAM_TIMES.pingMs, pingNow: !isQuick, clock });
}

async function* toData(
  first: Promise<IteratorResult<ChatCompletionChunk>>,
  chunks: AsyncGenerator<ChatCompletionChunk>,
): AsyncGenerator<string> {
  try {
    for (let next = await first; !next.done; next = await chunks.next()) yield JSON.stringify(next.value);
  } catch (error) {
    yield errorData(error);
    return;
  } finally {
    await chunks.return(undefined);
  }
  yield '[DONE]';
}

function nothingTrained(jobId: string): ApiError {
  return new ApiError('target_not_found', `No job ${jobId}: this project has no jobs yet.`, {
    param: 'adapter.jobId',
  });
}
