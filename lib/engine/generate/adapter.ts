// An adapter in memory, as the graph takes it: B is [rank, out], the transpose of what its file holds.
import { adapterName, type ModelConfig, type Module, moduleShape } from '../model/index.js';
import { type Adapter, readAdapter, transpose } from '../weights/index.js';

export interface LoadedAdapter {
  readonly rank: number;
  readonly scaling: number;
  /** By the names of the graph's inputs; modules without an adapter are missing. */
  readonly matrices: ReadonlyMap<string, Float32Array>;
}

/** Reads an adapter's folder. Throws an error that names the file and the tensor if it does not fit the model. */
export async function loadAdapter(folder: string, config: ModelConfig): Promise<LoadedAdapter> {
  const shapeOf = (module: Module) => moduleShape(config, module);
  const adapter = await readAdapter(folder, { layers: config.layers, shapeOf });
  for (const { layer, module, a, b } of adapter.tensors) {
    if ([a, b].every(isUsable)) continue;
    throw new Error(`${folder}: ${module} of layer ${layer} has values that are not finite or too large.`);
  }
  return toLoadedAdapter(adapter);
}

/** Larger values overflow in products, which a batch shares, so one line's infinity would be another line's NaN. */
const LARGEST = 1e30;

function isUsable(values: Float32Array): boolean {
  return values.every(value => Math.abs(value) <= LARGEST);
}

function toLoadedAdapter({ config: { rank }, scaling, tensors }: Adapter): LoadedAdapter {
  const matrices = new Map<string, Float32Array>();
  for (const { layer, module, a, b } of tensors) {
    matrices.set(adapterName(layer, module, 'a'), a);
    matrices.set(adapterName(layer, module, 'b'), transpose(b, b.length / rank, rank));
  }
  return { rank, scaling, matrices };
}
