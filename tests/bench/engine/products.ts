// The matrix products of a graph and nothing else: the same sizes and weights, in the same order, each tensor a place
// of its own in memory, as in the step. What a step takes beyond them is what the engine adds.

import { cast, type Dimension, GraphBuilder, type Tensor } from '../../../lib/engine/graph/index.js';
import type { Pass } from '../../../lib/engine/train/packing.js';
import { frozenMatrices } from './frozen-matrices.js';

const PRODUCTS = new Set(['MatMul', 'FusedMatMul', 'Gemm', 'MatMulIntegerToFloat']);

export function productsOf(graph: GraphBuilder, pass: Pass): GraphBuilder {
  const sizeOfPass = sizesOf(pass);
  const known = new Map<string, Tensor>(
    [...graph.inputs, ...graph.constants.map(({ tensor }) => tensor)].map(tensor => [tensor.name, tensor]),
  );
  const constants = new Map(graph.constants.map(constant => [constant.tensor.name, constant]));
  const tensorOf = (name: string) => known.get(name) ?? graph.computed.get(name)!;
  const shapeOf = (name: string) => tensorOf(name).shape.map(sizeOfPass);
  const frozen = frozenMatrices(graph);
  const only = new GraphBuilder();
  const operands = new Map<string, Tensor>();
  const corners: Tensor[] = [];
  const toOperand = (name: string): Tensor => {
    const constant = constants.get(name);
    if (constant) {
      const { tensor, source } = constant;
      return only.constant(`constant.${name}`, tensor.dtype, tensor.shape, source);
    }
    const matrix = frozen(name);
    if (!matrix) return only.input(`operand.${name}`, tensorOf(name).dtype, shapeOf(name));
    const { dtype, rows, columns, source } = matrix;
    return cast(only, only.constant(`weight.${name}`, dtype, [rows, columns], source), 'float32');
  };
  for (const node of graph.nodes.filter(({ op }) => PRODUCTS.has(op))) {
    const inputs = node.inputs.map(name => {
      const tensor = operands.get(name) ?? toOperand(name);
      operands.set(name, tensor);
      return tensor;
    });
    const shape = shapeOf(node.outputs[0]!);
    const { domain, attributes } = node;
    const [product] = only.node(node.op, inputs, {
      domain,
      attributes,
      outputs: [{ dtype: 'float32', shape }],
    });
    corners.push(corner(only, product!));
  }
  only.output('sum', only.node('Sum', corners, { outputs: [{ dtype: 'float32', shape: [1] }] })[0]!);
  return only;
}

/** The first number of a tensor: enough for the product to be needed, and next to no work. */
function corner(graph: GraphBuilder, tensor: Tensor): Tensor {
  const rank = tensor.shape.length;
  const list = (value: number | ((i: number) => number)) =>
    graph.values(
      'int64',
      [rank],
      Array.from({ length: rank }, (_, i) => (typeof value === 'number' ? value : value(i))),
    );
  const outputs = [{ dtype: tensor.dtype, shape: tensor.shape.map(() => 1) }];
  const [one] = graph.node('Slice', [tensor, list(0), list(1), list(i => i)], { outputs });
  const flat = graph.values('int64', [1], [1]);
  return graph.node('Reshape', [one!, flat], { outputs: [{ dtype: tensor.dtype, shape: [1] }] })[0]!;
}

/** The length of a dimension in a pass; names may be multiples, such as `3*length`. */
function sizesOf({ lines, ids, labels }: Pass): (dimension: Dimension) => number {
  const lengths: Record<string, number> = {
    lines: lines.count,
    length: lines.length,
    tokens: ids.length,
    labels: labels.length,
  };
  return dimension => {
    if (typeof dimension === 'number') return dimension;
    return dimension.split('*').reduce((product, part) => product * (lengths[part] ?? Number(part)), 1);
  };
}
