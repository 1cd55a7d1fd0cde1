// The built program `svc` as a process of its own, as a shell would start it.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inTime } from './in-time.js';

const bin = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url));

export interface ProgramOptions {
  cwd: string;
  env: Record<string, string>;
}

export interface Ended {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

export interface RunningProgram {
  child: ChildProcessWithoutNullStreams;
  /** Called for each whole line of stdout. */
  onLine(react: (line: string) => void): void;
  /** What it printed so far. */
  readonly printed: { stdout: string; stderr: string };
  ended: Promise<Ended>;
}

/** Nothing of this process's own settings reaches it but what finds programs. */
export function startProgram(args: readonly string[], { cwd, env }: ProgramOptions): RunningProgram {
  if (!existsSync(bin)) throw new Error('dist/cli/bin.js is missing: run `npm run build` first.');
  const child = spawn(process.execPath, [bin, ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, SVC_THREADS: '1', ...env },
  });
  child.stdin.end();
  const printed = { stdout: '', stderr: '' };
  const listeners: ((line: string) => void)[] = [];
  let partial = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.stdout += text;
    const lines = (partial + text).split('\n');
    partial = lines.pop()!;
    for (const line of lines) for (const react of listeners) react(line);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed.stderr += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', exitCode => resolve({ exitCode, ...printed }));
  });
  return { child, onLine: react => void listeners.push(react), printed, ended };
}

/** Waits for its end, as long as it prints something now and then. */
export function untilEnded({ ended, printed, child }: RunningProgram): Promise<Ended> {
  const lastOf = (text: string) => text.trimEnd().split('\n').slice(-5);
  return inTime(ended, {
    progress: () => `${printed.stdout.length + printed.stderr.length} characters printed`,
    beside: () => ({
      process: child.pid,
      args: child.spawnargs.slice(2),
      stdout: lastOf(printed.stdout),
      stderr: lastOf(printed.stderr),
    }),
  });
}

/** Runs it to its end, which must be a good one. */
export async function runProgram(args: readonly string[], place: ProgramOptions): Promise<Ended> {
  const end = await startProgram(args, place).ended;
  if (end.exitCode !== 0)
    throw new Error(`svc ${args.join(' ')} ended with ${end.exitCode}:\n${end.stdout}\n${end.stderr}`);
  return end;
}

/** Its answer, by `--json`. */
export async function askProgram<T>(args: readonly string[], place: ProgramOptions): Promise<T> {
  return JSON.parse((await runProgram([...args, '--json'], place)).stdout) as T;
}
