// Loads the project's build into this process and returns its one trainer.
import { loadService, type Trainer } from '../../../lib/sdk/index.js';
import { describeThrown } from './describe-thrown.js';
import { requireTrainer } from './require-trainer.js';

export async function loadTrainer(path: string): Promise<Trainer> {
  // Makes errors point to the project's sources, not to the build.
  process.setSourceMapsEnabled(true);
  const service = await loadService(path).catch(error => {
    throw describeThrown(error, 'The entry threw');
  });
  return requireTrainer(service);
}
