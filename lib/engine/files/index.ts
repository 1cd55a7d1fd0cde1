// Reads files in separate processes: one pool for quick work, one for long work, and one for downloads.
import { realClock } from '../../clock/index.js';
import { type LaneName, laneOf, refuse } from './kinds.js';
import { createLane, type Lane, type LaneLoad } from './lane.js';
import type { FileWork, WorkKind } from './messages.js';
import { OverrunError, ProcessExitedError } from './reader-process.js';

export type { CheckedAdapter, PreviewedData } from './messages.js';

export interface FileReader {
  /**
   * Rejects with a `DatasetError` for a file that cannot be trained on, with `engine_busy` if too much waits, and with the
   * signal's reason once it aborts.
   */
  run<K extends WorkKind>(
    kind: K,
    input: FileWork[K]['input'],
    asked: AskedWork,
  ): Promise<FileWork[K]['result']>;
  /** The current work. */
  readonly load: LaneLoad;
  /** Ends the processes and abandons their work. */
  close(): void;
}

export interface AskedWork {
  /** Whose work it is, such as an organization. Callers take turns. */
  caller: string;
  signal?: AbortSignal | undefined;
  /** Part of a job that was already accepted, so it is queued no matter how full the queue is. */
  isAccepted?: boolean | undefined;
}

export function startFileReader(clock = realClock): FileReader {
  const lanes: Record<LaneName, Lane> = {
    quick: createLane({ places: 3, low: false, clock }),
    long: createLane({ places: 3, low: true, clock }),
    download: createLane({ places: 4, low: true, clock }),
  };
  const all = Object.values(lanes);
  return {
    async run(kind, input, asked) {
      try {
        const lane = lanes[await laneOf(kind, input)];
        return (await lane.run({ ...asked, kind, input })) as FileWork[typeof kind]['result'];
      } catch (error) {
        const isEnded = error instanceof OverrunError || error instanceof ProcessExitedError;
        throw isEnded ? refuse(kind, input, error.message) : error;
      }
    },
    get load() {
      const loads = all.map(({ load }) => load);
      const sum = (of: 'running' | 'waiting') => loads.reduce((total, load) => total + load[of], 0);
      const heldUpMs = Math.max(...loads.map(load => load.heldUpMs));
      return { running: sum('running'), waiting: sum('waiting'), heldUpMs };
    },
    close() {
      for (const lane of all) lane.close();
    },
  };
}
