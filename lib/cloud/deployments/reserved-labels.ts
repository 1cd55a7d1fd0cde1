// Labels that no endpoint may have, because people would take it for the service itself.
import { ApiError } from '../../contract/index.js';

const RESERVED: ReadonlySet<string> = new Set(
  (
    'www api admin app assets auth billing blog cdn cloud console dashboard dev dns docs edge email ftp gateway git ' +
    'health help imap internal localhost login logout mail metrics mx ns ns1 ns2 ns3 ns4 oauth pop pop3 proxy root ' +
    'security signin signup smtp ssh ssl static status studio support svc test tls v1 v2 vpn webmail ws'
  ).split(' '),
);

/** Throws `slug_reserved`. */
export function refuseReserved(slug: string): void {
  if (!RESERVED.has(slug)) return;
  throw new ApiError('slug_reserved', `\`${slug}\` is reserved. Choose another slug.`, { param: 'slug' });
}
