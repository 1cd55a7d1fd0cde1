// Runs jobs on this machine with PyTorch, each in a Python process, and those that ask for svc's own engine with that one.
import { describeTorch, type TorchFacts } from '../../contract/index.js';
import { startTrainingProgram } from '../../engine/index.js';
import type { CloudDeps } from '../deps.js';
import type { AttemptDesk, JobRunner } from '../seams/runner.js';
import { type ChooseDevice, createDeviceStarter, type GpuTurns } from './devices.js';
import { probeTorch, toTorchProgram } from './python.js';

interface TorchParts {
  python: string;
  /** Runs svc's own engine. */
  own: JobRunner;
  gpuTurns: GpuTurns;
  log: CloudDeps['log'];
}

/** Checks the Python meanwhile. */
export function createTorchParts({
  python,
  own,
  gpuTurns,
  log,
}: TorchParts): Pick<CloudDeps, 'runner' | 'readTorch'> {
  let facts: TorchFacts = { python };
  const probed = probeTorch(python).then(found => {
    facts = found;
    const text = describeTorch(found);
    log({ message: found.problem == null ? `Jobs train with ${text}.` : `Jobs cannot train with ${text}` });
  });
  const choose: ChooseDevice = async ({ waitsFor }) => {
    if (facts.torch === undefined && facts.problem == null) waitsFor('PyTorch is being checked.');
    await probed;
    waitsFor(null);
    return { type: facts.gpu == null ? 'cpu' : 'gpu' };
  };
  const runner = createTorchRunner(python, own, createDeviceStarter(choose, gpuTurns));
  return { runner, readTorch: () => facts };
}

/** @internal */
export function createTorchRunner(
  python: string,
  own: JobRunner,
  startOnDevice = createDeviceStarter(async () => ({ type: 'cpu' })),
): JobRunner {
  const startOne = ({ prepare, record: onEvent, waitsFor, heldUp: onHeldUp, scoreRows }: AttemptDesk) =>
    startOnDevice({ onEvent, waitsFor }, async (_, listen, signal) => {
      // To its end, since the next attempt prepares the same files.
      const file = await prepare();
      signal.throwIfAborted();
      const listener = { onEvent: listen, onHeldUp, score: scoreRows };
      return startTrainingProgram(toTorchProgram(python), file, listener);
    });
  return {
    start: (run, desk) => (run.engine === 'node' ? own.start(run, desk) : startOne(desk)),
    ...(own.close && { close: own.close }),
  };
}
