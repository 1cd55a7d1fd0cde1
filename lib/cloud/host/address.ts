// Computes a cloud's listening address and its names from the start options. Pure.
import { DEFAULT_CLOUD_PORT, isLoopbackHost } from '../../contract/index.js';
import { isBadPort } from '../../http/index.js';
import { CloudError } from '../cloud-error.js';
import type { CloudAddress, CloudDeps } from '../deps.js';

export interface Exposure {
  /** An address or name of this machine. Default: loopback. */
  host?: string | undefined;
  /** The public name of the cloud: each deployment has one label before it. */
  domain?: string | undefined;
  tls?: { cert: string; key: string } | undefined;
  /** A proxy in front of it handles TLS. */
  behindProxy?: boolean | undefined;
  /** The URL at which remote workers reach it, if not its own address. */
  workerUrl?: string | undefined;
  /** Whether anonymous identities are created. Default: only for this machine's user. */
  anonymous?: boolean | undefined;
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** An address as URLs have it. */
const toUrlHost = (host: string) => (host.includes(':') ? `[${host}]` : host);

const isLoopback = (host: string) => isLoopbackHost(toUrlHost(host));

const exposureError = (message: string) => new CloudError('exposure', message);

/** Rejects plain HTTP beyond this machine, and a public cloud without a name. */
export function checkExposure({ host = 'localhost', domain, tls, behindProxy }: Exposure): void {
  const isEncrypted = tls !== undefined || behindProxy === true;
  if (domain !== undefined && !/^(?!-)[a-z\d-]+(?:\.[a-z\d-]+)*(?::\d{1,5})?$/i.test(domain))
    throw exposureError(`"${domain}" is not a domain: use a name like cloud.example.com.`);
  if (!isLoopback(host) && !isEncrypted)
    throw exposureError(
      `Listening on ${host}, beyond localhost, requires TLS: pass --tls-cert and --tls-key, or --behind-proxy if a proxy terminates TLS.`,
    );
  if (domain !== undefined && !isEncrypted)
    throw exposureError('--domain requires https: pass --tls-cert and --tls-key, or --behind-proxy.');
  if (!isLoopback(host) && domain === undefined)
    throw exposureError(`Listening on ${host}, beyond localhost, requires a public name: pass --domain.`);
  if (!LOOPBACK_NAMES.includes(toUrlHost(host).toLowerCase()) && domain === undefined)
    throw exposureError(
      `Without --domain, endpoints are subdomains of localhost, which does not lead to ${host}: use localhost, 127.0.0.1 or ::1.`,
    );
}

export function isExposed({ host = 'localhost', behindProxy }: Exposure): boolean {
  return !isLoopback(host) || behindProxy === true;
}

export function chooseAnonymous({ anonymous, ...exposure }: Exposure): CloudDeps['anonymous'] {
  if (anonymous === false) return 'off';
  if (!isExposed(exposure)) return 'secret';
  return anonymous ? 'open' : 'off';
}

/** `listening`: the listener's URL. */
export function toAddress({ workerUrl, ...exposure }: Exposure, listening: URL): CloudAddress {
  const address = toOwnAddress(exposure, listening);
  if (workerUrl === undefined) return address;
  return { ...address, names: [...new Set([...address.names, new URL(workerUrl).hostname])] };
}

function toOwnAddress(
  { host: own = 'localhost', domain, tls, behindProxy }: Exposure,
  listening: URL,
): CloudAddress {
  const isDefaultPort = behindProxy || listening.port === '';
  if (domain === undefined) {
    const port = listening.port && `:${listening.port}`;
    const url = tls ? `https://localhost${port}` : `http://${toNearHost(own)}${port}`;
    return { url, deploymentDomain: `localhost${port}`, names: LOOPBACK_NAMES };
  }
  const name = domain.toLowerCase();
  const host = name.includes(':') || isDefaultPort ? name : `${name}:${listening.port}`;
  return {
    url: `https://${host}`,
    deploymentDomain: host,
    names: [...new Set([...LOOPBACK_NAMES, toNearHost(own), name.replace(/:\d+$/, '')])],
  };
}

/** The URL for programs on this machine: direct rather than through a proxy, with the name on its certificate. */
export function toLocalUrl(
  { host = 'localhost', tls }: Exposure,
  address: CloudAddress,
  listening: URL,
): string {
  const isNear = isLoopback(host) || host === '0.0.0.0' || host === '::';
  return isNear && !tls ? `http://${toNearHost(host)}:${listening.port}` : address.url;
}

/** If it listens on one address only, another program may have the port at others, and `localhost` may mean any of them. */
function toNearHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return isLoopback(host) ? toUrlHost(host).toLowerCase() : 'localhost';
}

const PORTS_TRIED = 100;

/** The ports to try: only the requested one, or those used before and then the range. */
export function choosePorts(wanted: {
  port?: number | undefined;
  /** Its usual port, and the one that it had last. */
  former?: readonly number[] | undefined;
  first?: number | undefined;
}): number[] {
  if (wanted.port !== undefined) return [wanted.port];
  const first = wanted.first ?? DEFAULT_CLOUD_PORT;
  const next = Array.from({ length: PORTS_TRIED }, (_, i) => first + i);
  return [...new Set([...(wanted.former ?? []), ...next])].filter(port => port <= 65_535 && !isBadPort(port));
}
