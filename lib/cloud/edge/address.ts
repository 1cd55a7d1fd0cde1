// Which deployment a request is for: by the label before the deployment domain or, if that domain is local to this
// machine, by the path.

import { isLocalDomain } from '../deployments/to-deployment.js';
import type { CloudAddress } from '../deps.js';
import { labelBefore, readHostName } from '../guard.js';

export interface EdgeAddress {
  slug: string;
  /** The path after the deployment's base address. */
  path: string;
}

/** Null if the request is for the cloud's API. */
export function readEdgeAddress(request: Request, address: CloudAddress): EdgeAddress | null {
  const host = readHostName(request);
  if (host === null || !URL.canParse(request.url)) return null;
  const { pathname } = new URL(request.url);
  if (!address.names.includes(host)) {
    const slug = labelBefore(address.deploymentDomain, host);
    return slug === null ? null : { slug, path: pathname };
  }
  const form = isLocalDomain(address.deploymentDomain) ? /^\/d\/([^/]*)(.*)$/.exec(pathname) : null;
  return form && { slug: form[1]!, path: form[2]! };
}
