// Checks before routing that a request is meant for this cloud and does not come from a web page. It knows nothing about
// identities.
import { ApiError } from '../contract/index.js';
import type { CloudAddress } from './deps.js';

/**
 * Throws for a request to a foreign host, and for one from a web page. Requests to deployments are handled earlier: they use
 * our hosts, and any page may send them.
 */
export function createGuard(address: CloudAddress): (request: Request) => void {
  return request => {
    const name = readHostName(request);
    if (name === null || !address.names.includes(name)) throw hostNotAllowed(address);
    refusePages(request, address);
  };
}

/** The name in the Host header, in lower case and without a port. An absolute-form request target does not count. */
export function readHostName(request: Request): string | null {
  const host = request.headers.get('host') ?? '';
  return /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{0,5})?$/i.exec(host)?.[1]?.toLowerCase() ?? null;
}

/** The single label before a domain, whatever its port; null if there is none or more than one. */
export function labelBefore(domain: string, name: string): string | null {
  const suffix = `.${domain.replace(/:\d+$/, '').toLowerCase()}`;
  if (!name.endsWith(suffix)) return null;
  const label = name.slice(0, -suffix.length);
  return label === '' || label.includes('.') ? null : label;
}

function refusePages({ headers }: Request, { url }: CloudAddress): void {
  const origin = headers.get('origin');
  const site = headers.get('sec-fetch-site')?.toLowerCase();
  const isOwn = origin === null || isOwnOrigin(origin, headers.get('host') ?? '', url);
  if (isOwn && site !== 'cross-site' && site !== 'same-site') return;
  throw new ApiError('origin_not_allowed', 'This API is for programs: pages of other origins are refused.');
}

/** The guard has accepted the host, so a page on that host is ours, too. */
function isOwnOrigin(origin: string, host: string, url: string): boolean {
  return origin.toLowerCase() === `${new URL(url).protocol}//${host}`.toLowerCase();
}

function hostNotAllowed({ names, deploymentDomain }: CloudAddress): ApiError {
  return new ApiError(
    'host_not_allowed',
    `This cloud serves ${names.join(', ')} and subdomains of ${deploymentDomain}, not the host of this request.`,
  );
}
