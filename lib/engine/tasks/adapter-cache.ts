// Reads adapters when they are first used, and keeps the most recently used ones.
import { EngineError } from '../engine-error.js';
import { type LoadedAdapter, loadAdapter } from '../generate/index.js';
import type { ModelConfig } from '../model/index.js';

const MAX_ADAPTERS = 16;

export interface AdapterCache {
  /** Throws `adapter_damaged` if it cannot be used. */
  get(folder: string): Promise<LoadedAdapter>;
  /** Reads it again if it is used once more. */
  forget(folder: string): void;
  clear(): void;
}

export function createAdapterCache(config: ModelConfig, limit = MAX_ADAPTERS): AdapterCache {
  /** Least recently used first. */
  const adapters = new Map<string, Promise<LoadedAdapter>>();

  async function load(folder: string): Promise<LoadedAdapter> {
    try {
      return await loadAdapter(folder, config);
    } catch (error) {
      throw new EngineError('adapter_damaged', error instanceof Error ? error.message : String(error));
    }
  }

  return {
    get(folder) {
      const adapter = adapters.get(folder) ?? load(folder);
      adapters.delete(folder);
      adapters.set(folder, adapter);
      adapter.catch(() => adapters.delete(folder));
      if (adapters.size > limit) adapters.delete(adapters.keys().next().value!);
      return adapter;
    },
    forget: folder => void adapters.delete(folder),
    clear: () => adapters.clear(),
  };
}
