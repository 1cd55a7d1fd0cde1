// A server's time limits. An upload of hours is fine as long as it moves; a stalled one is dropped.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ServerLimits {
  /** For a request line and all headers, and for the first byte of a new connection. */
  headersMs: number;
  /** Between two bytes of a body that is being read. The whole body has no limit. */
  bodyIdleMs: number;
  /** For the next request on a connection, and for the rest of a body that was answered without reading it. */
  keepAliveMs: number;
  /** After this long without traffic, the system checks whether the other machine is still there. */
  probeAfterMs: number;
  /** How often `headersMs` is checked. */
  checkEveryMs: number;
}

export const SERVER_LIMITS: ServerLimits = {
  headersMs: 60_000,
  bodyIdleMs: 60_000,
  keepAliveMs: 65_000,
  probeAfterMs: 30_000,
  checkEveryMs: 10_000,
};

/** Call it before the server listens, or Node decides how often to check `headersMs`. */
export function applyLimits(server: Server, limits: ServerLimits): void {
  server.headersTimeout = limits.headersMs;
  server.keepAliveTimeout = limits.keepAliveMs;
  // Node's limit on a whole request would end slow uploads that are fine.
  server.requestTimeout = 0;
  (server as Server & { connectionsCheckingInterval: number }).connectionsCheckingInterval =
    limits.checkEveryMs;
  server.on('connection', (socket: Socket) => socket.setKeepAlive(true, limits.probeAfterMs));
}
