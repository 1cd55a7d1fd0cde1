// Launches Studio: a new token, a port on this machine, and the file that tells scripts about both.
import { type Clock, realClock } from '../clock/index.js';
import type { StudioFile } from '../contract/index.js';
import { listen } from '../http/index.js';
import { createStudio } from './create-studio.js';
import type { StudioDeps } from './deps.js';
import { createToken } from './guard.js';
import { webFolder } from './static-files.js';
import { startTrainIn } from './train/train-child.js';

interface RunStudioOptions
  extends Pick<StudioDeps, 'folder' | 'openSession' | 'env' | 'log' | 'onTrain' | 'mcp'> {
  clock?: Clock | undefined;
  /** Candidates; the first free one is used. 0 means any. */
  ports: readonly number[];
}

export interface RunningStudio {
  url: string;
  port: number;
  token: string;
  /** Another one that was running in the folder; scripts now use this one. */
  other: StudioFile | null;
  /** Stops listening and stops the processes it started. */
  close(): Promise<void>;
  /** Like `close` as far as possible without waiting, for a process that is exiting. */
  abandon(): void;
}

const GRACE_MS = 100;

/** Throws a `PortTakenError` if no port is free. */
export async function runStudio({
  folder,
  clock = realClock,
  ports,
  ...options
}: RunStudioOptions): Promise<RunningStudio> {
  const token = createToken();
  const studio = createStudio({
    ...options,
    folder,
    token,
    staticFolder: webFolder(),
    startTrain: startTrainIn(folder, options.env, clock),
  });
  const listening = await listen(studio, { ports, log: options.log, clock });
  const { url, port } = listening;
  const file = { url, token, pid: process.pid };
  // Loaded only now, so that the page is served sooner.
  const { announceStudio, keepStudioFile, removeStudioFile } = await import('./studio-file.js');
  const other = await announceStudio(folder, file).catch(async error => {
    await listening.close();
    throw error;
  });
  const keeping = keepStudioFile(folder, file, clock);
  return {
    url,
    port,
    token,
    other,
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
