// Listens on this machine only, unless told otherwise: on the same port of 127.0.0.1 and ::1, so that `localhost` always
// finds it. Without IPv6, on 127.0.0.1 alone. Other hosts and TLS are opt-in.
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, ListenOptions as ListenTarget } from 'node:net';
import type { H3 } from 'h3';
import { toNodeHandler } from 'h3/node';
import { listen as listhen } from 'listhen';
import { type Clock, realClock } from '../clock/index.js';
import { createApp, type LogLine } from './app.js';
import { answerHalfClosed, lingerOnClose } from './connection-end.js';
import { type Connections, createConnections, openFileLimit } from './connections.js';
import { refuseInEnvelopes, requireHost } from './parser-refusals.js';
import { applyLimits, SERVER_LIMITS, type ServerLimits } from './server-limits.js';

export interface Listening {
  port: number;
  /** `http://localhost:<port>`, or the host it listens on. */
  url: string;
  /** The bound addresses. */
  addresses: string[];
  /** Whether it refuses requests because too many connections are in use. */
  readonly isFull: boolean;
  /** Stops accepting connections, and cuts those still open after `graceMs`. */
  close(graceMs?: number): Promise<void>;
}

/** All allowed ports are in use. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';

  constructor(ports: readonly number[]) {
    const [first] = ports;
    super(
      ports.length === 1 ? `Port ${first} is in use.` : `Ports ${first} to ${ports.at(-1)} are all in use.`,
    );
  }
}

/** The number of tries to find a free port: one that is free in one address family may be taken in the other. */
const ANY_PORT_TRIES = 20;

/** `isProd` keeps listhen from choosing another port, `isTest` from printing. */
const QUIET = { isProd: true, isTest: true, public: false, autoClose: false } as const;

type Fetch = (request: Request) => Response | Promise<Response>;

interface Fetcher {
  fetch: Fetch;
}

export interface ListenOptions {
  /** An address or name of this machine. Default: `localhost`, both loopback families. */
  host?: string | undefined;
  /** Takes the first free one; 0 means any free port. */
  ports: readonly number[];
  /** Certificate and key, in PEM. */
  tls?: { cert: string; key: string } | undefined;
  limits?: Partial<ServerLimits> | undefined;
  /** How many files the process may open, connections among them. Default: as many as the system allows. */
  openFiles?: number | undefined;
  /** Paths that are answered even while too many connections are in use. */
  vital?: readonly string[] | undefined;
  /** Gets errors that the app throws. Default: they are answered only. */
  log?: ((line: LogLine) => void) | undefined;
  clock?: Clock | undefined;
}

/** Shared by the servers of one `listen` call. */
interface Serving {
  clock: Clock;
  tls: ListenOptions['tls'];
  handler: http.RequestListener;
  prepare(server: http.Server): http.Server;
}

export async function listen(app: Fetcher, options: ListenOptions): Promise<Listening> {
  const { host = 'localhost', ports, tls } = options;
  const connections = createConnections({
    ...options,
    openFiles: options.openFiles ?? (await openFileLimit()),
  });
  const serving = createServing(app, options, connections);
  for (const port of ports) {
    if (isBadPort(port)) throw new Error(`Port ${port} cannot be used: ${BAD_PORT}.`);
    for (let tries = port === 0 ? ANY_PORT_TRIES : 1; tries > 0; tries--) {
      const servers =
        host === 'localhost' ? await bindLoopback(serving, port) : await bindHost(serving, host, port);
      if (!servers) continue;
      return toListening(
        servers,
        `${tls ? 'https' : 'http'}://${toUrlHost(host)}`,
        connections,
        serving.clock,
      );
    }
  }
  throw new PortTakenError(ports);
}

/** Replaces listhen's request listeners, which throw when a request's body is cut off. */
function createServing(
  app: Fetcher,
  { tls, limits, log = () => {}, clock = realClock }: ListenOptions,
  connections: Connections,
): Serving {
  const fetch = answerErrors(
    connections.limitStreams(request => app.fetch(request)),
    log,
  );
  const answer = toNodeHandler({ fetch } as H3) as http.RequestListener;
  const handler = connections.admit(requireHost(nameStatus(answer)));
  return {
    clock,
    tls,
    handler,
    prepare(server) {
      server.removeAllListeners('request').on('request', handler);
      applyLimits(server, { ...SERVER_LIMITS, ...limits });
      refuseInEnvelopes(server, clock);
      lingerOnClose(server, clock);
      answerHalfClosed(server, clock);
      connections.watch(server);
      return server;
    },
  };
}

