// Serves the model from a process on this machine. A model that has been idle for a while is unloaded to free its memory.
import { type Clock, realClock, type Timer, within } from '../../clock/index.js';
import type { RunDevice } from '../../contract/index.js';
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
import { ALL_ABILITIES, type Backend, type Question, requireLoaded, unavailable } from '../seams/backend.js';
import { Supervisor, type Worker } from './supervisor.js';

interface LocalBackendOptions
  extends Pick<ServeTask, 'modelFolder' | 'threads' | 'weights' | 'roundedFolder' | 'memory'> {
  log: (line: { message: string; error?: unknown }) => void;
  /** Called with the tokens a second of an answer that had the model for itself. */
  onSpeed?: ((speed: number) => void) | undefined;
  /** Default: the CPU. */
  device?: AnsweringDevice | undefined;
  clock?: Clock | undefined;
  /** Starts the engine's process. */
  start?: (task: ServeTask, options: Tellers) => ServingProcess;
}

interface Tellers {
  onLeftGpu(reason: string): void;
  onNotRounded(reason: string): void;
}

/** What answers are computed on. */
export interface AnsweringDevice {
  /** For a process that is started now. */
  choose(): Promise<RunDevice>;
  /** The GPU failed, for this reason. */
  leaveGpu(reason: string): void;
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
  device,
  clock = realClock,
  start = startServing,
  ...task
}: LocalBackendOptions): Backend {
  const supervisor = new Supervisor({ start: startOnDevice, log, clock });
  /** Of the next process. */
  let place: RunDevice | undefined;
  /** Processes that died while they used the GPU. */
  const lost = new WeakSet<ServingProcess>();
  /** Folders of loaded adapters, by digest. The process reads them on first use. */
  const folders = new Map<string, string>();
  let answering = 0;
  /** Requests so far. */
  let begun = 0;
  let idle: Timer | undefined;

  function leaveGpu(reason: string): void {
    place = { type: 'cpu', reason };
    device?.leaveGpu(reason);
    log({ message: `Chats are answered on the CPU from now on. ${reason}` });
  }

  const onNotRounded = (reason: string) =>
    log({ message: `Chats use 32-bit weights for now, because 8-bit ones could not be kept: ${reason}` });

  function startOnDevice(): ServingProcess {
    const used = place;
    const serving = start({ ...task, device: used }, { onLeftGpu: leaveGpu, onNotRounded });
    // Before the supervisor starts the next one.
    void serving.ended.then(end => {
      const isOwn = supervisor.current?.serving === serving;
      if (!isOwn || used?.type !== 'gpu' || place?.type !== 'gpu' || !hasDied(end)) return;
      lost.add(serving);
      leaveGpu('Its process died when it last used the GPU.');
    });
    return serving;
  }

  async function acquire(signal: AbortSignal): Promise<Worker> {
    if (device && !supervisor.current) place = await device.choose();
    return supervisor.acquire(signal);
  }

  /** Frees the model's memory. If the model belongs elsewhere by now, the next request starts it there. */
  async function rest(): Promise<void> {
    const next = device && (await device.choose());
    if (answering > 0) return;
    if (next?.type === place?.type) supervisor.current?.serving.unload();
    else await supervisor.retire();
  }

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

  function watchOutputs(kind: AskKind): (output: unknown) => void {
    // Its reader leaves with the only output. That of a text that is only tokenized says nothing about the model.
    if (kind === 'embed') return () => supervisor.noteSuccess();
    return kind === 'chat' || kind === 'complete' ? measureAnswer() : () => {};
  }

  function end(): void {
    if (--answering > 0) return;
    idle = clock.after(IDLE_MS, () => void rest());
  }

  async function* ask<K extends AskKind>(
    kind: K,
    question: Question<K>,
    signal: AbortSignal,
  ): AsyncGenerator<Asks[K]['output']> {
    const task = toTask<K>(question, folders);
    const start = ({ serving }: Worker) => serving.ask(kind, task, signal);
    begin();
    const onOutput = watchOutputs(kind);
    try {
      const isDone = yield* tryOnce(await acquire(signal), start, onOutput);
      // The request did not cause that, so the next process gets it.
      if (!isDone) yield* tryAgain(start, signal, onOutput);
      supervisor.noteSuccess();
    } finally {
      end();
    }
  }

  /** False if the process hung, or died while it used the GPU, before its first output. */
  async function* tryOnce<T>(
    worker: Worker,
    start: Start<T>,
    onOutput: (output: T) => void,
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
      if ((worker.hung || lost.has(worker.serving)) && !hasBegun) return false;
      throw worker.fault ?? error;
    }
  }

  async function* tryAgain<T>(
    start: Start<T>,
    signal: AbortSignal,
    onOutput: (output: T) => void,
  ): AsyncGenerator<T> {
    const worker = await acquire(signal);
    const opened = worker.serving.ready.catch(error => {
      throw worker.fault ?? error;
    });
    await within(opened, RESTART_MS, failLate, clock);
    if (!(yield* tryOnce(worker, start, onOutput))) throw notBack();
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
    async close() {
      idle?.stop();
      await supervisor.close();
    },
  };
}

/** Rather than that it could not open the model. */
function hasDied({ exitCode, signal, hung }: Awaited<ServingProcess['ended']>): boolean {
  return hung === true || signal !== null || (exitCode ?? 0) > 1;
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
