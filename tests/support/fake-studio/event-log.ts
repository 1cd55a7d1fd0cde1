// The event log of one job and the connections that read it, which a test writes, cuts and holds off.
import { type EventWriter, eventStream } from '../../../lib/http/index.js';

export interface FakeEventLog {
  /** Appends an event; a payload that is text is sent to the letter. */
  push(event: string, payload?: object | string): void;
  /** Sends a comment, as a server does that has nothing to tell. */
  ping(): void;
  /** Breaks every open connection, as a crash would. */
  cut(): void;
  /** While true, who connects is sent away at once, as when the cloud cannot be reached. */
  isAway: boolean;
  /** How many connections are open. */
  open(): number;
  respond(after: number): Response;
}

const RETRY_MS = 50;
const PING = new TextEncoder().encode(': ping\n\n');

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
    for (let at = after; !signal.aborted; at++) {
      while (at >= frames.length && !reader.isCut && !signal.aborted)
        await new Promise<void>(resolve => {
          reader.wake = resolve;
        });
      if (reader.isCut) throw new Error('cut');
      if (signal.aborted) return;
      await send({ id: at + 1, ...frames[at]! });
    }
  }

  const log: FakeEventLog = {
    isAway: false,
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
    respond(after) {
      if (log.isAway) return eventStream(async () => {}, { retryMs: RETRY_MS });
      if (frames.at(-1)?.event === 'end' && after >= frames.length)
        return new Response(null, { status: 204 });
      return eventStream(writer => write(writer, after), { retryMs: RETRY_MS });
    },
  };
  return log;
}
