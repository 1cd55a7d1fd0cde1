// Entry point of models that other programs have downloaded on this machine, as GGUF files.
import { findLmStudioModel } from './lm-studio.js';
import { findOllamaModel, type LocalPlaces } from './ollama.js';

export { isOllamaName } from './ollama.js';
export { pushToOllama, requireOllama } from './ollama-server.js';

const OWNED = /^(ollama|lmstudio):(.+)$/;

/** Whether this names a model in another program's folder: `ollama:NAME` or `lmstudio:NAME`. */
export function isLocalModel(text: string): boolean {
  return OWNED.test(text);
}

/** The path of its GGUF file. Throws a `LocalModelError` that says what to do. */
export async function findLocalModel(text: string, places: LocalPlaces): Promise<string> {
  const [, program, name = ''] = OWNED.exec(text) ?? [];
  return program === 'ollama' ? findOllamaModel(name, places) : findLmStudioModel(name, places.home);
}
