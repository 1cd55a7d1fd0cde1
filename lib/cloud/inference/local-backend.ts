// Answers chats with a process on this machine. A model that nobody has used for a while is unloaded to free its
// memory.
import {
  type ChatTask,
  EngineError,
  type Piece,
  type ServeTask,
  type ServingProcess,
  startServing,
  type WeightSetting,
} from '../../engine/index.js';
import type { InferenceBackend } from '../seams/backend.js';
import { Supervisor, type Worker } from './supervisor.js';

interface LocalBackendOptions {
  /** In Hugging Face layout. */
  modelFolder: string;
  threads?: number;
  /** The precision of its weights. Default: `f32`. */
  weights?: WeightSetting;
  /** Bytes for its weights and all chats; by default a share of the machine's memory. */
  memory?: number | undefined;
  /** Keeps rounded weights, and the choice for `auto`. */
  roundedFolder?: string;
  log: (line: { message: string; error?: unknown }) => void;
  /** How long the model stays loaded without a chat. Default: 10 minutes. */
  idleMs?: number;
  /** How long a chat waits for the replacement of a hung process. Default: 15 s. */
  restartMs?: number;
  /** Starts the engine's process. */
  start?: (task: ServeTask) => ServingProcess;
}

export interface LocalBackend extends InferenceBackend {
  /** Starts the process now instead of with the first chat. */
  warm(): void;
}

const IDLE_MS = 10 * 60 * 1000;
/** A chat that waits for a second process is answered or rejected within half a minute in total. */
const RESTART_MS = 15_000;

export function createLocalBackend(options: LocalBackendOptions): LocalBackend {
  const { modelFolder, threads, weights, roundedFolder, memory, log } = options;
  const { idleMs = IDLE_MS, restartMs = RESTART_MS, start = startServing } = options;
  const task: ServeTask = {
    modelFolder,
    ...(threads !== undefined && { threads }),
    ...(weights !== undefined && { weights }),
    ...(roundedFolder !== undefined && { roundedFolder }),
    ...(memory !== undefined && { memory }),
  };
  const supervisor = new Supervisor({ start: () => start(task), log });
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
      // A hang is not the chat's fault, so the next process gets it.
      if (!isDone) yield* tryAgain(chatTask, signal);
      supervisor.noteSuccess();
    } finally {
      endChat();
    }
  }

  /** False if the process hung before its first output. */
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
