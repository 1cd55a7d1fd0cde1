// The process around `main`: its arguments, streams, signals and exit.
import { createSignals } from '../lib/system/signals.js';
import { type ExitCode, exitCode, type Io } from './command.js';
import { main } from './main.js';

const { argv, env, stdout, stderr } = process;

export async function run(exit: (code: ExitCode) => void): Promise<void> {
  const io = {
    stdout,
    stderr,
    env,
    /** Read on demand: it throws in a deleted folder, where `svc --help` still works. */
    get cwd() {
      return process.cwd();
    },
    get stdin() {
      return process.stdin;
    },
    onSignal: createSignals(process),
    onOutputClosed: watchOutputs(exit),
  };
  const code = await main(argv.slice(2), io);
  await Promise.all([flush(stdout), flush(stderr)]);
  exit(code);
}

/** Errors of an output that no one reads anymore: a closed pipe or a closed terminal. */
const CLOSED = new Set<string | undefined>(['EPIPE', 'EIO']);

/**
 * When the reader is gone, as in `svc … | head`, most commands exit without an error. A command that
 * continues without a reader registers a callback.
 */
function watchOutputs(exit: (code: ExitCode) => void): NonNullable<Io['onOutputClosed']> {
  const reactions = new Set<() => void>();
  let isTold = false;
  const end = ({ code }: NodeJS.ErrnoException) =>
    exit(code === 'EPIPE' && !isTold && reactions.size === 0 ? exitCode.ok : exitCode.failure);
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isTold) return;
    if (!CLOSED.has(error.code) || reactions.size === 0) return end(error);
    isTold = true;
    for (const react of reactions) react();
  });
  stderr.on('error', end);
  return react => {
    reactions.add(react);
    return () => void reactions.delete(react);
  };
}

function flush(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise(resolve => stream.write('', () => resolve()));
}
