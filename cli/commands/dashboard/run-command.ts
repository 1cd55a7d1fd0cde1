// Runs an svc command line for the dashboard, in a separate process without a shell and without stdin.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findSvc } from '../../../lib/system/index.js';
import type { Io } from '../../command.js';
import type { RunCommand } from '../../dashboard/index.js';
import { exitCode } from '../../exit-code.js';
import { COLUMNS_VARIABLE } from '../terminal/screen.js';

export function createRunCommand(folder: string, env: Io['env']): RunCommand {
  return async (args, { write, signal, columns }) => {
    const child = spawn(process.execPath, [...findSvc(), ...args], {
      cwd: folder,
      env: { ...env, [COLUMNS_VARIABLE]: String(columns) },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const stop = () => void child.kill();
    signal.addEventListener('abort', stop, { once: true });
    for (const output of [child.stdout, child.stderr]) output.setEncoding('utf8').on('data', write);
    try {
      const [code] = (await once(child, 'close')) as [number | null];
      return code ?? exitCode.interrupted;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  };
}
