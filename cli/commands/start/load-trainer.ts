// Loads the project's build into this process, and takes the one trainer out of it.
import { runAction } from '../../../lib/console/index.js';
import { loadService, type Trainer } from '../../../lib/sdk/index.js';
import { CommandError } from '../../command-error.js';
import { describeThrown } from './describe-thrown.js';

export async function loadTrainer(path: string): Promise<Trainer> {
  // So that what is thrown names the project's sources, not the build.
  process.setSourceMapsEnabled(true);
  const service = await loadService(path).catch(error => {
    throw describeThrown(error, 'The entry threw');
  });
  if (!service)
    throw new CommandError(
      'The entry exports no service.\nExport one: `export const service = createService({ trainer });`',
    );
  if (service.trainer) return service.trainer;
  const { message } = runAction({ trainer: null }) as { message: string };
  throw new CommandError(message);
}
