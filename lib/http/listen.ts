// Listening, by default on this machine only: the same port on 127.0.0.1 and on ::1, so that `localhost` finds us
// whichever way it resolves. Where the system has no IPv6, 127.0.0.1 alone. Other hosts and TLS have to be asked for.
import http from 'node:http';
import https from 'node:https';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type ListenOptions as ListenTarget,
} from 'node:net';
import type { H3 } from 'h3';
import { toNodeHandler } from 'h3/node';
import { listen as listhen } from 'listhen';
import { BAD_PORT, isBadPort } from './bad-ports.js';
import { lingerOnClose } from './linger.js';
import { refuseInEnvelopes, requireHost } from './parser-refusals.js';
import { applyLimits, SERVER_LIMITS, type ServerLimits } from './server-limits.js';

export interface Listening {
  port: number;
  /** `http://localhost:<port>`, or what else it was told to listen on. */
  url: string;
  /** The addresses that are bound. */
  addresses: string[];
  /** Stops taking connections, and cuts those that are still open after `graceMs`. */
  close(graceMs?: number): Promise<void>;
}

/** Every port that was allowed is in use. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
  readonly ports: readonly number[];

  constructor(ports: readonly number[]) {
    const [first] = ports;
    super(
      ports.length === 1 ? `Port ${first} is in use.` : `Ports ${first} to ${ports.at(-1)} are all in use.`,
    );
    this.ports = ports;
  }
}

const ANY_PORT_TRIES = 20;

/** `isProd` keeps listhen from moving to another port, `isTest` from printing about ports. */
const QUIET = {
  isProd: true,
  isTest: true,
  public: false,
  showURL: false,
  open: false,
  clipboard: false,
  autoClose: false,
} as const;

interface Fetcher {
  fetch(request: Request): Response | Promise<Response>;
}

export interface ListenOptions {
  /** An address or name of this machine; `localhost` is both loopback families. */
  host: string;
  /** The first that is free is taken; port 0 means any free one. */
  ports: readonly number[];
  /** Certificate and key, in PEM. */
  tls?: { cert: string; key: string } | undefined;
  limits?: Partial<ServerLimits> | undefined;
}

/** What all our servers have in common, whoever made them. */
interface Common {
  handler: http.RequestListener;
  prepare<S extends http.Server>(server: S): S;
}

/** Listens where it is told to, which may be beyond this machine. */
export async function listen(app: Fetcher, options: ListenOptions): Promise<Listening> {
  const { host, ports, tls, limits } = options;
  if (!tls && host === 'localhost') return listenOnLoopback(app, ports, limits);
  const { prepare } = createCommon(app, limits);
  const createServer = () => prepare(tls ? https.createServer(tls) : http.createServer());
  const named = `${tls ? 'https' : 'http'}://${toUrlHost(host)}`;
  for (const port of ports) {
    refuseBad(port);
    const servers = await bindAll(host === 'localhost' ? ['127.0.0.1', '::1'] : [host], port, createServer);
    if (servers) return toListening(servers, named);
  }
  throw new PortTakenError(ports);
}

/** An address that binds every interface is reached on this machine by its own name. */
function toUrlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/** A server on each of the hosts at one port, or none of them and null when it is taken on one. */
async function bindAll(
  hosts: readonly string[],
  port: number,
  createServer: () => http.Server,
): Promise<http.Server[] | null> {
  const servers: http.Server[] = [];
  try {
    for (const host of hosts) {
      const chosen = (servers[0]?.address() as AddressInfo | undefined)?.port ?? port;
      const server = await bind(createServer(), { port: chosen, host });
      if (server === 'taken') throw new PortTakenError([chosen]);
      if (server) servers.push(server);
      else if (host !== '::1') throw new Error(`${host} is not an address on this machine.`);
    }
    return servers;
  } catch (error) {
    await Promise.all(servers.map(server => closeServer(server, 0)));
    if (error instanceof PortTakenError) return null;
    throw error;
  }
}

