// A graph whose products with frozen matrices are taken in 8 bits. What is multiplied with them is rounded on the way,
// which is where the speed is; everything else stays as it was.
import type { Constant, ConstantSource, Dimension, Graph, GraphNode } from '../graph/index.js';
import { type FrozenMatrix, frozenMatrices } from './frozen-matrices.js';
import { BLOCK, type Int8Matrix } from './quantize.js';

/** A matrix as a product needs it: each of its lines makes a column of the result. */
export interface WantedMatrix extends FrozenMatrix {
  linesAre: 'rows' | 'columns';
}

/** One that was rounded, and where that lies. */
export interface PlacedMatrix extends Omit<Int8Matrix, 'bytes' | 'scales'> {
  bytes: ConstantSource;
  scales: ConstantSource;
}

const PRODUCTS: ReadonlySet<string> = new Set(['MatMul', 'FusedMatMul', 'Gemm']);
/** The runtime's name for products of whole numbers. */
const INT8_ACCURACY = 4;

export async function quantizeMatMuls<D extends Dimension>(
  graph: Graph<D>,
  place: (wanted: WantedMatrix) => Promise<PlacedMatrix>,
): Promise<Graph<D>> {
  const frozen = frozenMatrices(graph);
  const stored = new Map<string, StoredMatrix>();
  const nodes: GraphNode[] = [];
  for (const node of graph.nodes) {
    const matrix = isPlainProduct(node) ? frozen(node.inputs[1]!) : null;
    if (!matrix) {
      nodes.push(node);
      continue;
    }
    const linesAre = node.attributes.transB ? 'rows' : 'columns';
    const name = `${node.inputs[1]!}.${linesAre}`;
    if (!stored.has(name)) stored.set(name, toStored(name, await place({ ...matrix, linesAre })));
    nodes.push(...replace(node, stored.get(name)!));
  }
  const constants = [...graph.constants, ...[...stored.values()].flatMap(({ constants: own }) => own)];
  return withoutUnused({ nodes, constants, inputs: graph.inputs, outputs: graph.outputs });
}

/** Nothing but a product of its first input with its second, or that and the sum with a third. */
function isPlainProduct({ op, attributes: { transA, alpha } }: GraphNode): boolean {
  const isScaled = typeof alpha === 'object' && 'float' in alpha && alpha.float !== 1;
  return PRODUCTS.has(op) && !transA && !isScaled;
}

interface StoredMatrix {
  shape: { K: number; N: number };
  constants: [bytes: Constant, scales: Constant];
}

function toStored(name: string, { lines, length, blocksPerLine, bytes, scales }: PlacedMatrix): StoredMatrix {
  const constant = (part: string, dtype: 'uint8' | 'float32', shape: number[], source: ConstantSource) => ({
    tensor: { name: `${name}.${part}`, dtype, shape },
    source,
  });
  return {
    shape: { K: length, N: lines },
    constants: [
      constant('bytes', 'uint8', [lines, blocksPerLine, BLOCK], bytes),
      constant('scales', 'float32', [lines * blocksPerLine], scales),
    ],
  };
}

function replace({ inputs, outputs }: GraphNode, { shape, constants }: StoredMatrix): GraphNode[] {
  const [x, , addend] = inputs;
  const [output] = outputs;
  const product = addend ? `${output}.product` : output!;
  const made: GraphNode = {
    op: 'MatMulNBits',
    domain: 'com.microsoft',
    inputs: [x!, ...constants.map(({ tensor }) => tensor.name)],
    outputs: [product],
    attributes: { ...shape, bits: 8, block_size: BLOCK, accuracy_level: INT8_ACCURACY },
  };
  if (!addend) return [made];
  return [made, { op: 'Add', domain: '', inputs: [product, addend], outputs, attributes: {} }];
}

/** What made the matrices before, and the matrices, go with the products. */
function withoutUnused<D extends Dimension>({ nodes, constants, inputs, outputs }: Graph<D>): Graph<D> {
  const used = new Set(outputs.map(({ name }) => name));
  const kept = nodes.toReversed().filter(node => {
    const isUsed = node.outputs.some(name => used.has(name));
    if (isUsed) for (const name of node.inputs) used.add(name);
    return isUsed;
  });
  return {
    nodes: kept.reverse(),
    constants: constants.filter(({ tensor }) => used.has(tensor.name)),
    inputs,
    outputs,
  };
}
