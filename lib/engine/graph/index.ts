// Entry point of the graph: tensors, the builder, the runtime's operators, and the operations with a gradient.
export { copyGraph, copyName } from './copies.js';
export {
  type Attribute,
  type Constant,
  type ConstantSource,
  type Dimension,
  type DType,
  type FixedTensor,
  type Graph,
  GraphBuilder,
  type GraphNode,
  givenTensors,
  sizeOf,
  type Tensor,
  times,
} from './graph.js';
export { float32Matrix, float32Table, type Matrix, type OutputTable } from './matrix.js';
export type { Lines } from './ops/attention.js';
export { attention, rope } from './ops/attention.js';
export { type Chunks, chunksOf } from './ops/chunks.js';
export { causalConvolution } from './ops/convolution.js';
export { deltaRule, stateDecay } from './ops/delta-rule.js';
export {
  columns,
  pickRows,
  product,
  repeatHeads,
  reshaped,
  residual,
  rmsNorm,
  scaled,
  weightedSum,
} from './ops/elementary.js';
export { geglu, sigmoid, swiglu } from './ops/gated.js';
export { type Projection, project } from './ops/linear.js';
export { crossEntropy, crossEntropyInParts, policy, preference } from './ops/losses.js';
export { FILLING, softCrossEntropy } from './ops/soft-losses.js';
export * from './primitives.js';
export { chainAtOnce, recall } from './states.js';
export { Tape } from './tape.js';
