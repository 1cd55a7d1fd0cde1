// The built `svc` on a screen, until the test is over.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { repositoryRoot } from '../../support/repository-root.js';
import type { Size } from './emulator.js';
import { openScreen, type Screen } from './screen.js';

export interface SvcOptions {
  cwd: string;
  env: Record<string, string>;
  size?: Size | undefined;
}

/** Nothing of this process's own settings reaches it but what finds programs. */
export function openSvc(args: readonly string[], { cwd, env, size }: SvcOptions): Screen {
  const screen = openScreen({
    file: process.execPath,
    args: [join(repositoryRoot, 'dist', 'cli', 'bin.js'), ...args],
    cwd,
    env: { PATH: process.env.PATH!, HOME: cwd, LANG: 'C.UTF-8', SVC_THREADS: '1', ...env },
    ...(size && { size }),
  });
  onTestFinished(async () => {
    screen.kill('SIGKILL');
    await screen.exited;
  });
  return screen;
}
