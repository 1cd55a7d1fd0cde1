// Sends one GET request to a checked address: resolves the name once, checks all results, and connects only to those.
// Does not follow redirects and knows nothing about tokens.
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isLoopbackAddress, isPrivateAddress } from './private-address.js';

/** The URL may not be fetched; the message says why. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
}

export class IdleTimeoutError extends Error {
  override readonly name = 'IdleTimeoutError';
}

export interface PinnedOptions {
  readonly allowPrivateAddresses: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** The longest time without data, in milliseconds. */
  readonly idleTimeout: number;
  readonly signal?: AbortSignal | undefined;
  /** The system's resolver by default. */
  readonly resolve?: ((host: string) => Promise<LookupAddress[]>) | undefined;
  /** Certificates to trust instead of the usual ones. */
  readonly ca?: string | undefined;
}

/** Returns the response before its body is read. */
export async function requestPinned(url: URL, options: PinnedOptions): Promise<http.IncomingMessage> {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new AddressRefusedError('only https URLs are supported');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = await findAddresses(host, options.resolve ?? (name => lookup(name, { all: true })));
  checkAddresses(url, addresses, options.allowPrivateAddresses);
  options.signal?.throwIfAborted();
  return send(url, host, addresses, options);
}

async function findAddresses(
  host: string,
  resolve: (host: string) => Promise<LookupAddress[]>,
): Promise<LookupAddress[]> {
  const family = isIP(host);
  const found = family === 0 ? await resolve(host) : [{ address: host, family }];
  if (found.length === 0) throw new AddressRefusedError(`${host} has no address`);
  return found;
}

function checkAddresses({ protocol, hostname }: URL, found: LookupAddress[], allowPrivate: boolean): void {
  if (!allowPrivate && found.some(({ address }) => isPrivateAddress(address)))
    throw new AddressRefusedError(
      `${hostname} is on this machine or a private network, which is not allowed`,
    );
  if (protocol === 'http:' && !(allowPrivate && found.every(({ address }) => isLoopbackAddress(address))))
    throw new AddressRefusedError(`the URL on ${hostname} uses http; only https URLs are supported`);
}

function send(
  url: URL,
  host: string,
  addresses: LookupAddress[],
  { headers, idleTimeout, signal, ca }: PinnedOptions,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request({
      host,
      port: url.port,
      path: url.pathname + url.search,
      headers,
      agent: false,
      lookup: pinTo(addresses),
      timeout: idleTimeout,
      ...(signal && { signal }),
      ...(ca !== undefined && { ca }),
    });
    let answer: http.IncomingMessage | undefined;
    request.on('timeout', () => (answer ?? request).destroy(new IdleTimeoutError('no data for too long')));
    request.on('error', reject);
    request.on('response', response => {
      // An error before the body is read surfaces when it is read.
      answer = response.on('error', () => {});
      resolve(response);
    });
    request.end();
  });
}

function pinTo(addresses: LookupAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const { address, family } = addresses[0]!;
    if (options.all) callback(null, addresses);
    else callback(null, address, family);
  };
}
