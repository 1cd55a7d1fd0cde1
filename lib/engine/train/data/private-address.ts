// Tells whether an address is on this machine, on its network, or otherwise not public, following the IANA registries.
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
 * Whether the address is not public. In IPv6 only global unicast is public, which excludes unspecified, loopback,
 * link-local, unique local and multicast addresses, and those that embed an IPv4 address.
 */
export function isPrivateAddress(address: string): boolean {
  if (isIPv4(address)) return v4.check(address);
  const plain = withoutZone(address);
  return !unicast.check(plain, 'ipv6') || v6.check(plain, 'ipv6');
}

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
