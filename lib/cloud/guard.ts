// What is checked before anything is routed: that the request was meant for this cloud, and that no web page sent it.
// Knows nothing of identities.
import { ApiError } from '../contract/index.js';
import type { CloudAddress } from './deps.js';

/**
 * Throws for a request to a host that is not ours, and for one that comes from a page. What is for a deployment has been
 * taken out before: it has a host of ours, and any page may send it.
 */
export function createGuard(address: CloudAddress): (request: Request) => void {
  return request => {
    const name = readHostName(request);
    if (name === null || !address.names.includes(name)) throw hostNotAllowed(address);
    refusePages(request, address);
  };
}

/** The name in the Host header, in lower case and without its port. What an absolute-form address names is not asked. */
export function readHostName(request: Request): string | null {
  const host = request.headers.get('host') ?? '';
  return /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{0,5})?$/i.exec(host)?.[1]?.toLowerCase() ?? null;
}

/** The one label before a domain, whose port does not count; null when there is none, or more. */
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

/** The guard has found the host to be ours, so a page of that very host is, too. */
function isOwnOrigin(origin: string, host: string, url: string): boolean {
  return origin.toLowerCase() === `${new URL(url).protocol}//${host}`.toLowerCase();
}

function hostNotAllowed({ names, deploymentDomain }: CloudAddress): ApiError {
  return new ApiError(
    'host_not_allowed',
    `This cloud serves ${names.join(', ')} and subdomains of ${deploymentDomain}, not the host of this request.`,
  );
}
