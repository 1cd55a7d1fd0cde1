// A small training task for the tiny model, in a folder of its own that is removed after the test.
import { join } from 'node:path';
import type { EngineEvent, TrainTask } from '../../../lib/engine/index.js';
import type { TrainOptions } from '../../../lib/engine/train/options.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { trainOptions } from '../../support/train-options.js';
import { tinyModel } from '../tiny-model.js';
import { chat, writeRows } from '../train/support.js';

export async function makeTask(
  options: Partial<TrainOptions> = {},
  rows: readonly object[] = ROWS,
): Promise<TrainTask> {
  const [folder, modelFolder] = [temporaryFolder('svc-task'), await tinyModel()];
  const path = join(folder, 'rows.jsonl');
  await writeRows(path, rows);
  return {
    jobId: 'job-1',
    request: {
      modelFolder,
      modelName: 'svc/tiny',
      source: { type: 'file', path },
      trainOn: 'assistant',
      options: trainOptions({ ...QUICK, ...options }),
      folder: join(folder, 'out'),
      cacheFolder: join(folder, 'cache'),
    },
  };
}

const QUICK = { loraR: 4, loraAlpha: 8, batchSize: 4, learningRate: 1e-2, maxSteps: 6, threads: 1 };
const ROWS = Array.from({ length: 10 }, (_, i) => chat(`say ${i}`, `the answer is ${i}`));

export const lossesIn = (events: readonly EngineEvent[]) =>
  events.flatMap(event => (event.type === 'training.log' ? [[event.step, event.loss] as const] : []));
