// The event log of one job and the connections that read it, which a test writes, cuts and holds off.
import { ApiError, writeLogLines } from '../../../lib/contract/index.js';
import { type EventWriter, eventStream } from '../../../lib/http/index.js';
import { toLogParts } from '../log-parts.js';

export interface FakeEventLog {
  /** Appends an event; a payload that is text is sent to the letter. */
  push(event: string, payload?: object | string): void;
  /** Sends a comment, as a server does that has nothing to tell. */
  ping(): void;
  /** Breaks every open connection, as a crash would. */
  cut(): void;
  /** While true, who connects is sent away at once, as when the cloud cannot be reached. */
  isAway: boolean;
  /** What who connects is told to wait before it comes back. */
  retryMs: number;
  /** How many connections are open. */
  open(): number;
  /** What each who connected named as the last it had seen, in their order. */
  lastEventIds: (string | null)[];
  respond(reader: { request: Request; query: { after?: string | undefined } }): Response;
  /** What was pushed so far. */
  respondSoFar(reader: { query: { after?: string | undefined } }): Response;
}

/** As a cloud reads them. */
const EVENTS_AT_ONCE = 1000;
const encoder = new TextEncoder();
const PING = encoder.encode(': ping\n\n');

export function createEventLog(): FakeEventLog {
  const frames: { event: string; data: string }[] = [];
  const readers = new Set<{ wake: () => void; ping: () => void; isCut: boolean }>();
  const wakeAll = () => {
    for (const reader of readers) reader.wake();
  };

  async function write({ send, sendBytes, signal }: EventWriter, after: number): Promise<void> {
    const reader = { wake: () => {}, ping: () => void sendBytes(PING), isCut: false };
    readers.add(reader);
    signal.addEventListener('abort', () => {
      readers.delete(reader);
      reader.wake();
    });
    for (let at = after; !signal.aborted; ) {
      while (at >= frames.length && !reader.isCut && !signal.aborted)
        await new Promise<void>(resolve => {
          reader.wake = resolve;
        });
      if (reader.isCut) throw new Error('cut');
      if (signal.aborted) return;
      await send({ id: ++at, ...frames[at - 1]! });
    }
  }

  function* writeLog(after: number) {
    const end = frames.length;
    for (let at = after; at < end; at += EVENTS_AT_ONCE) {
      const part = frames.slice(at, Math.min(end, at + EVENTS_AT_ONCE));
      const numbered = part.map((frame, index) => ({ id: String(at + index + 1), ...frame }));
      yield encoder.encode(writeLogLines(toLogParts(numbered)));
    }
  }

  const log: FakeEventLog = {
    isAway: false,
    retryMs: 50,
    lastEventIds: [],
    push(event, payload = {}) {
      frames.push({ event, data: typeof payload === 'string' ? payload : JSON.stringify(payload) });
      wakeAll();
    },
    ping() {
      for (const reader of readers) reader.ping();
    },
    cut() {
      for (const reader of readers) reader.isCut = true;
      wakeAll();
      readers.clear();
    },
    open: () => readers.size,
    respond({ request, query }) {
      const last = request.headers.get('last-event-id');
      log.lastEventIds.push(last);
      const after = Number(last ?? query.after ?? 0);
      if (log.isAway) return eventStream(async () => {}, { retryMs: log.retryMs });
      if (frames.at(-1)?.event === 'end' && after >= frames.length)
        return new Response(null, { status: 204 });
      return eventStream(writer => write(writer, after), { retryMs: log.retryMs });
    },
    respondSoFar({ query }) {
      if (log.isAway) throw new ApiError('cloud_unreachable', 'The cloud is away.');
      return new Response(
        ReadableStream.from(writeLog(Number(query.after ?? 0))) as ReadableStream<Uint8Array<ArrayBuffer>>,
      );
    },
  };
  return log;
}
