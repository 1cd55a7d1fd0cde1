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

/** A server with OpenAI's API that a trainer names. */
export interface NamedServer {
  /** With the version: `http://127.0.0.1:11434/v1`. */
  baseURL: string;
  apiKey?: string | null | undefined;
}

/** The key of the environment is for servers whose own is not named at all. */
export function findKey(
  server: NamedServer,
  { OPENAI_API_KEY: key }: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (Object.hasOwn(server, 'apiKey')) return server.apiKey ?? undefined;
  return key && isPrivateWay(new URL(server.baseURL)) ? key : undefined;
}

/** A sentence; null if nothing is wrong. Never shows the key. */
export function findServerFault({ baseURL, apiKey }: NamedServer): string | null {
  try {
    requireAddress({ baseUrl: baseURL, apiKey: apiKey ?? undefined });
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Whether only the server can read what is sent. */
function isPrivateWay({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}
