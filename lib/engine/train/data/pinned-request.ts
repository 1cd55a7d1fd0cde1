// Sends one GET request to a checked address: resolves the name once, checks all results, and connects only to those.
// Does not follow redirects and knows nothing about tokens.
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import * as http from 'node:http';
import * as https from 'node:https';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';

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

const notPublicV4: readonly [string, number][] = [
  ['0.0.0.0', 8], // unspecified, "this network"
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8],
  ['169.254.0.0', 16], // link-local, where clouds keep their metadata
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
];

/** Ranges in 2000::/3 that are not public hosts: they embed IPv4 addresses or are reserved, such as for documentation. */
const notPublicV6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const v4 = toList('ipv4', notPublicV4);
const v6 = toList('ipv6', notPublicV6);
const unicast = toList('ipv6', [['2000::', 3]]);
const loopbackV4 = toList('ipv4', [['127.0.0.0', 8]]);

/**
 * Whether the address is on this machine, on its network, or otherwise not public, following the IANA registries. In
 * IPv6 only global unicast is public, which excludes unspecified, loopback, link-local, unique local and multicast
 * addresses, and those that embed an IPv4 address.
 * @internal
 */
export function isPrivateAddress(address: string): boolean {
  if (isIPv4(address)) return v4.check(address);
  const plain = withoutZone(address);
  return !unicast.check(plain, 'ipv6') || v6.check(plain, 'ipv6');
}

/** @internal */
export function isLoopbackAddress(address: string): boolean {
  return isIPv4(address) ? loopbackV4.check(address) : withoutZone(address) === '::1';
}

function withoutZone(address: string): string {
  return address.replace(/%.*$/, '');
}

function toList(family: 'ipv4' | 'ipv6', subnets: readonly [string, number][]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
}
