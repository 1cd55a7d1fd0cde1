// Launches Studio: a new token, a port on this machine, and the file that tells scripts about both.
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, type Repeating, repeat } from '../clock/index.js';
import type { StudioFile } from '../contract/index.js';
import { type Listening, listen } from '../http/index.js';
import { readStudioFile, replaceFile, studioPath } from '../sdk/index.js';
import { findPackage } from '../system/index.js';
import { createStudio } from './create-studio.js';
import type { StudioDeps } from './deps.js';
import { startTrainIn } from './train/train-child.js';

interface RunStudioOptions extends Pick<StudioDeps, 'session' | 'env' | 'log' | 'onTrain' | 'mcp'> {
  /** Candidates; the first free one is used. 0 means any. */
  ports: readonly number[];
}

export interface RunningStudio {
  url: string;
  port: number;
  token: string;
  /** Stops listening and stops the processes it started. */
  close(): Promise<void>;
  /** Like `close` as far as possible without waiting, for a process that is exiting. */
  abandon(): void;
}

const GRACE_MS = 100;

/** How often to look at the file that tells scripts about this Studio. */
const LOOK_MS = 1000;

/** Throws a `PortTakenError` if no port is free. */
export async function runStudio({ ports, ...options }: RunStudioOptions): Promise<RunningStudio> {
  const {
    session: { folder, clock },
    env,
  } = options;
  const token = createToken();
  const studio = createStudio({
    ...options,
    token,
    staticFolder: webFolder(),
    startTrain: startTrainIn(folder, env, clock),
  });
  const listening = await listen(studio, { ports, clock });
  const { url, port } = listening;
  const file = { url, token, pid: process.pid };
  await announce(folder, file, listening);
  const keeping = keepStudioFile(folder, file, clock);
  return {
    url,
    port,
    token,
    async close() {
      await keeping.stop();
      removeStudioFile(folder, file);
      await Promise.all([listening.close(GRACE_MS), studio.close()]);
    },
    abandon() {
      void keeping.stop();
      removeStudioFile(folder, file);
      studio.abandon();
    },
  };
}

/** The folder of the built browser app. */
export function webFolder(): string {
  return join(findPackage(), 'dist', 'studio-web');
}

/** 32 random bytes, new for each launch. */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

async function announce(folder: string, file: StudioFile, { close }: Listening): Promise<void> {
  try {
    await writeStudioFile(folder, file);
  } catch (error) {
    await close();
    throw error;
  }
}

/** `.svc/studio.json` tells scripts how to reach a project's Studio. The latest launch writes it. */
async function writeStudioFile(folder: string, content: StudioFile): Promise<void> {
  await replaceFile(studioPath(folder), `${JSON.stringify(content, null, 2)}\n`, 0o600);
}

/**
 * Rewrites the file if it is gone or names a dead process, so that after a Studio is killed scripts find another one that
 * is still running.
 */
function keepStudioFile(folder: string, content: StudioFile, clock: Clock): Repeating {
  const look = async () => {
    const found = await readStudioFile(folder).catch(() => null);
    // A failed write is retried at the next check.
    if (!found) await writeStudioFile(folder, content).catch(() => {});
  };
  return repeat(look, LOOK_MS, clock);
}

/** Each Studio removes only its own. Synchronous, because the process may be exiting. */
function removeStudioFile(folder: string, { token }: Pick<StudioFile, 'token'>): void {
  const path = studioPath(folder);
  try {
    if ((JSON.parse(readFileSync(path, 'utf8')) as Partial<StudioFile>).token === token) rmSync(path);
  } catch {
    // Gone or unreadable: nothing to remove.
  }
}
