// A network namespace for one node of a test cluster, which can be cut off from the rest of this machine. Its way to the
// cloud is like an SSH tunnel: a port of its loopback interface leads there. Linux, as root.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';

export interface CutOff {
  /** For the head, another node, and the node inside. */
  addresses: { head: string; outside: string; inside: string };
  /** Starts a command inside. */
  within: readonly string[];
  /** From now on, this port inside leads to the same one out here. */
  openTunnel(port: number): Promise<void>;
  cut(): void;
  restore(): void;
  close(): Promise<void>;
}

/** Sends each connection to a port on. */
const FORWARD = `const [from, port, to] = process.argv.slice(1);
require('node:net').createServer(socket => {
  const other = require('node:net').connect(Number(port), to);
  for (const [a, b] of [[socket, other], [other, socket]]) {
    a.pipe(b);
    a.on('error', () => b.destroy());
    a.on('close', () => b.destroy());
  }
}).listen(Number(port), from, () => console.log('ready'));`;

export function createCutOff(): CutOff {
  const name = `svc-${randomInt(1e6)}`;
  const link = `sv${randomInt(1e6)}`;
  // Addresses that are set aside for tests of networks.
  const net = `198.${randomInt(18, 20)}.${randomInt(256)}`;
  const addresses = { head: `${net}.1`, outside: `${net}.3`, inside: `${net}.2` };
  const forwarders: ChildProcess[] = [];
  const ip = (line: string) => void execFileSync('ip', line.split(' '), { stdio: 'pipe' });
  const reach = () => ip(`route add ${addresses.inside} dev ${link}`);

  ip(`netns add ${name}`);
  ip(`link add ${link} type veth peer name out netns ${name}`);
  for (const address of [addresses.head, addresses.outside]) ip(`addr add ${address}/32 dev lo`);
  // What is meant for the node while it is cut off leads nowhere.
  ip(`route add blackhole ${addresses.inside} metric 1000`);
  ip(`link set ${link} up`);
  reach();
  for (const line of [
    'link set lo up',
    // On the loopback interface, so that the node reaches itself while it is cut off.
    `addr add ${addresses.inside}/32 dev lo`,
    'link set out up',
    `route add ${net}.0/24 dev out src ${addresses.inside}`,
  ])
    ip(`-n ${name} ${line}`);

  async function forward(prefix: readonly string[], from: string, port: number, to: string): Promise<void> {
    const [command, ...args] = [...prefix, process.execPath, '-e', FORWARD, from, String(port), to];
    const child = spawn(command!, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    forwarders.push(child);
    await once(child.stdout!, 'data');
  }

  const within = ['ip', 'netns', 'exec', name];
  return {
    addresses,
    within,
    async openTunnel(port) {
      await forward([], addresses.head, port, '127.0.0.1');
      await forward(within, '127.0.0.1', port, addresses.head);
    },
    cut: () => ip(`link set ${link} down`),
    restore() {
      ip(`link set ${link} up`);
      reach();
    },
    async close() {
      for (const child of forwarders) child.kill('SIGKILL');
      ip(`netns del ${name}`);
      ip(`route del blackhole ${addresses.inside} metric 1000`);
      for (const address of [addresses.head, addresses.outside]) ip(`addr del ${address}/32 dev lo`);
    },
  };
}
