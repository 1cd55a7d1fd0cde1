// A Ray cluster of this machine: a head without CPUs of its own, and nodes beside it, which can be killed one by one.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from './free-port.js';

const bin = fileURLToPath(new URL('../../../ray/.venv/bin', import.meta.url));
/** What the objects of svc's tasks need: next to nothing. */
const OBJECT_STORE_BYTES = String(100 * 2 ** 20);
const START_MS = 120_000;
const LOOK_MS = 250;
/** The variable that names a node to the processes of it. */
const NAME = 'SVC_TEST_NODE';

export interface RayNode {
  /** Its raylet, killed as if the machine had lost its power. */
  kill(): Promise<void>;
}

export interface TestCluster {
  /** The dashboard's. */
  url: string;
  tokenFile: string;
  addNode(cpus: number): Promise<RayNode>;
  restartHead(): Promise<void>;
  close(): Promise<void>;
}

interface Ports {
  gcs: number;
  dashboard: number;
  client: number;
}

export async function startCluster(nodes: readonly number[]): Promise<TestCluster> {
  // Ray's sockets lie under it, whose paths must be short.
  const folder = await mkdtemp('/tmp/svc-ray-');
  const tokenFile = join(folder, 'token');
  await writeFile(tokenFile, randomBytes(24).toString('hex'), { mode: 0o600 });
  const [gcs, dashboard, client] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const url = `http://127.0.0.1:${dashboard}`;
  const running = new Map<ChildProcess, string>();

  async function start(args: string[], count: number): Promise<ChildProcess> {
    const name = randomBytes(8).toString('hex');
    const node = startRay(args, { folder, tokenFile, name });
    running.set(node, name);
    await untilAlive(node, url, tokenFile, count).catch(async error => {
      throw new Error(`${error.message}\n${await readFile(join(folder, 'ray.log'), 'utf8')}`);
    });
    return node;
  }

  async function kill(node: ChildProcess): Promise<void> {
    const name = running.get(node);
    running.delete(node);
    if (name) await killNode(node, name);
  }

  const startHead = () => start(headArguments({ gcs, dashboard, client }), 1);

  async function addNode(cpus: number): Promise<RayNode> {
    const before = await countNodes(url, tokenFile);
    const node = await start([`--address=127.0.0.1:${gcs}`, `--num-cpus=${cpus}`], before + 1);
    return { kill: () => kill(node) };
  }

  async function close(): Promise<void> {
    await Promise.all([...running.keys()].map(kill));
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }

  try {
    let head = await startHead();
    for (const cpus of nodes) await addNode(cpus);
    return {
      url,
      tokenFile,
      addNode,
      close,
      async restartHead() {
        await kill(head);
        head = await startHead();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function headArguments({ gcs, dashboard, client }: Ports): string[] {
  const at = [`--port=${gcs}`, `--dashboard-port=${dashboard}`, '--dashboard-host=127.0.0.1'];
  return ['--head', '--num-cpus=0', `--ray-client-server-port=${client}`, ...at];
}

function startRay(
  args: string[],
  { folder, tokenFile, name }: { folder: string; tokenFile: string; name: string },
): ChildProcess {
  const common = [
    '--block',
    '--node-ip-address=127.0.0.1',
    `--object-store-memory=${OBJECT_STORE_BYTES}`,
    '--disable-usage-stats',
  ];
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: folder,
    RAY_TMPDIR: folder,
    RAY_AUTH_MODE: 'token',
    RAY_AUTH_TOKEN_PATH: tokenFile,
    RAY_USAGE_STATS_ENABLED: '0',
    SVC_RAY_CACHE: join(folder, 'cache'),
    [NAME]: name,
  };
  const log = openSync(join(folder, 'ray.log'), 'a');
  try {
    return spawn(join(bin, 'ray'), ['start', ...args, ...common], { env, stdio: ['ignore', log, log] });
  } finally {
    closeSync(log);
  }
}

async function countNodes(url: string, tokenFile: string): Promise<number> {
  const authorization = `Bearer ${await readFile(tokenFile, 'utf8')}`;
  try {
    const response = await fetch(`${url}/nodes?view=summary`, { headers: { authorization } });
    const { data } = (await response.json()) as { data: { summary: { raylet?: { state?: string } }[] } };
    return data.summary.filter(({ raylet }) => raylet?.state === 'ALIVE').length;
  } catch {
    return 0;
  }
}

async function untilAlive(child: ChildProcess, url: string, tokenFile: string, count: number): Promise<void> {
  const end = Date.now() + START_MS;
  while ((await countNodes(url, tokenFile)) < count) {
    if (child.exitCode !== null) throw new Error(`"ray start" ended with ${child.exitCode}.`);
    if (Date.now() > end) throw new Error(`The Ray cluster did not have ${count} nodes in time.`);
    await new Promise(resolve => setTimeout(resolve, LOOK_MS));
  }
}

/** Ray's processes are found by a variable that they inherit: some are not children of the one that started them. */
async function killNode(node: ChildProcess, name: string): Promise<void> {
  const ended = node.exitCode !== null || node.signalCode !== null;
  const closed = ended ? undefined : new Promise(resolve => node.once('exit', resolve));
  for (const pid of await findProcesses(`${NAME}=${name}`))
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  await closed;
}

async function findProcesses(variable: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const has = async (pid: string) =>
    (await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')).split('\0').includes(variable);
  const found = await Promise.all(pids.map(async pid => ((await has(pid)) ? [Number(pid)] : [])));
  return found.flat();
}
