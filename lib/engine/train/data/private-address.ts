// Which addresses lie on this machine or its network, or are no place to fetch from: by the registries of the IANA.
import { BlockList, isIPv4 } from 'node:net';

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

/** Parts of 2000::/3 that are no hosts of their own: they wrap IPv4 addresses or are examples. */
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
 * Whether the address is anything but a public one. Of IPv6 only global unicast is public, so the unspecified, loopback,
 * link-local, unique local and multicast addresses are not, nor any that wraps one of IPv4.
 */
export function isPrivateAddress(address: string): boolean {
  if (isIPv4(address)) return v4.check(address);
  const plain = withoutZone(address);
  return !unicast.check(plain, 'ipv6') || v6.check(plain, 'ipv6');
}

/** Whether the address is this machine. */
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
