// Interfaces of what runs passes through a graph, for code that does not care how.
import type { Update } from './adam-w.js';
import type { Pass, PassLimits } from './packing.js';
import type { ParameterState } from './state.js';

/** The loss of each label and, if a teacher's distribution is learned, how far each is from it. */
type OnLosses = (labelLosses: Float32Array, divergences?: Float32Array) => void;

/** Computes steps of a run, and changes its parameters. */
export interface StepRunner extends PassLimits {
  /**
   * Adds the gradients of a pass to those of the step, and returns its loss. `purpose` seeds the randomness of the pass;
   * `onLosses` receives those of its labels.
   */
  run(pass: Pass, purpose: readonly number[], onLosses?: OnLosses): Promise<number>;
  /**
   * Updates the parameters with the gradients so far, and starts over without any. Returns the norm of the gradients; if
   * it is not finite, nothing that the runner holds is of use.
   */
  update(change: Update): Promise<number>;
  /** Brings the parameters and moments here, if they are on a GPU. */
  pull(): Promise<void>;
  close(): Promise<void>;
}

export interface LossRunner extends PassLimits {
  /** Returns the loss; `onLosses` receives those of the labels. */
  run(pass: Pass, state: ParameterState, onLosses?: OnLosses): Promise<number>;
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
