// The interface of what answers for a model: a process on this machine, or a cluster.
import type { AskKind, Asks } from '../../engine/index.js';

export type BackendState = 'starting' | 'ready' | 'failed' | 'hung';

export interface InferenceBackend {
  /** What comes back. Leaving the loop or aborting the signal stops the work. Throws an `EngineError`. */
  ask<K extends AskKind>(
    kind: K,
    task: Asks[K]['task'],
    signal: AbortSignal,
  ): AsyncIterable<Asks[K]['output']>;
  /** Whether it can answer now or soon. `hung`: it does not respond and may have to be restarted. */
  readonly state: BackendState;
  close(): Promise<void>;
}
