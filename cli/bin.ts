#!/usr/bin/env node
// The program `svc`: hands the process to `main` and ends it, and is the only file that may.
import type { Signal } from './command.js';
import { exitCode } from './exit-code.js';
import { main } from './main.js';

const { argv, env, stdout, stderr } = process;

for (const stream of [stdout, stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Nobody reads any more, as in `svc … | head`: that is no failure, and there is nobody to tell.
    process.exit(error.code === 'EPIPE' ? exitCode.ok : exitCode.failure);
  });
}

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
};
const code = await main(argv.slice(2), io);
await Promise.all([flush(stdout), flush(stderr)]);
process.exit(code);

function flush(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise(resolve => stream.write('', () => resolve()));
}
