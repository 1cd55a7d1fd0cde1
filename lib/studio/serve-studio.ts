// Launches Studio: a new token, a port on this machine, and the file that tells scripts about both.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { StudioFile } from '../contract/index.js';
import { type Listening, listen } from '../http/index.js';
import { findPackage } from '../system/index.js';
import { createStudio } from './create-studio.js';
import type { StudioDeps } from './deps.js';
import { keepStudioFile, removeStudioFile, writeStudioFile } from './studio-file.js';
import { startTrainIn } from './train/train-child.js';

interface ServeStudioOptions extends Pick<StudioDeps, 'session' | 'env' | 'log' | 'onTrain'> {
  /** Candidates; the first free one is used. 0 means any. */
  ports: readonly number[];
}

export interface ServedStudio {
  url: string;
  port: number;
  token: string;
  /** Stops listening and stops the processes it started. */
  close(): Promise<void>;
  /** Like `close` as far as possible without waiting, for a process that is exiting. */
  abandon(): void;
}

const GRACE_MS = 100;

/** Throws a `PortTakenError` if no port is free. */
export async function serveStudio({ ports, ...options }: ServeStudioOptions): Promise<ServedStudio> {
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
