// Loopback servers that record their requests and stop after the tests of the file.

import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { afterAll } from 'vitest';
import { openServer } from '../../../support/listening.js';

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
  const server = certificate ? createTlsServer(certificate, listener) : createServer(listener);
  const { url, port, close } = await openServer(server);
  afterAll(close);
  return { url, port, requests };
}
