// A server's time limits. An upload may take hours as long as it makes progress; a stalled one is dropped.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ServerLimits {
  /** For the request line and headers, and for the first byte of a new connection. */
  headersMs: number;
  /** Between two bytes of a body. The whole body has no limit. */
  bodyIdleMs: number;
  /** For the next request on a connection, and for the rest of a body that was not read. */
  keepAliveMs: number;
  /** After this long without traffic, the system checks whether the other machine is still up. */
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
  // Node's limit on whole requests would cut off slow but valid uploads.
  server.requestTimeout = 0;
  (server as Server & { connectionsCheckingInterval: number }).connectionsCheckingInterval =
    limits.checkEveryMs;
  server.on('connection', (socket: Socket) => socket.setKeepAlive(true, limits.probeAfterMs));
}
