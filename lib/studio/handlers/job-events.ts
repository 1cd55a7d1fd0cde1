// Passes a job's events from the cloud on to one reader, byte for byte. A reader that asks for batches gets them from the cloud,
// or made here if the cloud has none. If either connection breaks, the other is closed, and the reader's EventSource
// reconnects with its cursor.
import { type CloudClient, isFinalError } from '../../client/index.js';
import {
  ApiError,
  batchMessage,
  EVENT_BATCHES_HEADER,
  type SingleEvent,
  type StudioRoutes,
} from '../../contract/index.js';
import { type EventWriter, eventStream, type Handler, readCursor, STREAM_TIMES } from '../../http/index.js';
import type { ProjectAccess } from '../project/project-access.js';
import { jobNotFound } from './forwarded.js';

const AWAY = 'away';
const OVER = { done: true, value: undefined } as const;

export function createJobEventsHandler(project: ProjectAccess): Handler<StudioRoutes['streamJobEvents']> {
  return async ({ params: { id }, query, request }) => {
    const after = readCursor(request, query.after);
    try {
      return await project.existing(
        () => jobNotFound(id),
        cloud => relay(cloud, id, { after, inBatches: query.batch === '1' }, request.signal),
      );
    } catch (error) {
      if (error instanceof ApiError && error.code === 'cloud_unreachable') return comeBack();
      throw error;
    }
  };
}

async function relay(
  cloud: CloudClient,
  id: string,
  { after, inBatches }: { after: string | undefined; inBatches: boolean },
  readerGone: AbortSignal,
): Promise<Response> {
  const stop = new AbortController();
  const signal = AbortSignal.any([readerGone, stop.signal]);
  const upstream = await cloud.relayJobEvents(id, { after, inBatches, signal }).catch(orAway);
  if (upstream === AWAY) return comeBack();
  if (!upstream.body) return new Response(null, { status: 204 });
  const pass = inBatches && !upstream.headers.has(EVENT_BATCHES_HEADER) ? copyInBatches : copy;
  return eventStream(writer => pass(upstream.body!, writer, stop), { retryMs: STREAM_TIMES.retryMs });
}

/** A reader can try again after these; what the cloud refuses for good is the answer. */
function orAway(error: unknown): typeof AWAY {
  if (error instanceof ApiError && !isFinalError(error)) return AWAY;
  throw error;
}

/** A stream that breaks ends here, too: the reader then comes back by itself. */
async function copy(
  body: ReadableStream<Uint8Array>,
  writer: Pick<EventWriter, 'sendBytes' | 'signal'>,
  stop: AbortController,
): Promise<void> {
  writer.signal.addEventListener('abort', () => stop.abort(), { once: true });
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => OVER);
    if (done) return;
    await writer.sendBytes(value);
  }
}

async function copyInBatches(
  body: ReadableStream<Uint8Array>,
  writer: EventWriter,
  stop: AbortController,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  const sendBytes = async (bytes: Uint8Array) => {
    const gathered = gatherEvents(rest + decoder.decode(bytes, { stream: true }));
    rest = gathered.rest;
    if (gathered.bytes) await writer.sendBytes(gathered.bytes);
  };
  await copy(body, { sendBytes, signal: writer.signal }, stop);
}

/** An empty stream makes an EventSource retry; at an error status it would give up for good. */
function comeBack(): Response {
  return eventStream(async () => {}, { retryMs: STREAM_TIMES.retryMs });
}

/** Whole messages so far, and the start of the next one. */
interface Gathered {
  readonly bytes: Uint8Array | null;
  readonly rest: string;
}

const END = '\n\n';
const MESSAGE = /id: ?(\d+)\nevent: ?([\w.]+)\ndata: ?([^\r\n]*)\n\n/y;
const encoder = new TextEncoder();

/** Puts events that arrive together into batches. What is no event, and what comes with it, passes as it came. @internal */
export function gatherEvents(text: string): Gathered {
  const last = text.lastIndexOf(END);
  if (last < 0) return { bytes: null, rest: text };
  const end = last + END.length;
  const whole = text.slice(0, end);
  const events = readMessages(whole);
  return { bytes: encoder.encode((events && batchMessage(events)) ?? whole), rest: text.slice(end) };
}

/** Null unless each is an event in the usual form. */
function readMessages(text: string): SingleEvent[] | null {
  const events: SingleEvent[] = [];
  let end = 0;
  MESSAGE.lastIndex = 0;
  for (let found = MESSAGE.exec(text); found; found = MESSAGE.exec(text)) {
    events.push({ id: found[1]!, event: found[2]!, data: found[3]! });
    end = MESSAGE.lastIndex;
  }
  return end === text.length ? events : null;
}
