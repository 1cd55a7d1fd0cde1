// The door of 8-bit weights: a graph in, the same graph out with its frozen matrices rounded to 8 bits a number.
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConstantSource, Dimension, Graph } from '../graph/index.js';
import { readNumbers } from '../weights/index.js';
import type { FrozenMatrix } from './frozen-matrices.js';
import { quantizeColumns, quantizeRows } from './quantize.js';
import { quantizeMatMuls } from './quantize-matmuls.js';

/** Gives such a graph to `use`. What it needs lies in a file that is there until that is done. */
export async function withInt8Weights<D extends Dimension, T>(
  graph: Graph<D>,
  use: (graph: Graph<D>) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-int8-'));
  try {
    return await use(await round(graph, join(folder, 'weights')));
  } finally {
    // A system that does not remove what is still mapped must not fail what has succeeded.
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

/** Reads the weights from wherever the graph says that they are, one matrix at a time. */
async function round<D extends Dimension>(graph: Graph<D>, file: string): Promise<Graph<D>> {
  const handle = await open(file, 'wx');
  try {
    const append = appender(handle, file);
    return await quantizeMatMuls(graph, async wanted => {
      const quantize = wanted.linesAre === 'rows' ? quantizeRows : quantizeColumns;
      const matrix = quantize(await read(wanted), wanted.rows, wanted.columns);
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
    const place = { file, offset: end, length: bytes.byteLength };
    await handle.writeFile(bytes);
    end += bytes.byteLength;
    return place;
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
