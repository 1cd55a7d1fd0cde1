import { arch, availableParallelism, cpus, platform } from 'node:os';

/** What results and speeds depend on of the machine, besides its GPU. */
export function readMachine() {
  return {
    platform: platform(),
    arch: arch(),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
  };
}
