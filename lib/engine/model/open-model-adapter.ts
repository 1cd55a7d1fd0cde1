// Opens an adapter for a model: its matrices have the shapes of the model's projections, and values to compute with.
import { join } from 'node:path';
import { ADAPTER_CONFIG, ADAPTER_TENSORS } from '../run-layout.js';
import {
  type LoraPair,
  type OpenedAdapter,
  openAdapter,
  toTensorName,
  WeightsError,
} from '../weights/index.js';
import type { ModelConfig } from './config.js';
import { type Module, moduleShape } from './weight-names.js';

/** Throws a `WeightsError` that names the file, and the tensor if it is at fault; for its values, when they are read. */
export async function openModelAdapter(folder: string, config: ModelConfig): Promise<OpenedAdapter> {
  const shapeOf = (module: Module) => moduleShape(config, module);
  const adapter = await openAdapter(folder, { layers: config.layers, shapeOf });
  const { alpha, rank } = adapter.config;
  if (Math.abs(adapter.scaling) > LARGEST)
    throw new WeightsError(
      join(folder, ADAPTER_CONFIG),
      `lora_alpha is ${alpha}, too large for rank ${rank}`,
    );
  return {
    ...adapter,
    async readPair(site) {
      const pair = await adapter.readPair(site);
      checkValues(pair, join(folder, ADAPTER_TENSORS));
      return pair;
    },
  };
}

/** Larger values overflow in products, which a batch shares, so one line's infinity would be another line's NaN. */
const LARGEST = 1e30;

function checkValues(pair: LoraPair, file: string): void {
  for (const half of ['A', 'B'] as const) {
    const values = half === 'A' ? pair.a : pair.b;
    if (values.every(value => Math.abs(value) <= LARGEST)) continue;
    throw new WeightsError(file, 'has values that are not finite or too large', {
      tensor: toTensorName(pair, half),
    });
  }
}
