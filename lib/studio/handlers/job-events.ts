// Passes a job's log and events from the cloud to one reader, byte for byte. If either connection breaks, the
// other is closed, and the reader's EventSource reconnects with its cursor.
import { type CloudClient, isFinalError } from '../../client/index.js';
import { ApiError, type StudioRoutes } from '../../contract/index.js';
import { type EventWriter, eventStream, type Handlers, readCursor, STREAM_TIMES } from '../../http/index.js';
import type { ProjectAccess } from '../project/project-access.js';
import { jobNotFound } from './forwarded.js';

const AWAY = 'away';
const OVER = { done: true, value: undefined } as const;

export function createJobEventHandlers(
  project: ProjectAccess,
): Pick<Handlers<StudioRoutes>, 'readJobLog' | 'streamJobEvents'> {
  return {
    readJobLog: ({ params: { id }, query: { after }, request: { signal } }) =>
      project.existing(
        () => jobNotFound(id),
        async cloud => {
          const { body, headers } = await cloud.relayJobLog(id, { after, signal });
          return new Response(body, { headers: { 'content-type': headers.get('content-type') ?? '' } });
        },
      ),
    async streamJobEvents({ params: { id }, query, request }) {
      const after = readCursor(request, query.after);
      try {
        return await project.existing(
          () => jobNotFound(id),
          cloud => relay(cloud, id, after, request.signal),
        );
      } catch (error) {
        if (error instanceof ApiError && error.code === 'cloud_unreachable') return retryLater();
        throw error;
      }
    },
  };
}

async function relay(
  cloud: CloudClient,
  id: string,
  after: string | undefined,
  readerGone: AbortSignal,
): Promise<Response> {
  const stop = new AbortController();
  const signal = AbortSignal.any([readerGone, stop.signal]);
  const upstream = await cloud.relayJobEvents(id, { after, signal }).catch(toAway);
  if (upstream === AWAY) return retryLater();
  const { body } = upstream;
  if (!body) return new Response(null, { status: 204 });
  return eventStream(writer => copy(body, writer, stop), { retryMs: STREAM_TIMES.retryMs });
}

/** A reader can retry these errors; a final error from the cloud becomes the response. */
function toAway(error: unknown): typeof AWAY {
  if (error instanceof ApiError && !isFinalError(error)) return AWAY;
  throw error;
}

/** An interrupted stream just ends; the reader then reconnects by itself. */
async function copy(
  body: ReadableStream<Uint8Array>,
  { sendBytes, signal }: EventWriter,
  stop: AbortController,
): Promise<void> {
  signal.addEventListener('abort', () => stop.abort(), { once: true });
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => OVER);
    if (done) return;
    await sendBytes(value);
  }
}

/** An empty stream makes an EventSource retry; at an error status it would give up for good. */
function retryLater(): Response {
  return eventStream(async () => {}, { retryMs: STREAM_TIMES.retryMs });
}
