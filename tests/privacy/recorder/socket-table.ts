// Parses the kernel's socket tables: /proc/net/tcp, tcp6, udp and udp6.
import { isIPv4 } from 'node:net';

export interface Socket {
  localPort: number;
  remote: { address: string; port: number };
  inode: string;
}

export function parseSocketTable(text: string): Socket[] {
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map(line => {
      const [, local = '', remote = '', , , , , , , inode = ''] = line.trim().split(/\s+/);
      return { localPort: parseEnd(local).port, remote: parseEnd(remote), inode };
    });
}

/** `0100007F:0035`: the address as little-endian words, then the port. */
function parseEnd(text: string): { address: string; port: number } {
  const [hex = '', port = ''] = text.split(':');
  const words = hex.match(/.{8}/g) ?? [];
  const bytes = words.flatMap(word => [...Buffer.from(word, 'hex')].reverse());
  return { address: bytes.length === 4 ? bytes.join('.') : toIpv6(bytes), port: Number.parseInt(port, 16) };
}

function toIpv6(bytes: readonly number[]): string {
  const groups = Array.from({ length: 8 }, (_, i) => ((bytes[2 * i]! << 8) | bytes[2 * i + 1]!).toString(16));
  // The URL parser shortens it.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

/** Whether an address is beyond loopback. Sockets without a remote end have the address 0. */
export function isBeyond(address: string): boolean {
  if (isIPv4(address)) return address !== '0.0.0.0' && !address.startsWith('127.');
  // IPv4 mapped into IPv6: 7f00 is 127.0.
  return (
    address !== '::' && address !== '::1' && !address.startsWith('::ffff:7f') && address !== '::ffff:0:0'
  );
}
