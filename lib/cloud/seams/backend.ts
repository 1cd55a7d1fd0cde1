// The interface of what answers for a model: a process on this machine, or a cluster. It names adapters by digest, so
// that whoever answers, here or elsewhere, finds the files in its own way.
import { type AskKind, type Asks, EngineError } from '../../engine/index.js';

export type BackendState = 'starting' | 'ready' | 'failed' | 'hung';

type ByDigest<Task> = Task extends { adapterFolder: string | null }
  ? Omit<Task, 'adapterFolder'> & {
      /** The digest of a loaded adapter; null for the base model itself. */
      adapter: string | null;
    }
  : Task;

/** What a backend is asked. */
export type Question<K extends AskKind = AskKind> = ByDigest<Asks[K]['task']>;

/** An adapter of this cloud. */
export interface StoredAdapter {
  /** Over the names and bytes of its two files. */
  sha256: string;
  /** Where the cloud has them. They were checked against the digest. */
  folder: string;
}

/** What a backend elsewhere lets its machines fetch from the cloud. */
export interface ServingDoor {
  opensModel(ticket: string): boolean;
  /** The folder of the adapter that the ticket opens; null if it opens none. */
  findAdapter(ticket: string, sha256: string): string | null;
}

/** What a backend can do. The cloud refuses the rest before it asks. */
export interface BackendAbilities {
  adapters: boolean;
  logprobs: boolean;
  /** JSON schemas and tools. */
  structure: boolean;
  embeddings: boolean;
}

/** Those of svc's own engine, wherever it runs. */
export const ALL_ABILITIES: BackendAbilities = {
  adapters: true,
  logprobs: true,
  structure: true,
  embeddings: true,
};

/** Throws unless the question is for the base model or a loaded adapter. */
export function requireLoaded(question: Question, loaded: { has(sha256: string): boolean }): void {
  const { adapter } = question as Partial<Question<'chat'>>;
  if (typeof adapter === 'string' && !loaded.has(adapter))
    throw new EngineError('engine_unavailable', `The adapter ${adapter} is not loaded.`);
}

export interface InferenceBackend {
  readonly abilities: BackendAbilities;
  /** Makes an adapter ready to be asked for. Cheap when repeated. Throws an `EngineError`. */
  load(adapter: StoredAdapter): Promise<void>;
  /** Frees what an adapter takes, and forgets it. Does nothing for one that is not loaded. */
  unload(sha256: string): Promise<void>;
  /**
   * What comes back. Leaving the loop stops the work; so does aborting the signal, whose reason is then thrown. Throws an
   * `EngineError` otherwise: `engine_unavailable` for an adapter that is not loaded, and once the backend is closed.
   */
  ask<K extends AskKind>(kind: K, task: Question<K>, signal: AbortSignal): AsyncIterable<Asks[K]['output']>;
  /** Whether it can answer now or soon. `hung`: it does not respond and may have to be restarted. */
  readonly state: BackendState;
  close(): Promise<void>;
}
