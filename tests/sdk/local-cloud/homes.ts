// Temporary homes for real local clouds. Closing a home ends the processes in it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { CloudFile } from '../../../lib/contract/index.js';
import { cloudFolder, findLocalCloud, stopLocalCloud } from '../../../lib/sdk/local-cloud/index.js';
import { findFreePort } from '../../support/free-port.js';

export interface Home {
  path: string;
  folder: string;
  env: Record<string, string | undefined>;
  readFile(): Promise<CloudFile>;
  writeFile(content: Partial<CloudFile>): Promise<void>;
  close(): Promise<void>;
}

export async function openHome(): Promise<Home> {
  const path = await mkdtemp(join(tmpdir(), 'svc-home-'));
  const folder = cloudFolder(path);
  const file = join(folder, 'cloud.json');
  const { PATH, HOME } = process.env;
  return {
    path,
    folder,
    env: { PATH, HOME, SVC_HOME: path, SVC_CLOUD_PORT: String(await findFreePort()), SVC_THREADS: '1' },
    readFile: async () => JSON.parse(await readFile(file, 'utf8')) as CloudFile,
    writeFile: content => writeFile(file, JSON.stringify(content)),
    async close() {
      const cloud = await findLocalCloud(path);
      if (cloud) await stopLocalCloud(cloud);
      for (const pid of await findProcesses(folder)) killIfThere(pid);
      await rm(path, { recursive: true, maxRetries: 3 });
    },
  };
}

export function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** A process of the test that does nothing. */
export async function startIdle(program = "console.log('up'); setInterval(() => {}, 1000)") {
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return {
    pid: child.pid!,
    stdout: child.stdout,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** The processes started with a data folder. */
export async function findProcesses(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter(name => /^\d+$/.test(name)).map(Number);
  const lines = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return pids.filter((_, i) => lines[i]!.split('\0').includes(folder));
}
