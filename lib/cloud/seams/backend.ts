// The interface of what answers chats: a process on this machine, or a cluster.
import type { ChatTask, Piece } from '../../engine/index.js';

export type BackendState = 'starting' | 'ready' | 'failed' | 'hung';

export interface InferenceBackend {
  /** The pieces of an answer. Leaving the loop or aborting the signal stops generation. Throws an `EngineError`. */
  chat(task: ChatTask, signal: AbortSignal): AsyncIterable<Piece>;
  /** Whether it can answer now or soon. `hung`: it does not respond and may have to be restarted. */
  readonly state: BackendState;
  close(): Promise<void>;
}
