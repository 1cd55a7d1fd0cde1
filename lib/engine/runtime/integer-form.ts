// Finds out in which form weights of 8 bits must be given to the runtime. Some processors can only add pairs of products
// in 16 bits, which saturates for unsigned times signed integers: the sums are then silently wrong. Where that is so,
// the runtime multiplies unsigned integers in another way.
import { GraphBuilder, integerProduct } from '../graph/index.js';
import type { IntegerForm } from '../int8/index.js';

/** `(a - 128) @ (b - zero)`, where `zero` is 128 for unsigned b. */
type IntegerMultiply = (product: IntegerProduct) => Promise<ArrayLike<number>>;

interface IntegerProduct {
  rows: number;
  inner: number;
  columns: number;
  a: Uint8Array;
  b: Int8Array | Uint8Array;
}

const ZERO = 128;
const [INNER, COLUMNS] = [64, 32];
/** One row, several, and enough for the kernels of large products. */
const ROWS = [1, 4, 64];

/** The first form in which the largest sums are exact. */
export async function findIntegerForm(multiply: IntegerMultiply): Promise<IntegerForm> {
  for (const form of ['int8', 'uint8'] as const) if (await isExact(form, multiply)) return form;
  throw new Error('The integer products of this processor are not exact. Use f32 weights.');
}

async function isExact(form: IntegerForm, multiply: IntegerMultiply): Promise<boolean> {
  const zero = form === 'uint8' ? ZERO : 0;
  for (const rows of ROWS) {
    for (const [x, w] of [
      [127, 127],
      [127, -127],
      [-127, -127],
    ] as const) {
      const a = new Uint8Array(rows * INNER).fill(x + ZERO);
      const b = (form === 'uint8' ? new Uint8Array(INNER * COLUMNS) : new Int8Array(INNER * COLUMNS)).fill(
        w + zero,
      );
      const sums = await multiply({ rows, inner: INNER, columns: COLUMNS, a, b });
      if (Array.from(sums).some(sum => sum !== INNER * x * w)) return false;
    }
  }
  return true;
}

interface Session {
  run(inputs: { a: Uint8Array }): Promise<Record<string, Float32Array>>;
  close(): Promise<void>;
}

/** Multiplies with the runtime itself. */
export function multiplyWith(createSession: (graph: GraphBuilder) => Promise<Session>): IntegerMultiply {
  return async ({ rows, inner, columns, a, b }) => {
    const graph = new GraphBuilder();
    const dtype = b instanceof Uint8Array ? 'uint8' : 'int8';
    const integers = graph.constant('b', dtype, [inner, columns], { bytes: new Uint8Array(b.buffer) });
    const left = { integers: graph.input('a', 'uint8', [rows, inner]), zero: ZERO };
    const right = { integers, zero: dtype === 'uint8' ? ZERO : 0 };
    const scales = graph.values('float32', [columns], Array(columns).fill(1));
    graph.output('sums', integerProduct(graph, left, right, 1, scales));
    const session = await createSession(graph);
    try {
      return (await session.run({ a })).sums!;
    } finally {
      await session.close();
    }
  };
}
