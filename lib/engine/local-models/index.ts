// Entry point of models that other programs have downloaded on this machine.
import { listHubModels } from './hub-cache.js';
import { findLmStudioModel, listLmStudioModels } from './lm-studio.js';
import { findOllamaModel, listOllamaModels } from './ollama.js';
import type { LocalModel, LocalPlaces } from './places.js';

export { findHubModel } from './hub-cache.js';
export { isOllamaName } from './ollama.js';
export { pushToOllama, requireOllama } from './ollama-server.js';
export type { LocalModel, LocalPlaces } from './places.js';

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

/** The models of all programs. Folders that cannot be read are left out, as is everything that is not a model. */
export async function listLocalModels(places: LocalPlaces): Promise<LocalModel[]> {
  const lists = [listHubModels(places), listOllamaModels(places), listLmStudioModels(places.home)];
  const found = (await Promise.all(lists)).flat();
  return [...new Map(found.map(model => [model.name, model])).values()];
}
