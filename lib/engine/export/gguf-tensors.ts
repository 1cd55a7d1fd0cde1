// The tensors of a model's GGUF file: their names, and the format of each, where llama.cpp's own mixtures are followed.
import {
  type TensorToWrite,
  toLlamaCppNames,
  toLlamaCppShape,
  type WrittenFormat,
  writtenFormat,
} from '../gguf/index.js';
import { EMBEDDING, type ModelConfig, OUTPUT, weightShapes } from '../model/index.js';
import { type FloatDtype, findModule, PROJECTIONS, type WeightTensor } from '../weights/index.js';

export type Quantization = 'q8_0' | 'q4_k_m';

export interface PlannedTensor extends TensorToWrite {
  /** As the model's files name it. */
  stored: string;
  /** Its offset there. */
  firstRow: number;
  format: WrittenFormat;
}

export function planTensors(
  config: ModelConfig,
  describe: (name: string) => WeightTensor,
  quantization: Quantization | undefined,
): PlannedTensor[] {
  return [...weightShapes(config)].flatMap(([stored, [rows = 1, ...rest]]) => {
    const names = toLlamaCppNames(stored, config);
    const shape = [rows / names.length, ...rest];
    const dtype = describe(stored).dtype as FloatDtype;
    const format = chooseFormat(config, { stored, shape, dtype }, quantization);
    const values = shape.reduce((product, size) => product * size, 1);
    const bytes = (values / format.values) * format.bytes;
    return names.map((name, part) => ({
      ...{ name, shape: toLlamaCppShape(shape), firstRow: (part * rows) / names.length },
      ...{ stored, format, type: format.type, bytes },
    }));
  });
}

interface Weight {
  stored: string;
  shape: readonly number[];
  dtype: FloatDtype;
}

/** Only matrices are rounded: llama.cpp adds and multiplies with all others in float32. */
function chooseFormat(
  config: ModelConfig,
  { stored, shape, dtype }: Weight,
  quantization: Quantization | undefined,
): WrittenFormat {
  if (shape.length !== 2) return writtenFormat('F32');
  if (!quantization) return writtenFormat(dtype);
  const wanted =
    quantization === 'q8_0'
      ? 'Q8_0'
      : stored === OUTPUT || (config.tied && stored === EMBEDDING) || needsMoreBits(stored, config)
        ? 'Q6_K'
        : 'Q4_K';
  const formats = [wanted, FALLBACKS[wanted], 'F16'] as const;
  return formats.map(writtenFormat).find(({ values }) => shape.at(-1)! % values === 0)!;
}

/** For rows that are not whole blocks of 256. */
const FALLBACKS = { Q4_K: 'Q5_0', Q6_K: 'Q8_0', Q8_0: 'F16' } as const;

/** Values and the last projection, in the first and last eighth of the layers and in every third between. */
function needsMoreBits(stored: string, { layers }: ModelConfig): boolean {
  const [, place, path] = /^model\.layers\.(\d+)\.(.+)\.weight$/.exec(stored) ?? [];
  const module = findModule(path);
  if (!module || !PROJECTIONS[module].needsBits) return false;
  const [layer, eighth] = [Number(place), Math.floor(layers / 8)];
  return layer < eighth || layer >= Math.floor((7 * layers) / 8) || (layer - eighth) % 3 === 2;
}

const FILE_TYPES: Record<FloatDtype | Quantization, number> = {
  F32: 0,
  F16: 1,
  BF16: 32,
  q8_0: 7,
  q4_k_m: 15,
};

/** The number that names the mixture: of floats, the one that takes most space. */
export function fileType(tensors: readonly PlannedTensor[], quantization: Quantization | undefined): number {
  return FILE_TYPES[quantization ?? mainFloat(tensors)];
}

export function mainFloat(tensors: readonly PlannedTensor[]): FloatDtype {
  const bytesOf = new Map<string, number>();
  for (const { format, bytes } of tensors) bytesOf.set(format.name, (bytesOf.get(format.name) ?? 0) + bytes);
  const [[name] = ['F32']] = [...bytesOf].sort(([, a], [, b]) => b - a);
  return name as FloatDtype;
}
