// A Ray cluster of this machine: a head without CPUs of its own, and nodes beside it, each with an address and a folder of
// its own, as if they were machines. They can be killed one by one; one that ends is started again, as by a supervisor.
import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../support/free-port.js';
import { type KeptNode, keepNode } from './kept-node.js';

const START_MS = 540_000;
const LOOK_MS = 250;

export interface RayNode {
  /** Every process of it, as if the machine had lost its power. */
  kill(): Promise<void>;
  address: string;
  /** By which other programs find its processes. */
  name: string;
  /** Its processes whose names begin so, such as `raylet` or `ray::svc-attempt`. */
  findProcesses(begin: string): Promise<number[]>;
}

export interface TestCluster {
  /** The dashboard's. */
  url: string;
  tokenFile: string;
  /** `within`: a command that starts it, such as in a network namespace. Has a new address unless one is given. */
  addNode(cpus: number, place?: { address?: string; within?: readonly string[] }): Promise<RayNode>;
  /** On the same port. Its memory is lost; nodes that end over it come again. */
  restartHead(): Promise<void>;
  /** That many nodes, with the head. */
  untilAlive(count: number): Promise<void>;
  close(): Promise<void>;
}

/** `address`: where the head listens for nodes. */
export async function startCluster(nodes: readonly number[], address?: string): Promise<TestCluster> {
  // Ray's sockets lie under it, whose paths must be short.
  const folder = await mkdtemp('/tmp/svc-ray-');
  const tokenFile = join(folder, 'token');
  await writeFile(tokenFile, randomBytes(24).toString('hex'), { mode: 0o600 });
  const ports = [await findFreePort(), await findFreePort(), await findFreePort()] as const;
  const [gcs, dashboard, client] = ports;
  const url = `http://127.0.0.1:${dashboard}`;
  // Other clusters may run on this machine at the same time.
  const network = `127.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  const head = address ?? `${network}.1`;
  const kept: KeptNode[] = [];
  let count = 0;

  function keep(at: string, args: readonly string[], within: readonly string[] = []): KeptNode {
    const node = keepNode({ folder: join(folder, String(count++)), address: at, tokenFile, args, within });
    kept.push(node);
    return node;
  }

  function startHead(): KeptNode {
    const at = [`--port=${gcs}`, `--dashboard-port=${dashboard}`, '--dashboard-host=127.0.0.1'];
    return keep(head, ['--head', '--num-cpus=0', `--ray-client-server-port=${client}`, ...at]);
  }

  async function untilAlive(wanted: number): Promise<void> {
    for (const end = Date.now() + START_MS; ; await sleep(LOOK_MS)) {
      const alive = await listAlive(url, tokenFile);
      if (alive.length >= wanted) return;
      if (Date.now() > end)
        throw new Error(`The Ray cluster has ${alive.length} of ${wanted} nodes.\n${await readLogs()}`);
    }
  }

  const readLogs = async () => (await Promise.all(kept.map(({ readLog }) => readLog()))).join('\n');

  async function close(): Promise<void> {
    await Promise.all(kept.map(({ end }) => end()));
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }

  const cluster: TestCluster = {
    url,
    tokenFile,
    untilAlive,
    close,
    async addNode(cpus, { address: own = `${network}.${count + 1}`, within } = {}) {
      const node = keep(own, [`--address=${head}:${gcs}`, `--num-cpus=${cpus}`], within);
      for (const end = Date.now() + START_MS; ; await sleep(LOOK_MS)) {
        if ((await listAlive(url, tokenFile)).includes(own)) return { ...node, address: own, kill: node.end };
        if (Date.now() > end)
          throw new Error(`Ray's node at ${own} did not come up.\n${await node.readLog()}`);
      }
    },
    async restartHead() {
      await kept[0]!.restart();
      await untilAlive(1);
    },
  };
  try {
    startHead();
    await untilAlive(1);
    for (const cpus of nodes) await cluster.addNode(cpus);
    return cluster;
  } catch (error) {
    await close();
    throw error;
  }
}

/** The addresses of nodes that the head takes for alive; none while it does not answer. */
async function listAlive(url: string, tokenFile: string): Promise<string[]> {
  const authorization = `Bearer ${await readFile(tokenFile, 'utf8')}`;
  try {
    const response = await fetch(`${url}/nodes?view=summary`, { headers: { authorization } });
    const { data } = (await response.json()) as {
      data: { summary: { ip: string; raylet?: { state?: string } }[] };
    };
    return data.summary.filter(({ raylet }) => raylet?.state === 'ALIVE').map(({ ip }) => ip);
  } catch {
    return [];
  }
}
