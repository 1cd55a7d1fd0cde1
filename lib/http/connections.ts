// Keeps a server's connections below the process's limit of open files. Opening many connections does not lock others out:
// at the limit, a new connection replaces one that has waited long without a request, and a new request replaces the one
// whose body has been arriving longest. Responses are never cut; requests beyond their share are refused.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { ApiError } from '../contract/index.js';
import { nodeResponseOf, noteEventStream } from './connection-end.js';
import { errorResponse } from './errors.js';
import { answerRefusal } from './parser-refusals.js';

type Fetch = (request: Request) => Response | Promise<Response>;

interface ConnectionOptions {
  /** How many files the process may open. */
  openFiles: number;
  /** Paths that are answered even while others are refused. */
  vital?: readonly string[] | undefined;
}

export interface Connections {
  /** The maximum number of connections. */
  readonly most: number;
  /** Whether requests are refused now. */
  readonly isFull: boolean;
  watch(server: Server): void;
  /** Lets requests through to the listener while there is room. */
  admit(listener: RequestListener): RequestListener;
  /** Limits event streams, which are long-lived, to a part of the connections. */
  limitStreams(fetch: Fetch): Fetch;
}

/** Files that the process itself has open: its database, its log, and pipes to its own processes. */
const OWN_FILES = 64;
/** Files that requests have open at most, if the process may open many. Otherwise each connection has one. */
const FILES_OF_REQUESTS = 4096;
const FEWEST = 32;

/** @internal */
export function mostConnections(openFiles: number): number {
  const rest = openFiles - OWN_FILES;
  return Math.max(FEWEST, Math.floor(rest / 2), rest - FILES_OF_REQUESTS);
}

export function createConnections({ openFiles, vital = [] }: ConnectionOptions): Connections {
  const most = mostConnections(openFiles);
  const mostBusy = Math.floor((most * 7) / 8);
  const mostStreams = Math.floor((mostBusy * 3) / 4);
  /** Waiting for a first or next request; longest waiting first. */
  const [silent, answered] = [new Set<Socket>(), new Set<Socket>()];
  /** With a request, and the response to the latest one. */
  const busy = new Map<Socket, ServerResponse>();
  /** Those whose request may still be arriving, oldest first. */
  const receiving = new Set<Socket>();
  let streams = 0;

  function forget(connection: Socket): void {
    for (const group of [silent, answered, busy, receiving]) group.delete(connection);
  }

  function cut(connection: Socket): void {
    forget(connection);
    connection.destroy();
  }

  function findRoom(): boolean {
    for (const connection of receiving) {
      if (busy.size < mostBusy) break;
      receiving.delete(connection);
      if (!busy.get(connection)!.req.complete) cut(connection);
    }
    return busy.size < mostBusy;
  }

  /** Takes it from the larger group, so that filling one group does not lock the other out. */
  function longestWaiting(): Socket {
    const [first] = silent.size > answered.size ? silent : answered;
    return first!;
  }

  function begin(connection: Socket, response: ServerResponse): void {
    silent.delete(connection);
    answered.delete(connection);
    busy.set(connection, response);
    if (hasBody(response.req)) receiving.add(connection);
    response.once('close', () => {
      if (busy.get(connection) !== response) return;
      forget(connection);
      if (!connection.destroyed) answered.add(connection);
    });
  }

  return {
    most,
    get isFull() {
      return busy.size >= mostBusy || streams >= mostStreams;
    },
    watch(server) {
      server.on('connection', (connection: Socket) => {
        silent.add(connection);
        connection.once('close', () => forget(connection));
        if (silent.size + answered.size + busy.size > most) cut(longestWaiting());
      });
    },
    admit: listener => (request, response) => {
      const connection = toConnection(request.socket);
      const isAdmitted = busy.has(connection) || isVital(request, vital) || findRoom();
      if (!isAdmitted) return answerRefusal(response, tooMany());
      begin(connection, response);
      listener(request, response);
    },
    limitStreams: fetch => async request => {
      const answer = await fetch(request);
      const response = nodeResponseOf(request);
      if (!response || response.destroyed || !isEventStream(answer)) return answer;
      if (streams >= mostStreams) {
        // Rejects if the stream has failed already.
        await answer.body?.cancel().catch(() => {});
        const refusal = errorResponse(tooMany());
        refusal.headers.set('x-request-id', answer.headers.get('x-request-id') ?? randomUUID());
        return refusal;
      }
      streams++;
      response.once('close', () => streams--);
      noteEventStream(response);
      return answer;
    },
  };
}

function isEventStream({ headers, body }: Response): boolean {
  return body !== null && (headers.get('content-type') ?? '').startsWith('text/event-stream');
}

function isVital({ url = '' }: IncomingMessage, vital: readonly string[]): boolean {
  return vital.includes(url.split('?', 1)[0]!);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** A TLS socket wraps the one that the server has accepted. */
function toConnection(socket: Socket): Socket {
  return (socket as Socket & { _parent?: Socket | null })._parent ?? socket;
}

function tooMany(): ApiError {
  return new ApiError('too_many_connections', 'All connections are in use. Try again in a moment.', {
    headers: { 'retry-after': '2' },
  });
}

let limit: Promise<number> | undefined;

/** How many files the system lets this process have open, connections included. Infinity if there is no limit, as on Windows. */
export function openFileLimit(): Promise<number> {
  limit ??= readLimit()
    .catch(askShell)
    .then(
      text => Number.parseInt(text, 10) || Number.POSITIVE_INFINITY,
      () => Number.POSITIVE_INFINITY,
    );
  return limit;
}

/** Linux has it in a file, which takes a millisecond where a shell takes ten. */
async function readLimit(): Promise<string> {
  const [, soft] = (await readFile('/proc/self/limits', 'utf8')).match(/^Max open files +(\S+)/m)!;
  return soft!;
}

/** A shell inherits its parent's limit. */
async function askShell(): Promise<string> {
  return (await promisify(execFile)('sh', ['-c', 'ulimit -n'])).stdout;
}
