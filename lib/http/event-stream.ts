// Writes Server-Sent Events to a reader at its own pace: `send` waits while the reader's buffer is full, so a slow or
// vanished reader costs only a few kilobytes.
import { type Clock, realClock, type Timer, within } from '../clock/index.js';

export interface EventMessage {
  id?: string | number;
  event?: string;
  data: string;
}

export interface EventWriter {
  /** Resolves when there is room for more. Rejects with the signal's reason once the reader has disconnected. */
  send(message: EventMessage): Promise<void>;
  /** The same for messages encoded with `encodeEvents`, which many writers may share. */
  sendBytes(bytes: Uint8Array): Promise<void>;
  /** Aborted when the reader disconnects. */
  readonly signal: AbortSignal;
}

interface EventStreamOptions {
  /** How long a reader should wait before it reconnects; sent first. */
  retryMs?: number;
  /** How often to send a comment, which keeps the connection and its proxies awake. */
  pingMs?: number;
  /** Sends the first comment at once: even the headers are sent only with the first bytes. */
  pingNow?: boolean;
  /** Called with the error that `write` threw. The connection is then cut, so that the reader reconnects. */
  onError?: (error: unknown) => void;
  clock?: Clock | undefined;
}

const PING = ': ping\n\n';
const BUFFER_BYTES = 16 * 1024;
const encoder = new TextEncoder();

/** A streaming response that `write` fills. It is closed when `write` returns. */
export function eventStream(
  write: (writer: EventWriter) => Promise<void>,
  options: EventStreamOptions = {},
): Response {
  return new Response(eventBody(write, options), {
    headers: {
      // Without a charset, some clients read event streams as Latin-1.
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    },
  });
}

function eventBody(
  write: (writer: EventWriter) => Promise<void>,
  { retryMs, pingMs, pingNow, onError, clock = realClock }: EventStreamOptions,
) {
  const readerGone = new AbortController();
  let controller: ReadableStreamDefaultController<Uint8Array>;
  let waiting: (() => void)[] = [];
  let ping: Timer | undefined;

  const push = (text: string) => controller.enqueue(encoder.encode(text));
  const send = (message: EventMessage) => sendBytes(encodeEvents([message]));
  const hasRoom = () => (controller.desiredSize ?? 0) > 0;

  function wake(): void {
    const ready = waiting;
    waiting = [];
    for (const resolve of ready) resolve();
  }

  async function sendBytes(bytes: Uint8Array): Promise<void> {
    while (!readerGone.signal.aborted && !hasRoom()) {
      await new Promise<void>(resolve => waiting.push(resolve));
    }
    readerGone.signal.throwIfAborted();
    controller.enqueue(bytes);
  }

  async function run(): Promise<void> {
    try {
      await write({ send, sendBytes, signal: readerGone.signal });
      if (!readerGone.signal.aborted) controller.close();
    } catch (error) {
      if (readerGone.signal.aborted) return;
      controller.error(error);
      onError?.(error);
    } finally {
      ping?.stop();
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      start(started) {
        controller = started;
        if (retryMs !== undefined) push(`retry: ${retryMs}\n\n`);
        if (pingNow) push(PING);
        if (pingMs !== undefined) ping = clock.every(pingMs, () => hasRoom() && push(PING));
        void run();
      },
      pull: wake,
      cancel(reason) {
        ping?.stop();
        readerGone.abort(reason ?? new DOMException('The client disconnected.', 'AbortError'));
        wake();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES }),
  );
}

/** Encodes messages for the wire. */
export function encodeEvents(messages: readonly EventMessage[]): Uint8Array {
  return encoder.encode(messages.map(formatMessage).join(''));
}

function formatMessage({ id, event, data }: EventMessage): string {
  const lines = data.split(/\r\n|\r|\n/).map(line => `data: ${line}\n`);
  return `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}${lines.join('')}\n`;
}

/** How often streams show that they are alive. Readers may treat a longer silence as the end. */
export interface StreamTimes {
  /** An EventSource's delay before it reconnects. */
  retryMs: number;
  /** How often to send a comment if nothing else is sent. */
  pingMs: number;
  /** How long an answer may delay its status, so that a refusal can have its own. */
  statusMs: number;
}

export const STREAM_TIMES: StreamTimes = { retryMs: 3000, pingMs: 15_000, statusMs: 10_000 };

interface ResponseStreamOptions {
  /** Aborted when the reader disconnects, and at the end. */
  clientGone: AbortController;
  /** Creates the last event of a response that fails late or after its first event. */
  failLate(error: unknown): EventMessage | Promise<EventMessage>;
  times?: Pick<StreamTimes, 'pingMs' | 'statusMs'>;
  clock?: Clock;
}

/** Streams a response. Throws if it is refused soon. */
export async function streamResponse(
  events: AsyncGenerator<EventMessage>,
  { clientGone, failLate, times = STREAM_TIMES, clock = realClock }: ResponseStreamOptions,
): Promise<Response> {
  const first = events.next();
  const begun = first.then(() => true);
  const isQuick = await within(begun, times.statusMs, () => false, clock);
  const write = async ({ send, signal }: EventWriter) => {
    signal.addEventListener('abort', () => clientGone.abort(signal.reason), { once: true });
    try {
      for (let next = await first; !next.done; next = await events.next()) await send(next.value);
    } catch (error) {
      if (!signal.aborted) await send(await failLate(error));
    } finally {
      clientGone.abort();
      await events.return(undefined);
    }
  };
  return eventStream(write, { pingMs: times.pingMs, pingNow: !isQuick, clock });
}

/** The mark at the end of OpenAI's chunk streams. */
export async function* chunkEvents(chunks: AsyncIterable<object>): AsyncGenerator<EventMessage> {
  for await (const chunk of chunks) yield { data: JSON.stringify(chunk) };
  yield { data: '[DONE]' };
}
