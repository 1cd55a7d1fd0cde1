// A launch of Studio: a new token, a port of this machine, and the file by which scripts find both.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Listening, listenOnLoopback } from '../http/index.js';
import { findPackage, readStudioFile } from '../sdk/index.js';
import { createStudio } from './create-studio.js';
import type { StudioDeps } from './deps.js';
import { removeStudioFile, writeStudioFile } from './studio-file.js';
import { startTrainIn } from './train/train-child.js';

export interface ServeStudioOptions extends Pick<StudioDeps, 'session' | 'env' | 'log' | 'onTrain'> {
  /** The first that is free is taken; 0 means any. */
  ports: readonly number[];
}

export interface ServedStudio {
  url: string;
  port: number;
  token: string;
  /** Stops listening, and ends what was started. */
  close(): Promise<void>;
  /** The same at once, as far as that goes, for a process that is ending. */
  abandon(): void;
}

const GRACE_MS = 100;

/** Throws a `PortTakenError` when no port is free. */
export async function serveStudio({ ports, ...options }: ServeStudioOptions): Promise<ServedStudio> {
  const { session, env } = options;
  const token = createToken();
  const studio = createStudio({
    ...options,
    token,
    staticFolder: webFolder(),
    startTrain: startTrainIn(session.folder, env),
  });
  const listening = await listenOnLoopback(studio, ports);
  const before = await readStudioFile(session.folder).catch(() => null);
  await announce(session.folder, listening, token);
  const { url, port } = listening;
  const withdraw = () => removeStudioFile(session.folder, { token }, before);
  return {
    url,
    port,
    token,
    async close() {
      withdraw();
      await Promise.all([listening.close(GRACE_MS), studio.close()]);
    },
    abandon() {
      withdraw();
      studio.abandon();
    },
  };
}

/** Where the built browser app is. */
export function webFolder(): string {
  return join(findPackage(), 'dist', 'studio-web');
}

/** 32 random bytes, of this launch alone. */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

async function announce(folder: string, { url, close }: Listening, token: string): Promise<void> {
  try {
    await writeStudioFile(folder, { url, token, pid: process.pid });
  } catch (error) {
    await close();
    throw error;
  }
}
