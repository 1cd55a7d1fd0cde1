// Follows the redirects of a user's URL itself, to check each one and to send the token only to the first host.
import type { IncomingMessage } from 'node:http';
import { AddressRefusedError, type PinnedOptions, requestPinned } from './pinned-request.js';

const maxRedirects = 5;
const redirects = [301, 302, 303, 307, 308];

export interface BlobResponse {
  readonly response: IncomingMessage;
  /** The URL after all redirects. */
  readonly url: URL;
}

/** Returns the first response that is not a redirect. */
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
    if (left === 0) throw new AddressRefusedError(`it redirects more than ${maxRedirects} times`);
    url = toTarget(response.headers.location, url);
    if (url.origin !== first.origin) bearer = undefined;
  }
}

function toTarget(location: string | undefined, from: URL): URL {
  if (location === undefined || !URL.canParse(location, from.href))
    throw new AddressRefusedError(`${from.hostname} redirects to an invalid URL`);
  return new URL(location, from);
}
