// The address of a server with OpenAI's API, and who may read a key on its way there.
import { isLoopbackHost } from '../../contract/index.js';
import type { ApiAddress } from './send.js';

/** Header values with other characters are refused by `fetch`, whose error would show them. */
const HEADER = /^[\x21-\x7e]+$/;

/** Throws a `TypeError` that never shows the key. */
export function requireAddress({ baseUrl, apiKey, organization, project }: ApiAddress): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (apiKey !== undefined && !(url && isPrivateWay(url)))
    throw new TypeError(
      'The base URL must start with https://, or http:// on this machine, so that no one reads the key on its way.',
    );
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new TypeError('The base URL must start with https:// or http://.');
  if (url.username || url.password || url.search || url.hash)
    throw new TypeError('The base URL must not contain a user name, a password or parameters.');
  for (const [name, value] of Object.entries({ key: apiKey, organization, project }))
    if (value !== undefined && !HEADER.test(value))
      throw new TypeError(`The ${name} has characters that it cannot have, such as blanks or line breaks.`);
}

/** Whether only the server can read what is sent. */
export function isPrivateWay({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}