/** Listens on the first of `ports` that is free in both families; port 0 means any free one. */
export async function listenOnLoopback(
  app: Fetcher,
  ports: readonly number[],
  limits?: Partial<ServerLimits>,
): Promise<Listening> {
  const common = createCommon(app, limits);
  for (const port of ports) {
    refuseBad(port);
    for (let tries = port === 0 ? ANY_PORT_TRIES : 1; tries > 0; tries--) {
      const servers = await bindBoth(common, port === 0 ? await findFreePort() : port);
      if (servers) return toListening(servers, 'http://localhost');
    }
  }
  throw new PortTakenError(ports);
}

/**
 * ::1 comes first, by a server of ours that reports a taken port as an error: of two processes of ours that want the
 * port at once, one stops there. listhen, which binds 127.0.0.1, would answer that race with an uncaught exception.
 */
async function bindBoth(common: Common, port: number): Promise<http.Server[] | null> {
  const six = await bind(common.prepare(http.createServer()), { port, host: '::1', ipv6Only: true });
  if (six === 'taken') return null;
  try {
    const four = await bindIpv4(common, port);
    if (four) return six ? [four, six] : [four];
  } catch (error) {
    if (six) await closeServer(six, 0);
    throw error;
  }
  if (six) await closeServer(six, 0);
  return null;
}

/** Null where the system does not have that address. */
async function bind(server: http.Server, at: ListenTarget): Promise<http.Server | 'taken' | null> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(at, resolve);
    });
    return server;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') return 'taken';
    if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') return null;
    throw error;
  }
}

async function bindIpv4({ handler, prepare }: Common, port: number): Promise<http.Server | null> {
  if (!(await isFree(port, '127.0.0.1'))) return null;
  const { server } = await listhen(handler, { ...QUIET, hostname: '127.0.0.1', port });
  prepare(server as http.Server);
  const bound = (server.address() as AddressInfo).port;
  if (bound === port) return server as http.Server;
  // listhen silently replaces a port that it does not like.
  await closeServer(server as http.Server, 0);
  throw new Error(`Port ${port} cannot be used.`);
}

function refuseBad(port: number): void {
  if (isBadPort(port)) throw new Error(`Port ${port} cannot be used: ${BAD_PORT}.`);
}

/** listhen also watches each request, in a way that throws when one is cut off in its body; the closing is ours. */
function createCommon(app: Fetcher, limits: Partial<ServerLimits> = {}): Common {
  const handler = requireHost(toNodeHandler(app as H3) as http.RequestListener);
  return {
    handler,
    prepare(server) {
      server.removeAllListeners('request').on('request', handler);
      applyLimits(server, { ...SERVER_LIMITS, ...limits });
      refuseInEnvelopes(server);
      lingerOnClose(server);
      return server;
    },
  };
}

async function isFree(port: number, host: string): Promise<boolean> {
  const probe = createTcpServer();
  try {
    await new Promise<void>((resolve, reject) => probe.once('error', reject).listen({ port, host }, resolve));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  } finally {
    if (probe.listening) await new Promise(resolve => probe.close(resolve));
  }
}

async function findFreePort(): Promise<number> {
  const probe = createTcpServer();
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise(resolve => probe.close(resolve));
  return port;
}

function toListening(servers: readonly http.Server[], named: string): Listening {
  const addresses = servers.map(server => server.address() as AddressInfo);
  const { port } = addresses[0]!;
  return {
    port,
    url: `${named}:${port}`,
    addresses: addresses.map(({ address }) => address),
    close: async (graceMs = 0) => {
      await Promise.all(servers.map(server => closeServer(server, graceMs)));
    },
  };
}

async function closeServer(server: http.Server, graceMs: number): Promise<void> {
  const closed = new Promise(resolve => server.close(resolve));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}
