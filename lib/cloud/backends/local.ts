// Serves the model from a process on this machine. A model that has been idle for a while is unloaded to free its memory.
import { type Clock, realClock, type Timer, within } from '../../clock/index.js';
import {
  type AskKind,
  type Asks,
  MAX_BATCH,
  QUEUE_LIMIT,
  type ServeTask,
  type ServingProcess,
  startServing,
  type Usage,
} from '../../engine/index.js';
import {
  ALL_ABILITIES,
  type InferenceBackend,
  type Question,
  requireLoaded,
  unavailable,
} from '../seams/backend.js';
import { Supervisor, type Worker } from './supervisor.js';

interface LocalBackendOptions
  extends Pick<ServeTask, 'modelFolder' | 'threads' | 'weights' | 'roundedFolder' | 'memory'> {
  log: (line: { message: string; error?: unknown }) => void;
  /** Called with the tokens a second of an answer that had the model for itself. */
  onSpeed?: ((speed: number) => void) | undefined;
  clock?: Clock | undefined;
  /** Starts the engine's process. */
  start?: (task: ServeTask) => ServingProcess;
}

export interface LocalBackend extends InferenceBackend {
  /** Starts the process now instead of with the first request. */
  warm(): void;
}

/** Sends a request to a process. */
type Start<T> = (worker: Worker) => AsyncIterable<T>;

/** How long the model stays loaded without requests. */
const IDLE_MS = 10 * 60 * 1000;
/**
 * How long a request waits for the replacement of a hung process. Waiting requests are answered or rejected within half a
 * minute in total.
 */
const RESTART_MS = 15_000;
/** Fewer tokens say little of the speed. */
const LEAST_MEASURED = 32;

export function createLocalBackend({
  log,
  onSpeed = () => {},
  clock = realClock,
  start = startServing,
  ...task
}: LocalBackendOptions): LocalBackend {
  const supervisor = new Supervisor({ start: () => start(task), log, clock });
  /** Folders of loaded adapters, by digest. The process reads them on first use. */
  const folders = new Map<string, string>();
  let answering = 0;
  /** Requests so far. */
  let begun = 0;
  let idle: Timer | undefined;

  function begin(): void {
    answering++;
    begun++;
    idle?.stop();
  }

  /** Takes the outputs of the request that has just begun. The engine measures: pieces arrive later than their tokens. */
  function measureAnswer(): (output: unknown) => void {
    const own = begun;
    const isAlone = answering === 1;
    return output => {
      const { usage, samplingMs } = output as { usage?: Usage; samplingMs?: number };
      if (!usage || samplingMs === undefined || !isAlone || begun !== own) return;
      const tokens = usage.completionTokens;
      // The first one came with the prompt.
      if (tokens >= LEAST_MEASURED) onSpeed((1000 * (tokens - 1)) / samplingMs);
    };
  }

  function end(): void {
    if (--answering > 0) return;
    idle = clock.after(IDLE_MS, () => supervisor.current?.serving.unload());
  }

  async function* ask<K extends AskKind>(
    kind: K,
    question: Question<K>,
    signal: AbortSignal,
  ): AsyncGenerator<Asks[K]['output']> {
    const task = toTask<K>(question, folders);
    const start = ({ serving }: Worker) => serving.ask(kind, task, signal);
    begin();
    const onOutput = kind === 'chat' || kind === 'complete' ? measureAnswer() : () => {};
    try {
      const isDone = yield* tryOnce(await supervisor.acquire(signal), start, onOutput);
      // The request did not cause the hang, so the next process gets it.
      if (!isDone) yield* tryAgain(start, signal);
      supervisor.noteSuccess();
    } finally {
      end();
    }
  }

  /** False if the process hung before its first output. */
  async function* tryOnce<T>(
    worker: Worker,
    start: Start<T>,
    onOutput: (output: T) => void = () => {},
  ): AsyncGenerator<T, boolean> {
    let hasBegun = false;
    try {
      for await (const output of start(worker)) {
        hasBegun = true;
        onOutput(output);
        yield output;
      }
      return true;
    } catch (error) {
      if (worker.hung && !hasBegun) return false;
      throw worker.fault ?? error;
    }
  }

  async function* tryAgain<T>(start: Start<T>, signal: AbortSignal): AsyncGenerator<T> {
    const worker = await supervisor.acquire(signal);
    const opened = worker.serving.ready.catch(error => {
      throw worker.fault ?? error;
    });
    await within(opened, RESTART_MS, failLate, clock);
    if (!(yield* tryOnce(worker, start))) throw notBack();
  }

  return {
    abilities: ALL_ABILITIES,
    places: MAX_BATCH + QUEUE_LIMIT,
    async load({ sha256, folder }) {
      folders.set(sha256, folder);
    },
    async unload(sha256) {
      const folder = folders.get(sha256);
      if (folder === undefined || !folders.delete(sha256)) return;
      supervisor.current?.serving.unload(folder);
    },
    ask,
    get state() {
      return supervisor.state;
    },
    get preparing() {
      return supervisor.current?.serving.preparing ?? null;
    },
    warm: () => void supervisor.acquire().catch(() => {}),
    async close() {
      idle?.stop();
      await supervisor.close();
    },
  };
}

/** A file request in the form that the engine expects. */
function toTask<K extends AskKind>(
  question: Question<K>,
  folders: ReadonlyMap<string, string>,
): Asks[K]['task'] {
  if (!('adapter' in question)) return question;
  const { adapter, ...task } = question as Question<'chat'>;
  if (adapter === null) return { ...task, adapterFolder: null };
  requireLoaded(question, folders);
  return { ...task, adapterFolder: folders.get(adapter)! };
}

const notBack = () => unavailable('The engine stopped responding and is being restarted. Try again soon.');

function failLate(): never {
  throw notBack();
}
