// An adapter in memory, ready to be fed: B lies transposed against its file, [rank, out], as the graph wants it.
import { adapterName, type ModelConfig, type Module, moduleShape } from '../model/index.js';
import { type Adapter, readAdapter, transpose } from '../weights/index.js';

export interface LoadedAdapter {
  readonly rank: number;
  readonly scaling: number;
  /** By the names of the graph's inputs; a module that is not adapted is missing. */
  readonly matrices: ReadonlyMap<string, Float32Array>;
}

/** Reads an adapter's folder. One that does not fit the model is an error that names the file and the tensor. */
export async function loadAdapter(folder: string, config: ModelConfig): Promise<LoadedAdapter> {
  const shapeOf = (module: Module) => moduleShape(config, module);
  const adapter = await readAdapter(folder, { layers: config.layers, shapeOf });
  for (const { layer, module, a, b } of adapter.tensors) {
    if ([a, b].every(isSound)) continue;
    throw new Error(`${folder}: ${module} of layer ${layer} holds values that cannot be computed with.`);
  }
  return toLoadedAdapter(adapter);
}

/** Beyond it products overflow. Lines of a batch share them: what is infinite for one is no number for the others. */
const LARGEST = 1e30;

function isSound(values: Float32Array): boolean {
  return values.every(value => Math.abs(value) <= LARGEST);
}

/** An adapter that was read already. */
function toLoadedAdapter({ config: { rank }, scaling, tensors }: Adapter): LoadedAdapter {
  const matrices = new Map<string, Float32Array>();
  for (const { layer, module, a, b } of tensors) {
    matrices.set(adapterName(layer, module, 'a'), a);
    matrices.set(adapterName(layer, module, 'b'), transpose(b, b.length / rank, rank));
  }
  return { rank, scaling, matrices };
}
