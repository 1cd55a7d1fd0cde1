// Returns a project's one trainer, or throws an error that says what is missing.
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
