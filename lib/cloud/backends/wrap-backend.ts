// What the cloud puts around a backend.
import { ApiError } from '../../contract/index.js';
import { type AskKind, EngineError } from '../../engine/index.js';
import type { BackendAbilities, InferenceBackend, Question } from '../seams/backend.js';

/** Refuses what the backend cannot do before it is asked, so that nothing is ignored in silence. */
export function refuseUnable(backend: InferenceBackend): InferenceBackend {
  return {
    abilities: backend.abilities,
    load: adapter => backend.load(adapter),
    unload: sha256 => backend.unload(sha256),
    async *ask(kind, task, signal) {
      requireAbilities(backend.abilities, kind, task);
      yield* backend.ask(kind, task, signal);
    },
    get state() {
      return backend.state;
    },
    close: () => backend.close(),
  };
}

function requireAbilities(can: BackendAbilities, kind: AskKind, task: Question): void {
  const { adapter, logprobs, json, tools } = task as Partial<Question<'chat'>>;
  if (kind === 'embed' && !can.embeddings)
    throw new ApiError('model_not_supported', 'What answers for this cloud cannot embed texts.');
  if (typeof adapter === 'string' && !can.adapters)
    throw new ApiError('model_not_supported', 'What answers for this cloud serves the base model alone.');
  if (logprobs !== undefined && !can.logprobs)
    throw new ApiError('unsupported_parameter', 'What answers for this cloud has no log probabilities.', {
      param: 'logprobs',
    });
  if (can.structure || (json === undefined && tools === undefined)) return;
  const [what, part] = tools === undefined ? (['schemas', 'json'] as const) : (['tools', 'tools'] as const);
  throw new EngineError('invalid_value', `What answers for this cloud cannot follow ${what}.`, part);
}

interface BusyBackend extends InferenceBackend {
  /** How many questions are being answered. */
  readonly asked: number;
}

/** Counts what the backend is answering. */
export function countAsked(backend: InferenceBackend): BusyBackend {
  let asked = 0;
  return {
    abilities: backend.abilities,
    load: adapter => backend.load(adapter),
    unload: sha256 => backend.unload(sha256),
    async *ask(kind, task, signal) {
      asked++;
      try {
        yield* backend.ask(kind, task, signal);
      } finally {
        asked--;
      }
    },
    get state() {
      return backend.state;
    },
    get asked() {
      return asked;
    },
    close: () => backend.close(),
  };
}
