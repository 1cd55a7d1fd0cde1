// Attaches a run to its trainer when other code started it, as `svc start` does, so that the trainer's methods in the
// project's code refer to that run. Works across copies of this package, because a project has its own.
import type { Run } from './run.js';

type Attach = (run: Promise<Run>) => void;

const ATTACH = Symbol.for('svc.trainer.attach');

/** Makes a trainer accept a run from `attachRun`. */
export function acceptRun<Trainer extends object>(trainer: Trainer, attach: Attach): Trainer {
  return Object.defineProperty(trainer, ATTACH, { value: attach });
}

/** Does nothing for a trainer from an older copy of this package. */
export function attachRun(trainer: object, run: Promise<Run>): void {
  (trainer as { [ATTACH]?: Attach })[ATTACH]?.(run);
}
