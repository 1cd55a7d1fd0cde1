// Runs jobs on this machine with PyTorch, each in a Python process, and those that ask for svc's own engine with that one.
import { describeTorch, type TorchFacts } from '../../contract/index.js';
import { startTrainingProgram } from '../../engine/index.js';
import type { CloudDeps } from '../deps.js';
import type { AttemptDesk, JobRun, JobRunner } from '../seams/runner.js';
import { startLater } from './devices.js';
import { probeTorch, toTorchProgram } from './python.js';

/** Checks the Python meanwhile. `own`: runs svc's own engine. */
export function createTorchParts(
  python: string,
  own: JobRunner,
  log: CloudDeps['log'],
): Pick<CloudDeps, 'runner' | 'readTorch'> {
  let facts: TorchFacts = { python };
  void probeTorch(python).then(found => {
    facts = found;
    const text = describeTorch(found);
    log({ message: found.problem == null ? `Jobs train with ${text}.` : `Jobs cannot train with ${text}` });
  });
  return { runner: createTorchRunner(python, own), readTorch: () => facts };
}

/** @internal */
export function createTorchRunner(python: string, own: JobRunner): JobRunner {
  return {
    start: (run, desk) => (run.engine === 'node' ? own.start(run, desk) : startAttempt(python, desk)),
    ...(own.close && { close: own.close }),
  };
}

function startAttempt(python: string, { prepare, record: onEvent, heldUp: onHeldUp }: AttemptDesk): JobRun {
  return startLater(async signal => {
    // To its end, since the next attempt prepares the same files.
    const file = await prepare();
    signal.throwIfAborted();
    return startTrainingProgram(toTorchProgram(python), file, { onEvent, onHeldUp });
  });
}
