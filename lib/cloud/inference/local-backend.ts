// Chats answered by a process of this machine. A model that nobody has asked for a while gives its memory back.
import {
  type ChatTask,
  type Piece,
  type ServeTask,
  type ServingProcess,
  startServing,
  type WeightForm,
} from '../../engine/index.js';
import type { InferenceBackend } from './backend.js';
import { createSupervisor } from './supervisor.js';

export interface LocalBackendOptions {
  /** In Hugging Face's layout. */
  modelFolder: string;
  threads?: number;
  /** How its weights are held; `f32` unless given. */
  weights?: WeightForm;
  log: (line: { message: string; error?: unknown }) => void;
  /** After this long without a chat the model is unloaded; 10 minutes unless given. */
  idleMs?: number;
  /** What starts the engine's process; the engine's own unless given. */
  start?: (task: ServeTask) => ServingProcess;
}

export interface LocalBackend extends InferenceBackend {
  /** Starts the process now, and not only when somebody chats. */
  warm(): void;
}

const IDLE_MS = 10 * 60 * 1000;

export function createLocalBackend(options: LocalBackendOptions): LocalBackend {
  const { modelFolder, threads, weights, log, idleMs = IDLE_MS, start = startServing } = options;
  const task: ServeTask = {
    modelFolder,
    ...(threads !== undefined && { threads }),
    ...(weights !== undefined && { weights }),
  };
  const supervisor = createSupervisor({ start: () => start(task), log });
  let chatting = 0;
  let idle: NodeJS.Timeout | undefined;

  function enter(): void {
    chatting++;
    clearTimeout(idle);
  }

  function leave(): void {
    if (--chatting > 0) return;
    idle = setTimeout(() => supervisor.life?.serving.unload(), idleMs).unref();
  }

  async function* chat(chatTask: ChatTask, signal: AbortSignal): AsyncGenerator<Piece> {
    enter();
    try {
      const life = await supervisor.take(signal);
      try {
        yield* life.serving.chat(chatTask, signal);
      } catch (error) {
        throw life.fault ?? error;
      }
      supervisor.noteSuccess();
    } finally {
      leave();
    }
  }

  return {
    chat,
    get state() {
      return supervisor.state;
    },
    warm: () => void supervisor.take().catch(() => {}),
    async close() {
      clearTimeout(idle);
      await supervisor.close();
    },
  };
}
