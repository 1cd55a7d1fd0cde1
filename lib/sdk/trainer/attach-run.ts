// Ties a run to the trainer that it is of when another part of the process began it, as `svc start` does, so that the
// trainer's handles in the project's code mean that run. Works across copies of this package: a project has its own.
import type { Run } from './run.js';

type Attach = (run: Promise<Run>) => void;

const ATTACH = Symbol.for('svc.trainer.attach');

/** The trainer, which from now on can be given a run. */
export function acceptRun<Trainer extends object>(trainer: Trainer, attach: Attach): Trainer {
  return Object.defineProperty(trainer, ATTACH, { value: attach });
}

/** A trainer of an older copy takes none. */
export function attachRun(trainer: object, run: Promise<Run>): void {
  (trainer as { [ATTACH]?: Attach })[ATTACH]?.(run);
}
