// Finds the largest buffer that a device computes right. Beyond its limits, some drivers return wrong numbers without an error.
import { GraphBuilder, multiply, reduce } from '../../graph/index.js';
import { createSession, type SessionOptions } from '../../runtime/index.js';
import { isRounding } from '../provider-check.js';

const MIB = 2 ** 20;

/** Smallest first: a device that is lost answers nothing more. */
const SIZES = [128, 256, 512, 1024, 2048].map(size => size * MIB);

const COLUMNS = 4096;
/** A device that takes longer for one size needs no larger ones. */
const PATIENCE_MS = 15_000;

/** Calls `tell` with each size that is right, in bytes, up to the first that is enough. */
export async function findLargestBuffer(
  compute: Pick<SessionOptions, 'provider'>,
  enough: number,
  tell: (bytes: number) => Promise<void>,
): Promise<void> {
  for (const bytes of SIZES) {
    const start = performance.now();
    if (!(await isRight(bytes, compute).catch(() => false))) return;
    await tell(bytes);
    if (bytes >= enough) return;
    if (performance.now() - start > PATIENCE_MS) return;
  }
}

/** Computes the mean of each row of a table of this size: the product of a column and a row. */
async function isRight(bytes: number, compute: Pick<SessionOptions, 'provider'>): Promise<boolean> {
  const rows = bytes / (COLUMNS * Float32Array.BYTES_PER_ELEMENT);
  const graph = new GraphBuilder();
  const column = graph.input('column', 'float32', [rows, 1]);
  const row = graph.input('row', 'float32', [1, COLUMNS]);
  graph.output('means', reduce(graph, 'ReduceMean', multiply(graph, column, row), 1));
  const feeds = {
    column: Float32Array.from({ length: rows }, (_, i) => 1 + (i % 7)),
    row: Float32Array.from({ length: COLUMNS }, (_, i) => 1 + (i % 5)),
  };
  const session = await createSession(graph, compute);
  const { means } = await session.run(feeds).finally(session.close);
  const mean = feeds.row.reduce((sum, value) => sum + value, 0) / COLUMNS;
  return means!.every((found, i) => isRounding(Math.abs(found / (feeds.column[i]! * mean) - 1)));
}
