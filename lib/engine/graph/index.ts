// Entry point of the graph: tensors, the builder, the runtime's operators, and the operations with a gradient.
export {
  type Attribute,
  type Constant,
  type ConstantSource,
  type Graph,
  GraphBuilder,
  type GraphNode,
} from './graph.js';
export type { Lines } from './lines.js';
export { float32Matrix, float32Table, type Matrix, type OutputTable } from './matrix.js';
export { attention } from './ops/attention.js';
export { crossEntropy } from './ops/cross-entropy.js';
export { pickRows, reshaped, residual, weightedSum } from './ops/elementary.js';
export { type Projection, project } from './ops/linear.js';
export { preference } from './ops/preference.js';
export { rmsNorm } from './ops/rms-norm.js';
export { type RopeOptions, rope } from './ops/rope.js';
export { swiglu } from './ops/swiglu.js';
export * from './primitives.js';
export { Tape } from './tape.js';
export { type Dimension, type DType, type Tensor, times } from './tensor.js';
