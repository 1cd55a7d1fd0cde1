// From the start of a process to the first byte of its page: `svc dev` from dist, and `vite dev` on the same folder, in turns.
// Both are asked again and again at a port that they are given, so what they print does not matter.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ProgramOptions, startProgram } from '../support/program.js';
import { repositoryRoot } from '../support/repository-root.js';
import { median } from './median.js';
import type { Row } from './table.js';

export const name = 'the first byte of a page, in turns (milliseconds)';

const TURNS = 9;
const VITE = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin', 'vite.js');
const SVC = join(repositoryRoot, 'dist', 'cli', 'bin.js');
const ENTRY = `import { createService, createTrainer } from 'svc';
const trainer = createTrainer({ name: 'bench', dataset: { type: 'rows', rows: [{ text: 'a' }] } });
export const service = createService({ trainer });
`;

export async function run(): Promise<Row[]> {
  const home = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const place = { cwd: join(home, 'app'), env: { SVC_HOME: join(home, '.svc'), CI: '1' } };
  try {
    await mkdir(join(place.cwd, 'src', 'svc'), { recursive: true });
    await writeFile(join(place.cwd, 'src', 'svc', 'index.ts'), ENTRY);
    await writeFile(join(place.cwd, 'index.html'), '<!doctype html><title>App</title>');
    const launch = {
      "Node's own server": () => firstByte(place, port => ['-e', bareServer(port)]),
      'svc dev': () => firstByte(place, port => [SVC, 'dev', '--no-tui', '--port', `${port}`]),
      'vite dev': () => firstByte(place, port => [VITE, 'dev', '--host', '127.0.0.1', '--port', `${port}`]),
    };
    const times = Object.entries(launch).map(([what, start]) => ({ what, start, all: [] as number[] }));
    for (const { start } of times) await start();
    for (let turn = 0; turn < TURNS; turn++) for (const { start, all } of times) all.push(await start());
    return times.map(({ what, all }) => ({
      what,
      median: median(all),
      min: Math.min(...all),
      max: Math.max(...all),
      'of vite dev': median(all) / median(times.at(-1)!.all),
    }));
  } finally {
    await startProgram(['cloud', 'stop'], place).ended;
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The floor that no program in Node gets below. */
const bareServer = (port: number) =>
  `require('node:http').createServer((_, answer) => answer.end('x')).listen(${port}, '127.0.0.1')`;

/** How often it is asked: what is measured is too long by half of that at most. */
const ASK_MS = 4;

async function firstByte(
  { cwd, env }: ProgramOptions,
  toArgs: (port: number) => readonly string[],
): Promise<number> {
  const port = await findPort();
  const began = performance.now();
  const child = spawn(process.execPath, toArgs(port), {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, ...env },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  try {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
      if (answer?.body) {
        await answer.body.getReader().read();
        return performance.now() - began;
      }
      if (child.exitCode !== null) throw new Error(`It exited with code ${child.exitCode}.`);
      await sleep(ASK_MS);
    }
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}
