// The seam where it is chosen who answers a chat: a process of this machine, or a cluster.
import type { ChatTask, Piece } from '../../engine/index.js';

export type BackendState = 'starting' | 'ready' | 'failed' | 'hung';

export interface InferenceBackend {
  /** The pieces of an answer. Leaving the loop, or the signal, ends the generation. Throws an `EngineError`. */
  chat(task: ChatTask, signal: AbortSignal): AsyncIterable<Piece>;
  /** Whether it can answer, or is about to; `hung` when it gives no sign of life, and may have to be started again. */
  readonly state: BackendState;
  close(): Promise<void>;
}
