// The validated options of `svc dev`.
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DEFAULT_STUDIO_PORT } from '../../../lib/contract/index.js';
import type { Input, Io } from '../../command.js';
import { CommandError, createUsageError } from '../../command-error.js';
import { requireUsablePort } from '../usable-port.js';

export interface DevOptions {
  folder: string;
  /** In the order to try them. */
  ports: number[];
  isOpen: boolean;
  /** Plain lines, even if the terminal can show the dashboard. */
  isPlain: boolean;
  /** Tells the terminal when a run ends. */
  rings: boolean;
  hasMouse: boolean;
  /** Commands can be typed in the dashboard. */
  hasShell: boolean;
}

/** How many ports after the default one to try. */
const NEXT_PORTS = 10;

export async function readOptions(
  { values }: Pick<Input, 'values'>,
  { cwd }: Pick<Io, 'cwd'>,
): Promise<DevOptions> {
  return {
    folder: await findFolder(typeof values.cwd === 'string' ? resolve(cwd, values.cwd) : cwd),
    ports: typeof values.port === 'string' ? [readPort(values.port)] : usualPorts(),
    isOpen: values.open === true,
    isPlain: values['no-tui'] === true,
    rings: values.notify === true,
    hasMouse: values['no-mouse'] !== true,
    hasShell: values.shell === true,
  };
}

function usualPorts(): number[] {
  return Array.from({ length: 1 + NEXT_PORTS }, (_, index) => DEFAULT_STUDIO_PORT + index);
}

/** 0 means any free port. */
function readPort(text: string): number {
  const port = Number(text);
  const isPort = /^\d{1,5}$/.test(text) && port <= 65_535;
  if (isPort) return requireUsablePort('--port', port, 'dev');
  throw createUsageError(`--port must be a whole number up to 65535, not "${text}".`, 'dev');
}

/** The real path, since the project's slug is derived from it. */
async function findFolder(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory()) throw new CommandError(`No such folder: ${folder}`);
  return realpath(folder);
}
