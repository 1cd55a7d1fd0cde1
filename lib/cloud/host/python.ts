// How svc's Python code is started, with a Python of this machine.
import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { findFault, type TorchFacts, torchFacts } from '../../contract/index.js';
import { chosenThreads } from '../../engine/index.js';
import { findPackage } from '../../system/index.js';
import { OFFLINE } from '../offline.js';

/** The program that trains a run. */
export function toTorchProgram(python: string) {
  const threads = chosenThreads();
  const env = {
    ...withOwnCode(process.env),
    ...OFFLINE,
    ...(threads !== undefined && { OMP_NUM_THREADS: String(threads) }),
  };
  return { path: python, args: ['-m', 'svc_ray.local'], env };
}

/** PyTorch takes seconds to load, and longer from a cold disk. */
const PROBE_MS = 120_000;

/** What this Python can do. Never rejects: the result says what is wrong. */
export async function probeTorch(python: string): Promise<TorchFacts> {
  try {
    const { stdout } = await promisify(execFile)(python, ['-m', 'svc_ray.probe'], {
      env: { ...withOwnCode(process.env), ...OFFLINE },
      cwd: findPackage(), // For a Python that is too old to leave out the folder.
      timeout: PROBE_MS,
    });
    const facts: unknown = JSON.parse(stdout);
    return findFault(torchFacts, facts, 'It') === null
      ? (facts as TorchFacts)
      : { python, problem: 'This is not Python.' };
  } catch (error) {
    return { python, problem: describeFailure(error as Failure) };
  }
}

interface Failure extends Error {
  code?: string | number;
  killed?: boolean;
  stderr?: string;
}

function describeFailure({ code, killed, stderr = '' }: Failure): string {
  if (code === 'ENOENT') return 'There is no such program.';
  if (code === 'EACCES') return 'This is not a program that you may run.';
  if (killed) return `It did not answer within ${PROBE_MS / 1000} s.`;
  const last = stderr.trim().split('\n').at(-1);
  return last ? `It failed: ${last}` : 'This is not Python.';
}

function withOwnCode({ PYTHONPATH, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const paths = [join(findPackage(), 'ray'), PYTHONPATH].filter(Boolean);
  return {
    ...env,
    PYTHONPATH: paths.join(delimiter),
    // Otherwise Python would import modules from the working directory first.
    PYTHONSAFEPATH: '1',
    // What it reads and writes here is UTF-8, also on Windows and with other locales.
    PYTHONUTF8: '1',
  };
}
