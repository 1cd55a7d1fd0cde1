// The process around `main`: its arguments, streams and signals, and how it ends.
import type { Io, Signal } from './command.js';
import { type ExitCode, exitCode } from './exit-code.js';
import { main } from './main.js';

const { argv, env, stdout, stderr } = process;

export async function run(exit: (code: ExitCode) => void): Promise<void> {
  const io = {
    stdout,
    stderr,
    env,
    /** Asked for when it is needed: in a folder that was deleted there is none, and `svc --help` needs none. */
    get cwd() {
      return process.cwd();
    },
    get stdin() {
      return process.stdin;
    },
    onSignal(signal: Signal, react: () => void) {
      process.on(signal, react);
      return () => void process.off(signal, react);
    },
    onOutputClosed: watchOutputs(exit),
  };
  const code = await main(argv.slice(2), io);
  await Promise.all([flush(stdout), flush(stderr)]);
  exit(code);
}

/**
 * Where nobody reads any more, as in `svc … | head`, most commands are done: that is no failure, and there is nobody to
 * tell. A command that goes on without its readers asks to be told.
 */
function watchOutputs(exit: (code: ExitCode) => void): NonNullable<Io['onOutputClosed']> {
  const reactions = new Set<() => void>();
  let isTold = false;
  const end = ({ code }: NodeJS.ErrnoException) =>
    exit(code === 'EPIPE' && !isTold && reactions.size === 0 ? exitCode.ok : exitCode.failure);
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isTold) return;
    if (error.code !== 'EPIPE' || reactions.size === 0) return end(error);
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
