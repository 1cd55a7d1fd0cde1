// The one trainer of a project, or what is missing for it to be run.
import { runAction } from '../../../lib/console/index.js';
import { CommandError } from '../../command-error.js';

export function requireTrainer<T>(service: { trainer: T | null } | null): T {
  if (!service)
    throw new CommandError(
      'The entry exports no service.\nExport one: `export const service = createService({ trainer });`',
    );
  if (service.trainer) return service.trainer;
  const { message } = runAction({ trainer: null }) as { message: string };
  throw new CommandError(message);
}
