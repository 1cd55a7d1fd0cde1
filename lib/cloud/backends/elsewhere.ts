// Questions to what answers elsewhere for this cloud.
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { unavailable } from '../seams/backend.js';

export interface LineAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  lines: AsyncGenerator<string>;
  /** Lets go of an answer that is over, so that its connection serves the next request, or cuts it. */
  close(isOver: boolean): void;
}

interface LineRequest {
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
}

/**
 * Asks one question; the lines of its answer come as they are written. Follows no redirects. Rejects if no answer begins.
 */
export function askForLines(url: string, { headers, body, signal }: LineRequest): Promise<LineAnswer> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  const bytes = Buffer.from(body);
  const all = { ...headers, 'content-type': 'application/json', 'content-length': String(bytes.length) };
  return new Promise((resolve, reject) => {
    const outgoing = send(url, { method: 'POST', headers: all, signal }, incoming =>
      resolve({
        status: incoming.statusCode!,
        headers: incoming.headers,
        lines: readLines(incoming),
        close: isOver => void (isOver ? incoming.resume() : incoming.destroy()),
      }),
    );
    outgoing.on('error', error => reject(signal.aborted ? signal.reason : error));
    outgoing.end(bytes);
  });
}

async function* readLines(incoming: IncomingMessage): AsyncGenerator<string> {
  let rest = '';
  incoming.setEncoding('utf8');
  for await (const chunk of incoming) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== '') yield rest;
}

interface OpenQuestions {
  ask<T>(signal: AbortSignal, start: (signal: AbortSignal) => AsyncIterable<T>): AsyncGenerator<T>;
}

/** The questions that are being answered. A caller who aborts gets its own reason. All end when the backend is closed. */
export function createOpenQuestions(closed: AbortSignal): OpenQuestions {
  const open = new Set<AbortController>();
  closed.addEventListener('abort', () => {
    for (const asking of open) asking.abort(shutDown());
  });
  return {
    async *ask(signal, start) {
      if (closed.aborted) throw shutDown();
      signal.throwIfAborted();
      // Not `AbortSignal.any`: one that lives as long as the cloud would remember every question.
      const asking = new AbortController();
      const leave = () => asking.abort(signal.reason);
      signal.addEventListener('abort', leave, { once: true });
      open.add(asking);
      try {
        yield* start(asking.signal);
      } catch (error) {
        asking.signal.throwIfAborted();
        throw error;
      } finally {
        signal.removeEventListener('abort', leave);
        open.delete(asking);
      }
    },
  };
}

const shutDown = () => unavailable('The engine was shut down.');
