// Node rejects some requests before they reach a handler. This gives those responses our envelope and a request ID.
import { randomUUID } from 'node:crypto';
import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../clock/index.js';
import { ApiError } from '../contract/index.js';
import { linger } from './connection-end.js';

/** Gives the server's own rejections the same form as other errors. */
export function refuseInEnvelopes(server: Server, clock: Clock): void {
  const latest = new WeakMap<Socket, ServerResponse>();
  const refused = new WeakSet<Socket>();

  (server as Server & { requireHostHeader: boolean }).requireHostHeader = false;
  server.on('request', (request, response) => latest.set(request.socket, response));
  server.on('checkExpectation', refuseExpectation);
  server.on('connect', (_request: IncomingMessage, socket: Socket) => refuseOn(socket, noTunnels(), clock));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Later errors on a connection come from the same bytes.
    if (refused.has(socket)) return;
    refused.add(socket);
    const response = latest.get(socket);
    if (error.code === 'ECONNRESET') socket.destroy();
    else if (response && isBeingAnswered(response)) endAfter(response, socket, clock);
    else if (socket.writable) refuseOn(socket, toRefusal(error), clock);
    else linger(socket, clock);
  });
}

/** The standard requires 400; `refuseInEnvelopes` keeps Node from sending it without an envelope. */
export function requireHost(handler: RequestListener): RequestListener {
  return (request, response) => {
    if (request.httpVersion !== '1.1' || request.headers.host !== undefined)
      return handler(request, response);
    answerRefusal(response, new ApiError('malformed_request', 'HTTP/1.1 requests need a Host header.'));
  };
}

/** Or a response was sent before the whole request arrived. */
function isBeingAnswered({ headersSent, req, writableFinished }: ServerResponse): boolean {
  return headersSent && (!req.complete || !writableFinished);
}

/** A second response would corrupt the current one, and cutting the connection would lose it. */
function endAfter(response: ServerResponse, socket: Socket, clock: Clock): void {
  if (response.writableFinished) socket.end();
  else response.once('finish', () => socket.end());
  linger(socket, clock);
}

function refuseOn(socket: Socket, error: ApiError, clock: Clock): void {
  const { head, body } = write(error);
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`);
  linger(socket, clock);
}

function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  answerRefusal(
    response,
    new ApiError('expectation_failed', 'The only supported `Expect` is `100-continue`.'),
  );
}

/** Closes the connection after it. */
export function answerRefusal(response: ServerResponse, error: ApiError): void {
  const { head, body } = write(error);
  response.writeHead(error.status, head).end(body);
}

function write(error: ApiError): { head: Record<string, string>; body: string } {
  const body = JSON.stringify(error.toEnvelope());
  const head = {
    ...error.headers,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-request-id': randomUUID(),
    connection: 'close',
  };
  return { head, body };
}

function toRefusal({ code }: NodeJS.ErrnoException): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('headers_too_large', 'The URL and headers are larger than 16 KiB.');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ApiError('body_too_large', 'The chunk extensions are larger than 16 KiB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('request_timeout', 'The request did not arrive in time.');
    default:
      return new ApiError('malformed_request', 'The request is not valid HTTP/1.1.');
  }
}

function noTunnels(): ApiError {
  return new ApiError('method_not_allowed', 'CONNECT is not supported: this server is not a proxy.', {
    headers: { allow: 'GET, HEAD, POST, PATCH, DELETE' },
  });
}
