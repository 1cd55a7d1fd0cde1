// How long a server waits for what. An upload of hours is fine as long as it moves; what has stopped is dropped.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ServerLimits {
  /** For a request line and all headers, and for the first byte of a new connection. */
  headersMs: number;
  /** Between two bytes of a body that somebody reads. There is no limit on the whole. */
  bodyIdleMs: number;
  /** For the next request on a connection, and for the rest of a body that was answered without reading it. */
  keepAliveMs: number;
  /** Without traffic for this long, the system asks whether the other machine is still there. */
  probeAfterMs: number;
  /** How often the first of these is looked at. */
  checkEveryMs: number;
}

export const SERVER_LIMITS: ServerLimits = {
  headersMs: 60_000,
  bodyIdleMs: 60_000,
  keepAliveMs: 65_000,
  probeAfterMs: 30_000,
  checkEveryMs: 10_000,
};

/** To be called before the server listens, or `headersMs` is looked at as often as Node likes. */
export function applyLimits(server: Server, limits: ServerLimits): void {
  server.headersTimeout = limits.headersMs;
  server.keepAliveTimeout = limits.keepAliveMs;
  // Node's limit on a whole request ends slow uploads that are perfectly well.
  server.requestTimeout = 0;
  (server as Server & { connectionsCheckingInterval: number }).connectionsCheckingInterval =
    limits.checkEveryMs;
  server.on('connection', (socket: Socket) => socket.setKeepAlive(true, limits.probeAfterMs));
}