/** An error that nobody catches would end the process. */
function answerErrors(fetch: Fetch, log: (line: LogLine) => void): Fetch {
  return async request => {
    try {
      return await fetch(request);
    } catch (error) {
      const fail = () => {
        throw error;
      };
      return createApp({ log }).fallback(fail).fetch(request);
    }
  };
}

/** Keeps the status line's usual words: the adapter writes none, and some clients show nothing else. */
function nameStatus(handler: http.RequestListener): http.RequestListener {
  return (request, response) => {
    const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => http.ServerResponse;
    response.writeHead = (...given: unknown[]) => writeHead(...given.filter(part => part !== ''));
    handler(request, response);
  };
}

/**
 * Takes ::1 first, then lets listhen take 127.0.0.1. If two processes want a port at the same moment, one gets a manageable
 * error on ::1; in listhen, the same race ends in an uncaught exception. Null if the port is taken.
 */
async function bindLoopback(serving: Serving, port: number): Promise<http.Server[] | null> {
  const six = await bind(serving, { port, host: '::1' });
  if (six === 'taken') return null;
  const wanted = six ? { port: toAddress(six).port, random: false } : { port, random: port === 0 };
  try {
    const { server } = await listhen(serving.handler, {
      ...QUIET,
      hostname: '127.0.0.1',
      port: wanted,
      https: serving.tls ?? false,
    });
    const four = serving.prepare(server as http.Server);
    return six ? [four, six] : [four];
  } catch (error) {
    if (six) await closeServer(six, 0, serving.clock);
    if ((error as Error).name === 'GetPortError') return null;
    throw error;
  }
}

async function bindHost(serving: Serving, host: string, port: number): Promise<http.Server[] | null> {
  const server = await bind(serving, { port, host });
  if (server === 'taken') return null;
  if (!server) throw new Error(`${host} is not an address on this machine.`);
  return [server];
}

/** Null if this machine has no such address. */
async function bind({ tls, prepare }: Serving, at: ListenTarget): Promise<http.Server | 'taken' | null> {
  const server = prepare(tls ? https.createServer(tls) : http.createServer());
  try {
    await once(server.listen(at), 'listening');
    return server;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') return 'taken';
    if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') return null;
    throw explain(code, at) ?? error;
  }
}

function explain(code: string | undefined, { port, host }: ListenTarget): Error | null {
  if (code === 'EACCES')
    return new Error(
      `Port ${port} is not allowed to this user (EACCES). Choose another one, such as one from 1024 on.`,
    );
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new Error(
      `The host name ${host} is unknown here (${code}). Use an address or a name of this machine.`,
    );
  return null;
}

/** An address that binds all interfaces is reached as localhost on this machine. */
function toUrlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

function toAddress(server: http.Server): AddressInfo {
  return server.address() as AddressInfo;
}

function toListening(
  servers: readonly http.Server[],
  named: string,
  connections: Connections,
  clock: Clock,
): Listening {
  const addresses = servers.map(toAddress);
  const { port } = addresses[0]!;
  return {
    port,
    url: `${named}:${port}`,
    addresses: addresses.map(({ address }) => address),
    get isFull() {
      return connections.isFull;
    },
    close: async (graceMs = 0) => {
      await Promise.all(servers.map(server => closeServer(server, graceMs, clock)));
    },
  };
}

async function closeServer(server: http.Server, graceMs: number, clock: Clock): Promise<void> {
  const closed = new Promise(resolve => server.close(resolve));
  server.closeIdleConnections();
  const timer = clock.after(graceMs, () => server.closeAllConnections());
  await closed;
  timer.stop();
}

/** Blocked by the Fetch standard: browsers and `fetch` refuse to connect to them, so a server there is unreachable. */
const BAD_PORTS: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

export function isBadPort(port: number): boolean {
  return BAD_PORTS.has(port);
}

/** Explains why such a port cannot be used. */
export const BAD_PORT = 'browsers and fetch refuse to call it';
