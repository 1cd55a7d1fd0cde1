// Records which process looks up a name or connects beyond loopback, in a network namespace that leads nowhere. Lookups
// come to the resolver in here; connections hang, because no one answers, and are found in the kernel's tables.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { answerQuestion, readQuestion } from './dns.js';
import { findOwner } from './owner.js';
import { countPackets } from './packets.js';
import { isBeyond, parseSocketTable } from './socket-table.js';

export interface Attempt {
  /** `example.com`, or `192.0.2.1 port 443 (tcp)`. */
  target: string;
  process: string;
}

export interface Recorded {
  lookups: Attempt[];
  connections: Attempt[];
  /** Packets sent beyond loopback, including those from sockets that were open too briefly to be seen. */
  packets: number;
}

const TABLES = ['tcp', 'tcp6', 'udp', 'udp6'] as const;
/** Connections that no one answers hang for minutes. */
const LOOK_EVERY_MS = 20;

export async function startRecording(device: string): Promise<{ stop(): Recorded }> {
  const before = readPackets(device);
  const lookups = new Map<string, Attempt>();
  const connections = new Map<string, Attempt>();
  const resolver = await listenForLookups(attempt => note(lookups, attempt));
  const look = () => {
    for (const attempt of findConnections()) note(connections, attempt);
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    stop() {
      look();
      clearInterval(timer);
      resolver.close();
      return {
        lookups: [...lookups.values()],
        connections: [...connections.values()],
        packets: readPackets(device) - before,
      };
    },
  };
}

function note(attempts: Map<string, Attempt>, attempt: Attempt): void {
  attempts.set(`${attempt.target} ${attempt.process}`, attempt);
}

async function listenForLookups(onLookup: (attempt: Attempt) => void) {
  const resolver = createSocket('udp4');
  resolver.on('message', (message, { address, port }) => {
    const question = readQuestion(message);
    const asking = readTable('udp').find(({ localPort }) => localPort === port);
    const process = asking ? findOwner(asking.inode) : 'a process that has ended';
    onLookup({ target: question?.name ?? 'something that is not DNS', process });
    if (question) resolver.send(answerQuestion(message, question), port, address);
  });
  resolver.bind(53, '127.0.0.1');
  await once(resolver, 'listening');
  return resolver;
}

const seen = new Map<string, string>();

function findConnections(): Attempt[] {
  return TABLES.flatMap(table =>
    readTable(table)
      .filter(({ remote }) => isBeyond(remote.address))
      .map(({ remote, inode }) => {
        if (!seen.has(inode)) seen.set(inode, findOwner(inode));
        const kind = table.slice(0, 3);
        return { target: `${remote.address} port ${remote.port} (${kind})`, process: seen.get(inode)! };
      }),
  );
}

function readTable(table: (typeof TABLES)[number]) {
  return parseSocketTable(readFileSync(`/proc/net/${table}`, 'utf8'));
}

function readPackets(device: string): number {
  const read = (name: string) => readFileSync(`/proc/net/${name}`, 'utf8');
  return countPackets(device, read('dev'), read(`dev_snmp6/${device}`));
}
