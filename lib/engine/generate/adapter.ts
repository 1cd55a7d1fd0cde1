// An adapter in memory, as the graph takes it: B is [rank, out], the transpose of what its file holds.
import { adapterName, type ModelConfig, openModelAdapter } from '../model/index.js';
import { transpose } from '../weights/index.js';

export interface LoadedAdapter {
  readonly rank: number;
  readonly scaling: number;
  /** By the names of the graph's inputs; modules without an adapter are missing. */
  readonly matrices: ReadonlyMap<string, Float32Array>;
}

/** Reads an adapter's folder. Throws an error that names the file and the tensor if it does not fit the model. */
export async function loadAdapter(folder: string, config: ModelConfig): Promise<LoadedAdapter> {
  const { config: settings, scaling, sites, readPair } = await openModelAdapter(folder, config);
  const { rank } = settings;
  const matrices = new Map<string, Float32Array>();
  for (const site of sites) {
    const { layer, module, a, b } = await readPair(site);
    matrices.set(adapterName(layer, module, 'a'), a);
    matrices.set(adapterName(layer, module, 'b'), transpose(b, b.length / rank, rank));
  }
  return { rank, scaling, matrices };
}
