// Finding the user at the other end of a connection in Linux's socket tables.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { endianness } from 'node:os';
import { describe, expect, it } from 'vitest';
import { type Connection, findPeerUser } from '../../lib/http/index.js';
import { findInTable } from '../../lib/http/peer-user.js';

const HEAD =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const row = (here: string, there: string, user: number, inode = 4242) =>
  `   7: ${here} ${there} 01 00000000:00000000 00:00000000 00000000 ${String(user).padStart(5)}        0 ${inode} 1 0000 20 4 30 10 -1\n`;

const ipv4: Connection = {
  localAddress: '127.0.0.1',
  localPort: 4000,
  remoteAddress: '127.0.0.1',
  remotePort: 40_000,
};
const ipv6: Connection = { ...ipv4, localAddress: '::1', remoteAddress: '::1' };

describe.skipIf(endianness() === 'BE')('the socket table', () => {
  const [ours, theirs] = ['0100007F:0FA0', '0100007F:9C40'];

  it('gives the user of the remote end, and not root, as whose closed sockets are shown', () => {
    const own = HEAD + row(ours, theirs, 1000);
    const table = own + row(theirs, ours, 1001) + row(theirs, '0100007F:0FA1', 1002);
    const users = [table, own, HEAD + row(theirs, ours, 0, 0)].map(text => findInTable(text, ipv4));
    expect(users).toEqual([1001, null, null]);
  });

  it.each(['127.0.0.1', '::ffff:127.0.0.1'])('recognizes IPv4-mapped IPv6 addresses: %s', address => {
    const mapped = '0000000000000000FFFF00000100007F';
    const table = HEAD + row(`${mapped}:9C40`, `${mapped}:0FA0`, 1001);
    expect(findInTable(table, { ...ipv4, localAddress: address, remoteAddress: address })).toBe(1001);
  });

  it('recognizes IPv6 addresses', () => {
    const one = '00000000000000000000000001000000';
    expect(findInTable(HEAD + row(`${one}:9C40`, `${one}:0FA0`, 65_534), ipv6)).toBe(65_534);
    const other = { ...ipv6, remoteAddress: 'fe80::1:2%lo' };
    expect(findInTable(HEAD + row(`000080FE000000000000000002000100:9C40`, `${one}:0FA0`, 7), other)).toBe(7);
  });
});

it.skipIf(process.platform !== 'linux').each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])(
  'finds our own user for a connection to %s',
  async address => {
    const server = createServer().listen({ port: 0, host: address === '::1' ? '::1' : '127.0.0.1' });
    await once(server, 'listening');
    const accepted = once(server, 'connection');
    const client = connect((server.address() as AddressInfo).port, address);
    const [socket] = (await accepted) as [Socket];
    expect(await findPeerUser(socket as Connection)).toBe(process.getuid!());
    client.destroy();
    socket.destroy();
    server.close();
  },
);
