// Replaces the matrix products with frozen matrices by int8 products. The runtime also quantizes the activations that
// go into them, which is what makes them fast. The rest of the graph does not change.
import type { Constant, ConstantSource, Graph, GraphNode } from '../graph/index.js';
import { type FrozenMatrix, frozenMatrices } from './frozen-matrices.js';
import { BLOCK_SIZE, type Int8Matrix } from './quantize.js';

/** The weight of a product, and whether its rows or its columns each compute one output. */
interface MatMulWeight extends FrozenMatrix {
  outputsAre: 'rows' | 'columns';
}

/** A quantized matrix that is stored elsewhere. */
interface QuantizedMatrix extends Omit<Int8Matrix, 'bytes' | 'scales'> {
  bytes: ConstantSource;
  scales: ConstantSource;
}

const MATMULS: ReadonlySet<string> = new Set(['MatMul', 'FusedMatMul', 'Gemm']);
/** `MatMulNBits` computes in integers at this `accuracy_level`. */
const INT8_ACCURACY = 4;

export async function quantizeMatMuls(
  graph: Graph,
  quantize: (weight: MatMulWeight) => Promise<QuantizedMatrix>,
): Promise<Graph> {
  const frozen = frozenMatrices(graph);
  const stored = new Map<string, StoredMatrix>();
  const nodes: GraphNode[] = [];
  for (const node of graph.nodes) {
    const matrix = isPlainMatMul(node) ? frozen(node.inputs[1]!) : null;
    if (!matrix) {
      nodes.push(node);
      continue;
    }
    const outputsAre = node.attributes.transB ? 'rows' : 'columns';
    const name = `${node.inputs[1]!}.${outputsAre}`;
    if (!stored.has(name)) stored.set(name, toStored(name, await quantize({ ...matrix, outputsAre })));
    nodes.push(...replace(node, stored.get(name)!));
  }
  const constants = [...graph.constants, ...[...stored.values()].flatMap(({ constants: own }) => own)];
  return withoutUnused({ nodes, constants, inputs: graph.inputs, outputs: graph.outputs });
}

/** Whether the node computes A B or A B + C, without a scale and with A not transposed. */
function isPlainMatMul({ op, attributes: { transA, alpha } }: GraphNode): boolean {
  const isScaled = typeof alpha === 'object' && 'float' in alpha && alpha.float !== 1;
  return MATMULS.has(op) && !transA && !isScaled;
}

interface StoredMatrix {
  shape: { K: number; N: number };
  constants: [bytes: Constant, scales: Constant];
}

function toStored(
  name: string,
  { lines, length, blocksPerLine, bytes, scales }: QuantizedMatrix,
): StoredMatrix {
  const constant = (part: string, dtype: 'uint8' | 'float32', shape: number[], source: ConstantSource) => ({
    tensor: { name: `${name}.${part}`, dtype, shape },
    source,
  });
  return {
    shape: { K: length, N: lines },
    constants: [
      constant('bytes', 'uint8', [lines, blocksPerLine, BLOCK_SIZE], bytes),
      constant('scales', 'float32', [lines * blocksPerLine], scales),
    ],
  };
}

function replace({ inputs, outputs }: GraphNode, { shape, constants }: StoredMatrix): GraphNode[] {
  const [x, , addend] = inputs;
  const [output] = outputs;
  const product = addend ? `${output}.product` : output!;
  const matMul: GraphNode = {
    op: 'MatMulNBits',
    domain: 'com.microsoft',
    inputs: [x!, ...constants.map(({ tensor }) => tensor.name)],
    outputs: [product],
    attributes: { ...shape, bits: 8, block_size: BLOCK_SIZE, accuracy_level: INT8_ACCURACY },
  };
  if (!addend) return [matMul];
  return [matMul, { op: 'Add', domain: '', inputs: [product, addend], outputs, attributes: {} }];
}

/** Drops the original matrices and the nodes that fed them, where nothing else uses them. */
function withoutUnused({ nodes, constants, inputs, outputs }: Graph): Graph {
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
