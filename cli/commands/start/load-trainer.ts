// Loads the project's build into this process and returns its one trainer.
import { runAction } from '../../../lib/console/index.js';
import { loadService, type ServiceTrainer } from '../../../lib/sdk/index.js';
import { CommandError } from '../../command-error.js';
import { describeThrown } from './describe-thrown.js';

export async function loadTrainer(path: string): Promise<ServiceTrainer> {
  // Makes errors point to the project's sources, not to the build.
  process.setSourceMapsEnabled(true);
  const service = await loadService(path).catch(error => {
    throw describeThrown(error, 'The entry threw');
  });
  return requireTrainer(service);
}

/** Returns a project's one trainer, or throws an error that says what is missing. */
export function requireTrainer<T>(service: { trainer: T | null } | null): T {
  if (!service)
    throw new CommandError(
      'The entry exports no service.\nExport one: `export const service = createService({ trainer });`',
    );
  if (service.trainer) return service.trainer;
  const { message } = runAction({ trainer: null }) as { message: string };
  throw new CommandError(message);
}
