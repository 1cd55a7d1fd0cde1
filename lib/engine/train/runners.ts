// Interfaces of what runs passes through a graph, for code that does not care how.
import type { Pass } from './packing.js';
import type { ParameterState } from './state.js';

export interface StepRunner {
  /** The most tokens to compute in a pass. */
  readonly passTokens: number;
  /**
   * Returns the loss and adds the gradients to `gradient`. `purpose` seeds the randomness of the pass; `onLosses` receives
   * the loss of each of its labels.
   */
  run(
    pass: Pass,
    state: ParameterState,
    gradient: ParameterState,
    purpose: readonly number[],
    onLosses?: (labelLosses: Float32Array) => void,
  ): Promise<number>;
  close(): Promise<void>;
}

export interface LossRunner {
  readonly passTokens: number;
  /** Returns the loss; `onLosses` receives that of each label. */
  run(pass: Pass, state: ParameterState, onLosses?: (labelLosses: Float32Array) => void): Promise<number>;
  close(): Promise<void>;
}

/** Opens a runner when it is first needed, for several users. */
export function shareRunner(create: () => Promise<LossRunner>): {
  open(): Promise<LossRunner>;
  close(): Promise<void>;
} {
  let runner: Promise<LossRunner> | undefined;
  return {
    open: () => (runner ??= create()),
    async close() {
      const opened = runner;
      runner = undefined;
      await (await opened)?.close();
    },
  };
}
