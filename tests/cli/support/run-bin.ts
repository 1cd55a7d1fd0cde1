// Runs the program `svc` as a process of its own, bundled for the tests as for its users, so that each starts at once.
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { inTime, untilFound } from '../../support/in-time.js';
import { repositoryRoot } from '../../support/source-tree.js';

export interface Program {
  /** The program's file. */
  path: string;
  /** The SDK of the same build, for a project to import. */
  sdk: string;
  run(argv: string[], options: RunOptions): RunningProgram;
  /** What Node is started with for these arguments, for a terminal to do it. */
  args(argv: string[]): string[];
  remove(): Promise<void>;
}

interface RunOptions {
  cwd: string;
  env: Record<string, string>;
  /** Started as Studio starts it: with a channel between the two. */
  withChannel?: boolean;
}

export interface RunningProgram {
  child: ChildProcess;
  /** Resolves when stdout holds the text. */
  shown(text: string): Promise<void>;
  /** Its end, as long as it prints something now and then. */
  readonly done: Promise<{ exitCode: number | null; stdout: string; stderr: string }>;
}

export async function buildProgram(): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bin-'));
  await symlink(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'));
  await build({
    absWorkingDir: repositoryRoot,
    entryPoints: ['cli/bin.ts', 'lib/sdk/index.ts'],
    outdir: folder,
    outbase: '.',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
  });
  const path = join(folder, 'cli', 'bin.js');
  const args = (argv: string[]) => [path, ...argv];
  return {
    path,
    args,
    sdk: join(folder, 'lib', 'sdk', 'index.js'),
    run: (argv, options) => runProgram(args(argv), options),
    remove: () => rm(folder, { recursive: true }),
  };
}

function runProgram(argv: string[], { cwd, env, withChannel = false }: RunOptions): RunningProgram {
  const child = spawn(process.execPath, argv, {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(withChannel ? ['ipc' as const] : [])],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (piece: Buffer) => {
      printed[name] += piece;
    });
  const done = once(child, 'exit').then(async ([exitCode]) => ({
    exitCode: exitCode as number | null,
    stdout: await stdout,
    stderr: await stderr,
  }));
  return {
    child,
    async shown(wanted) {
      await untilFound(() => printed.stdout.includes(wanted), {
        on(look) {
          child.stdout.on('data', look);
          return () => child.stdout.off('data', look);
        },
        beside: () => printed,
      });
    },
    get done() {
      return inTime(done, {
        progress: () => printed.stdout.length + printed.stderr.length,
        beside: () => ({ process: child.pid, argv: argv.slice(1), ...printed }),
      });
    },
  };
}
