// Adapters are read when they are first asked for, and the ones used last are kept.
import { EngineError } from '../engine-error.js';
import { type LoadedAdapter, loadAdapter } from '../generate/index.js';
import type { ModelConfig } from '../model/index.js';

const KEPT_ADAPTERS = 16;

export interface AdapterCache {
  /** Throws `adapter_damaged` for one that cannot be used. */
  take(folder: string): Promise<LoadedAdapter>;
}

export function createAdapterCache(config: ModelConfig): AdapterCache {
  const kept = new Map<string, Promise<LoadedAdapter>>();

  async function load(folder: string): Promise<LoadedAdapter> {
    try {
      return await loadAdapter(folder, config);
    } catch (error) {
      throw new EngineError('adapter_damaged', error instanceof Error ? error.message : String(error));
    }
  }

  return {
    take(folder) {
      const adapter = kept.get(folder) ?? load(folder);
      kept.delete(folder);
      kept.set(folder, adapter);
      adapter.catch(() => kept.delete(folder));
      if (kept.size > KEPT_ADAPTERS) kept.delete(kept.keys().next().value!);
      return adapter;
    },
  };
}
