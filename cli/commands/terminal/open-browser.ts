// Opens the page in this machine's browser with the system's own opener, never through a shell.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Io } from '../../command.js';

type Opener = (url: string) => [program: string, ...args: string[]];

const OPENERS: Partial<Record<NodeJS.Platform, Opener>> = {
  darwin: url => ['open', url],
  win32: url => ['rundll32', 'url.dll,FileProtocolHandler', url],
};

const OTHERWISE: Opener = url => ['xdg-open', url];

/** Null on success, otherwise the reason. */
export async function openBrowser(
  url: string,
  env: Io['env'],
  platform: NodeJS.Platform = process.platform,
): Promise<string | null> {
  if (env.CI) return 'running in CI';
  const open = OPENERS[platform];
  if (!open && !env.DISPLAY && !env.WAYLAND_DISPLAY) return 'no display found';
  const [program, ...args] = (open ?? OTHERWISE)(url);
  const child = spawn(program, args, { env, stdio: 'ignore', detached: true });
  try {
    await once(child, 'spawn');
  } catch (error) {
    return `cannot run ${program} (${(error as NodeJS.ErrnoException).code})`;
  }
  child.unref();
  return null;
}
