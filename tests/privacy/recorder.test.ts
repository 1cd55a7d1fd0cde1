// The recorder's parsers: DNS questions and the kernel's tables.
import { describe, expect, it } from 'vitest';
import { answerQuestion, readQuestion } from './recorder/dns.js';
import { countPackets } from './recorder/packets.js';
import { isBeyond, parseSocketTable } from './recorder/socket-table.js';

describe('DNS questions', () => {
  const ask = (type: number) =>
    Buffer.from([0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 97, 4, 116, 101, 115, 116, 0, 0, type, 0, 1]);

  it('are read, and answered with an address that leads nowhere', () => {
    const question = readQuestion(ask(1))!;
    expect(question).toEqual({ name: 'a.test', type: 1 });
    const answer = answerQuestion(ask(1), question);
    expect(answer.subarray(0, 2)).toEqual(Buffer.from([0x12, 0x34]));
    expect(answer.readUInt16BE(6)).toBe(1);
    expect([...answer.subarray(-4)]).toEqual([192, 0, 2, 1]);
  });

  it('for anything but IPv4 get an empty answer', () => {
    const answer = answerQuestion(ask(28), readQuestion(ask(28))!);
    expect({ answers: answer.readUInt16BE(6), length: answer.length }).toEqual({ answers: 0, length: 24 });
  });

  it('that are cut off are ignored', () => {
    expect(readQuestion(ask(1).subarray(0, 15))).toBeNull();
    expect(readQuestion(Buffer.alloc(3))).toBeNull();
  });
});

describe('socket tables', () => {
  const head =
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
  const line = (local: string, remote: string) =>
    `   0: ${local} ${remote} 02 00000001:00000000 01:00000000 00000000     0        0 53676 2 0000 100 0 0 10 -1\n`;

  it('are read for IPv4 and IPv6', () => {
    expect(parseSocketTable(head + line('020200C0:A850', '22D8B85D:01BB'))).toEqual([
      { localPort: 43088, remote: { address: '93.184.216.34', port: 443 }, inode: '53676' },
    ]);
    const six = line('00000000000000000000000001000000:0FA0', 'B80D0120000001000000000001000000:0050');
    expect(parseSocketTable(head + six)[0]!.remote).toEqual({ address: '2001:db8:1::1', port: 80 });
    expect(parseSocketTable(head)).toEqual([]);
  });

  it.each([
    ['127.0.0.1', false],
    ['127.1.2.3', false],
    ['0.0.0.0', false],
    ['::', false],
    ['::1', false],
    ['::ffff:7f00:1', false],
    ['::ffff:0:0', false],
    ['93.184.216.34', true],
    ['192.168.0.1', true],
    ['2001:db8::1', true],
    ['::ffff:5db8:d822', true],
  ])('%s is beyond loopback: %s', (address, beyond) => {
    expect(isBeyond(address)).toBe(beyond);
  });
});

it('packets that the kernel sends on its own do not count', () => {
  const devices = `Inter-|   Receive  |  Transmit
 face |bytes    packets errs
    lo:     100       9    0    0    0     0          0         0      100       9    0    0    0     0       0          0
outside:     140       2    0    0    0     0          0         0      501       7    0    0    0     0       0          0
`;
  expect(countPackets('outside', devices, 'Ip6OutRequests  3\nIcmp6OutMsgs    2\n')).toBe(5);
  expect(() => countPackets('eth0', devices, '')).toThrow('no device eth0');
});
