// The values that a run trains, in one flat array so that the optimizer is a single loop. The graph's input tensors are
// views of it.

export interface NamedShape {
  name: string;
  shape: readonly number[];
}

export interface ParameterState<P extends NamedShape = NamedShape> {
  readonly parameters: readonly P[];
  readonly values: Float32Array;
  /** Each parameter's part of `values`, by name. */
  readonly views: Readonly<Record<string, Float32Array>>;
}

/** A state of zeros. */
export function createState<P extends NamedShape>(parameters: readonly P[]): ParameterState<P> {
  const size = ({ shape }: P) => shape.reduce((product, length) => product * length, 1);
  const values = new Float32Array(parameters.reduce((sum, parameter) => sum + size(parameter), 0));
  const views: Record<string, Float32Array> = {};
  let at = 0;
  for (const parameter of parameters) {
    views[parameter.name] = values.subarray(at, at + size(parameter));
    at += size(parameter);
  }
  return { parameters, values, views };
}
