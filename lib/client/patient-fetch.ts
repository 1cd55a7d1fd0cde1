// A fetch without Node's built-in limits, which abort any response that takes, or pauses for, more than five
// minutes. The caller sets all other limits.
import type http from 'node:http';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { type Clock, realClock } from '../clock/index.js';
import { TIME_LIMITS, type TimeLimits } from './time-limits.js';

type Limits = Pick<TimeLimits, 'connectMs' | 'idleMs' | 'workMs'>;

/** After this long without traffic, the system probes whether the other machine is still there. */
const PROBE_AFTER_MS = 30_000;
const NULL_BODY = new Set([204, 205, 304]);

/** Like `fetch` with `redirect: 'manual'`; takes a URL, not a `Request`. @internal */
export function createPatientFetch(limits: Limits = TIME_LIMITS, clock = realClock): typeof fetch {
  let protocols: ReturnType<typeof openProtocols> | undefined;

  return async (input, init = {}) => {
    if (input instanceof Request) throw new TypeError('Pass a URL, not a Request.');
    const url = new URL(input);
    protocols ??= openProtocols();
    const protocol = (await protocols)[url.protocol];
    if (!protocol) throw new TypeError(`${url.protocol} is not supported.`);
    init.signal?.throwIfAborted();
    const { length, parts } = toParts(init.body);
    const headers = { ...Object.fromEntries(new Headers(init.headers)), ...length };
    const request = protocol.request(url, {
      agent: protocol.agent,
      method: init.method ?? 'GET',
      headers,
      ...(init.signal && { signal: init.signal }),
    });
    limitConnecting(request, limits.connectMs, clock);
    const answered = answerTo(request, limits);
    await Promise.race([upload(request, parts), answered]);
    return toResponse(await answered);
  };
}

/** Loaded with the first request: to load them takes a program as long as all else that it loads of the client. */
async function openProtocols() {
  const [http, https] = await Promise.all([import('node:http'), import('node:https')]);
  const pool = { keepAlive: true, keepAliveMsecs: PROBE_AFTER_MS };
  const protocols: Record<string, Pick<typeof http, 'request'> & { agent: http.Agent }> = {
    'http:': { request: http.request, agent: new http.Agent(pool) },
    'https:': { request: https.request, agent: new https.Agent(pool) },
  };
  return protocols;
}

/** The time limit for the response is longer than the one between two parts of the upload. */
function answerTo(request: http.ClientRequest, { idleMs, workMs }: Limits): Promise<IncomingMessage> {
  request.setTimeout(idleMs, () => request.destroy(timedOut()));
  request.once('finish', () => request.setTimeout(workMs));
  return new Promise((resolve, reject) => {
    request.once('error', reject);
    request.once('response', response => {
      request.setTimeout(0);
      // From here on, errors go to the body.
      request.off('error', reject).on('error', () => {});
      resolve(response);
    });
  });
}

function limitConnecting(request: http.ClientRequest, ms: number, clock: Clock): void {
  request.once('socket', socket => {
    if (!socket.connecting) return;
    const timer = clock.after(ms, () => request.destroy(timedOut('UND_ERR_CONNECT_TIMEOUT')));
    socket.once('connect', timer.stop).once('close', timer.stop);
  });
}

/** The server may respond early, for example with an error; the rest is sent as long as it is accepted. */
async function upload(
  request: http.ClientRequest,
  parts: AsyncIterable<Uint8Array> | Uint8Array[],
): Promise<void> {
  try {
    for await (const part of parts) {
      if (request.destroyed) return;
      if (!request.write(part)) await drained(request);
    }
    request.end();
  } catch (error) {
    request.destroy(error as Error);
  }
}

async function drained(request: http.ClientRequest): Promise<void> {
  await new Promise<void>(resolve => {
    const go = () => {
      request.off('drain', go).off('close', go);
      resolve();
    };
    request.on('drain', go).on('close', go);
  });
}

interface Parts {
  length: Record<string, string>;
  parts: AsyncIterable<Uint8Array> | Uint8Array[];
}

function toParts(body: RequestInit['body']): Parts {
  if (body == null) return { length: {}, parts: [] };
  if (typeof body === 'string') return toParts(Buffer.from(body));
  if (body instanceof Uint8Array) return { length: lengthOf(body.byteLength), parts: [body] };
  if (body instanceof Blob) return { length: lengthOf(body.size), parts: toChunks(body.stream()) };
  if (body instanceof ReadableStream) return { length: {}, parts: toChunks(body) };
  throw new TypeError('A body must be text, bytes, a blob or a stream.');
}

const toChunks = (stream: ReadableStream) => stream as unknown as AsyncIterable<Uint8Array>;
const lengthOf = (bytes: number) => ({ 'content-length': String(bytes) });

function toResponse(message: IncomingMessage): Response {
  const { statusCode = 0, statusMessage = '', rawHeaders } = message;
  const headers = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i]!, rawHeaders[i + 1]!);
  const hasBody = !NULL_BODY.has(statusCode);
  if (!hasBody) message.resume();
  const body = hasBody ? (Readable.toWeb(message) as ReadableStream<Uint8Array>) : null;
  return new Response(body, { status: statusCode, statusText: statusMessage, headers });
}

function timedOut(code = 'ETIMEDOUT'): NodeJS.ErrnoException {
  return Object.assign(new Error('Timed out.'), { code });
}

/** Shared by the whole process, so that connections are reused. */
export const patientFetch = createPatientFetch();
