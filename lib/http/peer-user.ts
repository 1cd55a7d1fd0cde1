// Finds the user at the other end of a loopback connection. Only on Linux, which lists every TCP socket with its owner.
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';

/** A connection's addresses, as seen from our end. */
export interface Connection {
  localAddress: string;
  localPort: number;
  remoteAddress: string;
  remotePort: number;
}

/** A request's socket; undefined for in-process requests. */
export function socketOf(request: Request): Socket | undefined {
  const { runtime } = request as { runtime?: { node: { req: IncomingMessage } } };
  return runtime?.node.req.socket;
}

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
/** The table is not read atomically, and a row can move meanwhile. */
const TRIES = 3;

/** The user at the other end. Null on other systems, and if the other end is not on this machine. */
export async function findPeerUser(connection: Connection): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  for (let tries = TRIES; tries > 0; tries--) {
    for (const table of TABLES) {
      const user = findInTable(await readFile(table, 'latin1').catch(() => ''), connection);
      if (user !== null) return user;
    }
  }
  return null;
}

/** Pure: the owner of the row whose local end is the connection's remote end. @internal */
export function findInTable(table: string, connection: Connection): number | null {
  const { localAddress, localPort, remoteAddress, remotePort } = connection;
  for (const write of [writeIpv4, writeIpv6]) {
    const [there, here] = [write(remoteAddress), write(localAddress)];
    if (there === null || here === null) continue;
    const ends = `: ${there}:${toHex(remotePort, 4)} ${here}:${toHex(localPort, 4)} `;
    for (let at = table.indexOf(ends); at !== -1; at = table.indexOf(ends, at + 1)) {
      const fields = table.slice(at + ends.length, table.indexOf('\n', at)).split(/\s+/);
      // No process has the socket open anymore, and its user is not listed.
      if (fields[INODE] !== '0') return Number(fields[USER]);
    }
  }
  return null;
}

/** The index among the fields after the two ends. */
const USER = 4;
const INODE = 6;

/** A program may reach an IPv4 address through an IPv6 socket, which is listed in the IPv6 table. */
function writeIpv4(address: string): string | null {
  const bytes = /^(?:::ffff:)?(\d+)\.(\d+)\.(\d+)\.(\d+)$/i.exec(address)?.slice(1).map(Number);
  return bytes ? writeWord(bytes) : null;
}

function writeIpv6(address: string): string | null {
  const ipv4 = writeIpv4(address);
  if (ipv4 !== null) return writeWord([0, 0, 0, 0]).repeat(2) + writeWord([0, 0, 255, 255]) + ipv4;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const [left, right] = [head, tail ?? ''].map(part => (part === '' ? [] : part.split(':'))) as [
    string[],
    string[],
  ];
  const groups = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  if (groups.length !== 8) return null;
  const bytes = groups.map(group => Number.parseInt(group, 16)).flatMap(group => [group >> 8, group & 255]);
  return [0, 4, 8, 12].map(at => writeWord(bytes.slice(at, at + 4))).join('');
}

/** Four bytes of an address, as a number in this machine's byte order. */
function writeWord(bytes: readonly number[]): string {
  const ordered = endianness() === 'LE' ? bytes.toReversed() : bytes;
  return ordered.map(byte => toHex(byte, 2)).join('');
}

function toHex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}
