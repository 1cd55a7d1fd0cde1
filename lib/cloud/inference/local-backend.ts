// Chats answered by a process of this machine. A model that nobody has asked for a while gives its memory back.
import {
  type ChatTask,
  EngineError,
  type Piece,
  type ServeTask,
  type ServingProcess,
  startServing,
  type WeightPrecision,
} from '../../engine/index.js';
import type { InferenceBackend } from '../seams/backend.js';
import { createSupervisor, type Worker } from './supervisor.js';

export interface LocalBackendOptions {
  /** In Hugging Face's layout. */
  modelFolder: string;
  threads?: number;
  /** How its weights are held; `f32` unless given. */
  weights?: WeightPrecision;
  log: (line: { message: string; error?: unknown }) => void;
  /** After this long without a chat the model is unloaded; 10 minutes unless given. */
  idleMs?: number;
  /** How long a chat waits for the process that replaces one that hung; 15 s unless given. */
  restartMs?: number;
  /** What starts the engine's process; the engine's own unless given. */
  start?: (task: ServeTask) => ServingProcess;
}

export interface LocalBackend extends InferenceBackend {
  /** Starts the process now, and not only when somebody chats. */
  warm(): void;
}

const IDLE_MS = 10 * 60 * 1000;
/** A chat that waits for a second process gets its answer, or is told to come back, within half a minute in all. */
const RESTART_MS = 15_000;

export function createLocalBackend(options: LocalBackendOptions): LocalBackend {
  const { modelFolder, threads, weights, log, idleMs = IDLE_MS, start = startServing } = options;
  const { restartMs = RESTART_MS } = options;
  const task: ServeTask = {
    modelFolder,
    ...(threads !== undefined && { threads }),
    ...(weights !== undefined && { weights }),
  };
  const supervisor = createSupervisor({ start: () => start(task), log });
  let chatting = 0;
  let idle: NodeJS.Timeout | undefined;

  function beginChat(): void {
    chatting++;
    clearTimeout(idle);
  }

  function endChat(): void {
    if (--chatting > 0) return;
    idle = setTimeout(() => supervisor.current?.serving.unload(), idleMs).unref();
  }

  async function* chat(chatTask: ChatTask, signal: AbortSignal): AsyncGenerator<Piece> {
    beginChat();
    try {
      const isDone = yield* tryChat(await supervisor.acquire(signal), chatTask, signal);
      // A process that was stopped from outside says nothing against the chat: it is asked of the next one.
      if (!isDone) yield* tryAgain(chatTask, signal);
      supervisor.noteSuccess();
    } finally {
      endChat();
    }
  }

  /** False when the process hung before anything was said. */
  async function* tryChat(
    worker: Worker,
    chatTask: ChatTask,
    signal: AbortSignal,
  ): AsyncGenerator<Piece, boolean> {
    let hasBegun = false;
    try {
      for await (const piece of worker.serving.chat(chatTask, signal)) {
        hasBegun = true;
        yield piece;
      }
      return true;
    } catch (error) {
      if (worker.hung && !hasBegun) return false;
      throw worker.fault ?? error;
    }
  }

  async function* tryAgain(chatTask: ChatTask, signal: AbortSignal): AsyncGenerator<Piece> {
    const worker = await supervisor.acquire(signal);
    const opened = worker.serving.ready.catch(error => {
      throw worker.fault ?? error;
    });
    await within(opened, restartMs);
    if (!(yield* tryChat(worker, chatTask, signal))) throw notBack();
  }

  return {
    chat,
    get state() {
      return supervisor.state;
    },
    warm: () => void supervisor.acquire().catch(() => {}),
    async close() {
      clearTimeout(idle);
      await supervisor.close();
    },
  };
}

async function within(ready: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(notBack()), ms);
  });
  try {
    await Promise.race([ready, late]);
  } finally {
    clearTimeout(timer);
  }
}

function notBack(): EngineError {
  return new EngineError(
    'engine_unavailable',
    'The engine stopped responding and is being restarted. Try again soon.',
  );
}
