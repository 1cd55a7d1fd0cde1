// Follows the redirects of a user's address by hand, so that each one is checked, and the token stays with its host.
import type { IncomingMessage } from 'node:http';
import { AddressRefused, type PinnedOptions, requestPinned } from './pinned-request.js';

const maxRedirects = 5;
const redirects = [301, 302, 303, 307, 308];

export interface BlobResponse {
  readonly response: IncomingMessage;
  /** Where it came from in the end. */
  readonly url: URL;
}

/** The first response that is no redirect. */
export async function followBlob(
  first: URL,
  token: string | undefined,
  options: Omit<PinnedOptions, 'headers'>,
): Promise<BlobResponse> {
  let url = first;
  let bearer = token;
  for (let left = maxRedirects; ; left--) {
    const headers = {
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': 'svc',
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    };
    const response = await requestPinned(url, { ...options, headers });
    if (!redirects.includes(response.statusCode ?? 0)) return { response, url };
    response.destroy();
    if (left === 0) throw new AddressRefused(`it redirects more than ${maxRedirects} times`);
    url = toTarget(response.headers.location, url);
    if (url.origin !== first.origin) bearer = undefined;
  }
}

function toTarget(location: string | undefined, from: URL): URL {
  if (location === undefined || !URL.canParse(location, from.href))
    throw new AddressRefused(`${from.hostname} redirects to no address`);
  return new URL(location, from);
}
