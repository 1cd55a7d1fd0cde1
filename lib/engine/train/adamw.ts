// AdamW over one flat array, as PyTorch computes it.

interface AdamWOptions {
  beta1: number;
  beta2: number;
  epsilon: number;
  weightDecay: number;
}

export const ADAMW_DEFAULTS: AdamWOptions = { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0 };

/** Two moments per value, and the number of steps taken. */
export interface AdamWState {
  step: number;
  readonly mean: Float32Array;
  readonly square: Float32Array;
}

export function createAdamWState(size: number): AdamWState {
  return { step: 0, mean: new Float32Array(size), square: new Float32Array(size) };
}

/** Updates `values` in place; `gradient` is multiplied by `scale` first. */
export function stepAdamW(
  values: Float32Array,
  gradient: Float32Array,
  state: AdamWState,
  rate: number,
  { beta1, beta2, epsilon, weightDecay }: AdamWOptions,
  scale = 1,
): void {
  const { mean, square } = state;
  state.step++;
  const meanCorrection = 1 - beta1 ** state.step;
  const squareCorrection = Math.sqrt(1 - beta2 ** state.step);
  const decay = 1 - rate * weightDecay;
  const size = rate / meanCorrection;
  for (let i = 0; i < values.length; i++) {
    const g = gradient[i]! * scale;
    const m = beta1 * mean[i]! + (1 - beta1) * g;
    const v = beta2 * square[i]! + (1 - beta2) * g * g;
    mean[i] = m;
    square[i] = v;
    values[i] = values[i]! * decay - (size * m) / (Math.sqrt(v) / squareCorrection + epsilon);
  }
}
