// Asks a backend for what comes in one part.
import type { AskKind, Asks } from '../../engine/index.js';
import type { InferenceBackend, Question } from '../seams/backend.js';

export async function askOnce<K extends AskKind>(
  backend: InferenceBackend,
  kind: K,
  task: Question<K>,
  signal: AbortSignal,
): Promise<Asks[K]['output']> {
  for await (const output of backend.ask(kind, task, signal)) return output;
  throw new Error(`The backend ended without an answer to "${kind}".`);
}
