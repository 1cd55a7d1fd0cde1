// Loopback servers that record their requests and stop after the tests of the file.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

export interface WebServer {
  url: string;
  port: number;
  requests: IncomingMessage[];
}

/** Uses TLS if there is a certificate. */
export async function startServer(
  answer: RequestListener,
  certificate?: { cert: string; key: string },
): Promise<WebServer> {
  const requests: IncomingMessage[] = [];
  const listener: RequestListener = (request, response) => {
    requests.push(request);
    answer(request, response);
  };
  const server: Server = certificate ? createTlsServer(certificate, listener) : createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`, port, requests };
}
