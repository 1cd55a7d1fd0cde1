// The processes of one node of a Ray cluster, started again whenever they end. Linux: they are found by a variable that
// they inherit, since some are not children of the one that started them; and by their session, since those that give
// themselves a name write it over their variables.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../support/free-port.js';

const bin = fileURLToPath(new URL('../../../ray/.venv/bin', import.meta.url));
/** What the objects of svc's tasks need: next to nothing. */
const OBJECT_STORE_BYTES = String(100 * 2 ** 20);
const RESTART_MS = 500;
const LOOK_MS = 1000;
const EARLY_LOOK_MS = 200;
/** What the process of an attempt is called. */
export const TASK = 'ray::svc-attempt';
/** The variable that names a node to the processes of it. */
const NAME = 'SVC_TEST_NODE';

interface NodeOptions {
  /** For its files. */
  folder: string;
  address: string;
  tokenFile: string;
  /** Of `ray start`. */
  args: readonly string[];
  /** A command that starts it. */
  within: readonly string[];
}

export interface KeptNode {
  name: string;
  findProcesses(begin: string): Promise<number[]>;
  /** Kills it; it comes again by itself. */
  restart(): Promise<void>;
  /** Kills it for good. */
  end(): Promise<void>;
  readLog(): Promise<string>;
}

export function keepNode(options: NodeOptions): KeptNode {
  const name = randomBytes(8).toString('hex');
  const log = `${options.folder}.log`;
  let isWanted = true;
  let child: ChildProcess | null = null;

  async function keep(): Promise<void> {
    while (isWanted) {
      // Ray refuses to start a second head of an address that it finds in here.
      await rm(options.folder, { recursive: true, force: true, maxRetries: 5 });
      mkdirSync(options.folder, { recursive: true });
      child = startRay(options, { name, log, ports: await findFreePorts() });
      const closed = new Promise<true>(resolve => child!.once('close', () => resolve(true)));
      await Promise.race([closed, untilRayletGone(name, closed)]);
      await killAll(name, child);
      await closed;
      child = null;
      if (isWanted) await sleep(RESTART_MS);
    }
  }

  async function kill(): Promise<void> {
    child?.kill('SIGKILL');
    await killAll(name, child);
  }

  // Ray goes on without the program that started it.
  const endWithProgram = () => void killEach(name, child);
  process.once('exit', endWithProgram);
  const kept = keep();
  return {
    name,
    restart: kill,
    async end() {
      isWanted = false;
      await kill();
      await kept;
      process.removeListener('exit', endWithProgram);
    },
    findProcesses: begin => findNodeProcesses(name, begin),
    readLog: () => readFile(log, 'utf8').catch(() => ''),
  };
}

/** Those of a node whose names begin so. */
export async function findNodeProcesses(name: string, begin: string): Promise<number[]> {
  const pids = findProcesses(name);
  const commands = await Promise.all(
    pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids.filter((_, i) => basename(commands[i]!.split('\0')[0]!).startsWith(begin));
}

/** `ray start` waits for minutes for a raylet that ended before it was known to the head. */
async function untilRayletGone(name: string, closed: Promise<true>): Promise<void> {
  let wasThere = false;
  // It may not be there for long.
  while (!(await Promise.race([closed, sleep(wasThere ? LOOK_MS : EARLY_LOOK_MS, false)]))) {
    const isThere = (await findNodeProcesses(name, 'raylet')).length > 0;
    if (wasThere && !isThere) return;
    wasThere = isThere;
  }
}

/** A raylet waits 15 s for what starts beside it to choose ports, which takes longer on a busy machine, and gives up. */
const PORTS = ['dashboard-agent-listen', 'dashboard-agent-grpc', 'runtime-env-agent', 'metrics-export'];

const findFreePorts = () => Promise.all(PORTS.map(async port => `--${port}-port=${await findFreePort()}`));

function startRay(
  { folder, address, tokenFile, args, within }: NodeOptions,
  { name, log, ports }: { name: string; log: string; ports: readonly string[] },
): ChildProcess {
  const common = [
    '--block',
    `--node-ip-address=${address}`,
    `--temp-dir=${folder}`,
    ...ports,
    `--object-store-memory=${OBJECT_STORE_BYTES}`,
    '--disable-usage-stats',
  ];
  const [command, ...words] = [...within, join(bin, 'ray'), 'start', ...args, ...common];
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: folder,
    RAY_TMPDIR: folder,
    RAY_AUTH_MODE: 'token',
    RAY_AUTH_TOKEN_PATH: tokenFile,
    RAY_USAGE_STATS_ENABLED: '0',
    // Workers step back behind everything else by default, which takes long on a busy machine.
    RAY_worker_niceness: '0',
    RAY_raylet_start_wait_time_s: '300',
    RAY_agent_register_timeout_ms: '300000',
    // Nobody looks at what it measures of its processes every 2.5 s.
    REPORTER_UPDATE_INTERVAL_MS: '60000',
    SVC_RAY_CACHE: join(folder, 'cache'),
    // All nodes share this machine: threads that wait for each other busily would take many times as long.
    SVC_THREADS: '1',
    [NAME]: name,
  };
  const out = openSync(log, 'a');
  try {
    // In a session of its own.
    return spawn(command!, words, { env, stdio: ['ignore', out, out], detached: true });
  } finally {
    closeSync(out);
  }
}

/** Until none is left: some may just be starting others. */
async function killAll(name: string, child: ChildProcess | null): Promise<void> {
  while (killEach(name, child) > 0) await sleep(20);
}

/** `child` leads its session, which others may be in still when it has ended. */
function killEach(name: string, child: ChildProcess | null): number {
  const pids = findProcesses(name, child?.pid);
  for (const pid of pids) killIfAlive(pid);
  return pids.length;
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** `session`: one of its own, even if none is left in there that has the variable. */
function findProcesses(name: string, session?: number): number[] {
  const all = readdirSync('/proc').filter(entry => /^\d+$/.test(entry));
  const alive = all.flatMap(pid => readProcess(pid, name) ?? []);
  const own = new Set([session, ...alive.filter(({ isNamed }) => isNamed).map(each => each.session)]);
  return alive.filter(each => own.has(each.session)).map(({ pid }) => pid);
}

/** Null if it is gone, or has ended and is not collected yet. */
function readProcess(pid: string, name: string) {
  try {
    // What follows the program's name, which may hold anything: state, parent, group, session.
    const [state, , , session] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const isNamed = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${NAME}=${name}`);
    return state === 'Z' ? null : { pid: Number(pid), session: Number(session), isNamed };
  } catch {
    return null;
  }
}
