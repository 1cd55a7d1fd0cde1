// Relays a job's events from the cloud to one reader. If either connection breaks, the other is closed, and the
// reader's EventSource reconnects with its cursor.
import type { CloudClient, EventFrame } from '../../client/index.js';
import { ApiError, type StudioRoutes } from '../../contract/index.js';
import { type EventWriter, eventStream, type Handler, STREAM_TIMES } from '../../http/index.js';
import type { ProjectAccess } from '../project/project-access.js';
import { jobNotFound } from './jobs.js';

export function createJobEventsHandler(project: ProjectAccess): Handler<StudioRoutes['streamJobEvents']> {
  return async ({ params: { id }, query, request }) => {
    const after = readCursor(request, query.after);
    try {
      return await project.existing(
        () => jobNotFound(id),
        cloud => forward(cloud, id, after, request.signal),
      );
    } catch (error) {
      if (error instanceof ApiError && error.code === 'cloud_unreachable') return comeBack();
      throw error;
    }
  };
}

async function forward(
  cloud: CloudClient,
  id: string,
  after: string | undefined,
  readerGone: AbortSignal,
): Promise<Response> {
  const stop = new AbortController();
  let onOpen = () => {};
  const opened = new Promise<'open'>(resolve => {
    onOpen = () => resolve('open');
  });
  const frames = cloud.streamJobEvents(id, {
    after,
    signal: AbortSignal.any([readerGone, stop.signal]),
    onOpen,
    // The client could retry by itself, but here the reader does, so that it can show the interruption.
    onInterrupted: () => stop.abort(),
  });
  const first = frames.next();
  first.catch(() => {});
  const state = await Promise.race([opened, first.then(() => 'over' as const, toAway(stop.signal))]);
  if (state === 'away') return comeBack();
  if (state === 'over') return new Response(null, { status: 204 });
  return eventStream(writer => copy(first, frames, writer, stop), STREAM_TIMES);
}

/** If the cloud is unreachable the reader retries later; if it refused, that is the answer. */
function toAway(stopped: AbortSignal) {
  return (error: unknown) => {
    if (stopped.aborted) return 'away' as const;
    throw error;
  };
}

async function copy(
  first: Promise<IteratorResult<EventFrame>>,
  frames: AsyncGenerator<EventFrame>,
  writer: EventWriter,
  stop: AbortController,
): Promise<void> {
  writer.signal.addEventListener('abort', () => stop.abort(), { once: true });
  try {
    for (let next = await first; !next.done; next = await frames.next()) {
      const { id, event, data } = next.value;
      await writer.send({ ...(id !== '' && { id }), event, data });
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    stop.abort();
    await frames.return(undefined);
  }
}

/** An empty stream makes an EventSource retry; at an error status it would give up for good. */
function comeBack(): Response {
  return eventStream(async () => {}, { retryMs: STREAM_TIMES.retryMs });
}

/** The `Last-Event-ID` of a reconnecting reader takes precedence over its URL. */
function readCursor({ headers }: Request, after: string | undefined): string | undefined {
  const last = headers.get('last-event-id');
  if (!last) return after;
  if (/^\d{1,15}$/.test(last)) return last;
  throw new ApiError('invalid_value', '`Last-Event-ID` must be an event number.', {
    param: 'Last-Event-ID',
  });
}
