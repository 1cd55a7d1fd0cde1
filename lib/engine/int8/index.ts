// Entry point of int8 weights: models with rounded matrices, and graphs whose frozen matrices are quantized in blocks.
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConstantSource, Graph } from '../graph/index.js';
import { readNumbers } from '../weights/index.js';
import type { FrozenMatrix } from './frozen-matrices.js';
import { quantizeColumns, quantizeRows } from './quantize.js';
import { quantizeMatMuls } from './quantize-matmuls.js';

export { digestWeights, roundModel } from './round-model.js';
export type { IntegerForm } from './rounded-file.js';
export {
  keepWeightChoice,
  readWeightChoice,
  type WeightPrecision,
  type WeightSetting,
} from './weight-choice.js';

/** Calls `use` with the quantized graph. Its weights are in a temporary file that exists until `use` settles. */
export async function withInt8Weights<T>(graph: Graph, use: (graph: Graph) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-int8-'));
  try {
    return await use(await quantizeGraph(graph, join(folder, 'weights')));
  } finally {
    // Some systems refuse to delete a file that is still mapped; that must not fail a session that was created.
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

/** Reads and quantizes one matrix at a time, so that only one is in memory. */
async function quantizeGraph(graph: Graph, file: string): Promise<Graph> {
  const handle = await open(file, 'wx');
  try {
    const append = appender(handle, file);
    return await quantizeMatMuls(graph, async weight => {
      const quantize = weight.outputsAre === 'rows' ? quantizeRows : quantizeColumns;
      const matrix = quantize(await read(weight), weight.rows, weight.columns);
      return { ...matrix, bytes: await append(matrix.bytes), scales: await append(matrix.scales) };
    });
  } finally {
    await handle.close();
  }
}

function appender(handle: FileHandle, file: string) {
  let end = 0;
  return async (values: Uint8Array | Float32Array): Promise<ConstantSource> => {
    const bytes = new Uint8Array(values.buffer);
    const source = { file, offset: end, length: bytes.byteLength };
    await handle.writeFile(bytes);
    end += bytes.byteLength;
    return source;
  };
}

const DTYPES = { float32: 'F32', float16: 'F16', bfloat16: 'BF16' } as const;

async function read({ name, dtype, rows, columns, source }: FrozenMatrix): Promise<Float32Array> {
  if ('bytes' in source) {
    const { buffer, byteOffset } = source.bytes;
    return new Float32Array(buffer, byteOffset, rows * columns);
  }
  const { file, offset: byteOffset, length: byteLength } = source;
  return readNumbers({ name, dtype: DTYPES[dtype as keyof typeof DTYPES], file, byteOffset, byteLength });
}
