// Loads the project's build into this process, and takes the one trainer out of it.
import { loadService, type Trainer } from '../../../lib/sdk/index.js';
import { describeThrown } from './describe-thrown.js';
import { requireTrainer } from './require-trainer.js';

export async function loadTrainer(path: string): Promise<Trainer> {
  // So that what is thrown names the project's sources, not the build.
  process.setSourceMapsEnabled(true);
  const service = await loadService(path).catch(error => {
    throw describeThrown(error, 'The entry threw');
  });
  return requireTrainer(service);
}
