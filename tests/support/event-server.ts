// A real server whose event stream does what a test tells it to, connection by connection.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { openServer } from './listening.js';

export interface Connection {
  request: IncomingMessage;
  url: URL;
  /** Headers of the stream, before it opens. */
  header(name: string, value: string): void;
  /** Opens the stream, if that was not done, and writes frames as they are. */
  write(text: string | Uint8Array): void;
  event(id: number, event: string, data: object): void;
  /** Cuts the connection, as a crash would. */
  cut(): void;
  /** Ends the response in order. */
  end(): void;
  /** Answers with a status and the envelope instead of a stream. */
  refuse(status: number, code?: string, headers?: Record<string, string>): void;
  /** Answers with a JSON document instead of a stream. */
  json(body: unknown): void;
  closed: Promise<void>;
}

export type EventServer = Awaited<ReturnType<typeof startEventServer>>;

/** `answer` is called for each connection with its number, from 0. */
export async function startEventServer(answer: (connection: Connection, index: number) => unknown) {
  const connections: Connection[] = [];
  const server = createServer((request, response) => {
    const connection = toConnection(request, response);
    connections.push(connection);
    void answer(connection, connections.length - 1);
  });
  const { url, close } = await openServer(server);
  return { baseUrl: url, connections, close };
}

function toConnection(request: IncomingMessage, response: ServerResponse): Connection {
  const write = (text: string | Uint8Array) => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text);
  };
  return {
    request,
    url: new URL(request.url ?? '/', 'http://localhost'),
    header: (name, value) => void response.setHeader(name, value),
    write,
    event: (id, event, data) => write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    cut: () => void response.destroy(),
    end: () => {
      write('');
      response.end();
    },
    refuse: (status, code = 'job_not_found', headers = {}) => {
      const error = { message: `refused with ${code}`, type: 't', code, param: null };
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify({ error }));
    },
    json: body => void response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
    closed: once(response, 'close').then(() => {}),
  };
}
