// How connections end: clients that close their side or disconnect before the response, and a server that closes its side
// while a client is still sending.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../clock/index.js';

/** The second byte reveals a closed connection, so that work for a client that has left ends within a second. */
const PROBE_MS = 400;
/** Nothing can be sent in the middle of any other body. A stalled one is cut after this long. */
const SILENCE_MS = 4000;
const COMMENT = Buffer.from(':\n\n');
const END_OF_EVENT = Buffer.from('\n\n');

/** Event streams, and whether each one's last chunk completed an event: only then may a comment follow. */
const eventStreams = new WeakMap<ServerResponse, boolean>();

export function noteEventStream(response: ServerResponse): void {
  const write = response.write.bind(response) as (...given: unknown[]) => boolean;
  eventStreams.set(response, true);
  response.write = (...given: unknown[]) => {
    eventStreams.set(response, END_OF_EVENT.equals((given[0] as Uint8Array).subarray(-2)));
    return write(...given);
  };
}

/**
 * Lets clients half-close before the response. Such a client may be waiting for the response, or may have left. The
 * difference shows only when bytes are sent: a client that has left refuses them. So until it has its response, it is sent
 * bytes that every client ignores.
 */
export function answerHalfClosed(server: Server, clock: Clock): void {
  // Otherwise Node closes the whole connection.
  Object.assign(server, { httpAllowHalfOpen: true, allowHalfOpen: true });
  const owed = new WeakMap<Socket, Set<ServerResponse>>();
  server.on('request', ({ socket }, response) => {
    const responses = owed.get(socket) ?? new Set();
    const probeAll = () => {
      for (const unanswered of responses) probe(unanswered, clock);
    };
    const closeAll = () => {
      for (const unanswered of responses) closeQueued(unanswered);
    };
    if (!owed.has(socket)) socket.once('end', probeAll).once('close', closeAll);
    owed.set(socket, responses.add(response));
    response.once('close', () => responses.delete(response));
  });
}

/** If several responses are pending on a connection, Node notifies only the first one of its closing. */
function closeQueued(response: ServerResponse): void {
  if (response.socket || response.writableFinished) return;
  response.destroy();
  response.emit('close');
}

function probe(response: ServerResponse, clock: Clock): void {
  const { socket } = response.req;
  let written = socket.bytesWritten;
  let silence = 0;
  const timer = clock.every(PROBE_MS, () => {
    // Earlier requests on the connection are answered first.
    if (!response.socket) return;
    if (!response.headersSent) return sendContinue(response);
    if (response.writableEnded || response.writableNeedDrain) return;
    if (eventStreams.has(response)) return sendComment(response);
    silence = socket.bytesWritten === written ? silence + PROBE_MS : 0;
    written = socket.bytesWritten;
    if (silence >= SILENCE_MS) socket.destroy();
  });
  response.once('close', timer.stop);
}

/** HTTP/1.0 does not support it. */
function sendContinue(response: ServerResponse): void {
  if (response.req.httpVersion !== '1.0') response.writeContinue();
}

function sendComment(response: ServerResponse): void {
  if (eventStreams.get(response)) response.write(COMMENT);
}

/**
 * Calls `undo` if the caller disconnects before the response has been handed to the system, so that nothing that nobody
 * knows about is left behind. What happens on the network after that is unknown.
 */
export function onUndelivered(request: Request, undo: () => void): void {
  const response = nodeResponseOf(request);
  if (request.signal.aborted || response?.destroyed) undo();
  else response?.once('finish', () => response.off('close', undo)).once('close', undo);
}

type FromSocket = Request & { runtime?: { node: { res: ServerResponse } } };

/** Requests over a socket carry Node's own response; in-process ones do not. */
export function nodeResponseOf(request: Request): ServerResponse | undefined {
  return (request as FromSocket).runtime?.node.res;
}

/** After this long without a byte, the other end has read the response or never will. */
const QUIET_MS = 1000;
const LINGER_MS = 30_000;

/**
 * Closing a connection while the other end is still sending resets it, which loses the response. So if a response is sent
 * before the whole request has arrived, and the connection is not kept alive, the server keeps reading for a while.
 */
export function lingerOnClose(server: Server, clock: Clock): void {
  const latest = new WeakMap<Socket, IncomingMessage>();
  server.on('request', (request: IncomingMessage) => {
    const { socket } = request;
    if (!latest.has(socket)) {
      const destroySoon = socket.destroySoon.bind(socket);
      socket.destroySoon = () => {
        const last = latest.get(socket)!;
        if (last.complete) return destroySoon();
        last.once('end', destroySoon);
        socket.end();
        linger(socket, clock);
      };
    }
    latest.set(socket, request);
  });
}

/** Destroys the connection once no more bytes arrive, or after half a minute. */
export function linger(socket: Socket, clock: Clock): void {
  const end = clock.elapsed() + LINGER_MS;
  let seen = socket.bytesRead;
  const timer = clock.every(QUIET_MS, () => {
    if (socket.bytesRead === seen || clock.elapsed() > end) socket.destroy();
    seen = socket.bytesRead;
  });
  socket.once('close', timer.stop).once('error', () => socket.destroy());
}
