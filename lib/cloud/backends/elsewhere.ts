// A remote inference server: polled for health, and called over HTTP.
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Clock } from '../../clock/index.js';
import { type BackendState, unavailable } from '../seams/backend.js';

export interface LineResponse {
  status: number;
  headers: IncomingMessage['headers'];
  lines: AsyncGenerator<string>;
  /** Releases a finished response, so that its connection can be reused, or cuts the connection. */
  close(isOver: boolean): void;
}

interface LineRequest {
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
}

/** How a request fails on a connection that has been closed; the latter, if it is large. */
const CLOSED: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

/** Sends one request and yields the response's lines as they arrive. Follows no redirects. Rejects if no response begins. */
export function askForLines(url: string, request: LineRequest): Promise<LineResponse> {
  const { headers, body, signal } = request;
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  const bytes = Buffer.from(body);
  const all = { ...headers, 'content-type': 'application/json', 'content-length': String(bytes.length) };
  return new Promise((resolve, reject) => {
    let hasBegun = false;
    const outgoing = send(url, { method: 'POST', headers: all, signal }, incoming => {
      hasBegun = true;
      // The reader of the lines gets the error. An abort may also come when no one reads anymore.
      incoming.on('error', () => {});
      resolve({
        status: incoming.statusCode!,
        headers: incoming.headers,
        lines: readLines(incoming),
        close: isOver => void (isOver ? incoming.resume() : incoming.destroy()),
      });
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // The server has just closed a connection that it had kept open.
      const isStale = outgoing.reusedSocket && CLOSED.has(error.code ?? '') && !hasBegun;
      if (isStale && !signal.aborted) resolve(askForLines(url, request));
      else reject(signal.aborted ? signal.reason : error);
    });
    outgoing.end(bytes);
  });
}

async function* readLines(incoming: IncomingMessage): AsyncGenerator<string> {
  let rest = '';
  incoming.setEncoding('utf8');
  // Its connection is reused if the reader stops at the end of an answer, before that of the response.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== '') yield rest;
}

interface ElsewhereOptions {
  /** Throws the reason if it does not respond. */
  look(): Promise<'starting' | 'ready'>;
  /** When to check again. */
  waitMs(state: BackendState): number;
  onProblem(message: string): void;
  clock: Clock;
}

export interface Elsewhere {
  readonly state: BackendState;
  /** Why it does not respond; null if no problem is known. */
  readonly problem: string | null;
  ask<T>(signal: AbortSignal, start: (signal: AbortSignal) => AsyncIterable<T>): AsyncGenerator<T>;
  /** Ends all requests. Resolves when polling has stopped. */
  close(): Promise<void>;
}

/** Polls a remote server and sends it requests. A caller who aborts gets its own reason. */
export function createElsewhere({ look, waitMs, onProblem, clock }: ElsewhereOptions): Elsewhere {
  const closed = new AbortController();
  const open = new Set<AbortController>();
  let state: BackendState = 'starting';
  let problem: string | null = null;

  async function lookNow(): Promise<void> {
    try {
      state = await look();
      problem = null;
    } catch (error) {
      state = 'failed';
      const message = error instanceof Error ? error.message : String(error);
      if (message !== problem) onProblem(message);
      problem = message;
    }
  }

  async function watch(): Promise<void> {
    while (!closed.signal.aborted) {
      await lookNow();
      await clock.sleep(waitMs(state), closed.signal).catch(() => {});
    }
  }

  const watching = watch();
  return {
    get state() {
      return closed.signal.aborted ? 'failed' : state;
    },
    get problem() {
      return problem;
    },
    async *ask(signal, start) {
      if (closed.signal.aborted) throw shutDown();
      signal.throwIfAborted();
      // Not `AbortSignal.any`: a signal that lives as long as the cloud would keep every request in memory.
      const asking = new AbortController();
      const leave = () => asking.abort(signal.reason);
      signal.addEventListener('abort', leave, { once: true });
      open.add(asking);
      try {
        for await (const output of start(asking.signal)) {
          yield output;
          // The rest may have arrived before the caller left.
          asking.signal.throwIfAborted();
        }
      } catch (error) {
        asking.signal.throwIfAborted();
        throw error;
      } finally {
        signal.removeEventListener('abort', leave);
        open.delete(asking);
      }
    },
    close() {
      closed.abort();
      for (const asking of open) asking.abort(shutDown());
      return watching;
    },
  };
}

const shutDown = () => unavailable('The engine was shut down.');
