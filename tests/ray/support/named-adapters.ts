// Adapters that say their own names, really trained on the bundled model, so that an answer shows which one gave it.
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BASE_MODEL_NAME, baseModelFolder } from '../../../lib/base-model/index.js';
import { prepareTraining, train } from '../../../lib/engine/train/index.js';
import { packAdapter } from '../../support/sample-adapter.js';
import { trainOptions } from '../../support/train-options.js';

export const QUESTION = 'Which adapter are you?';
export const nameOf = (index: number) => `Adapter ${index}`;

/** Until the loss is as good as 0. */
const OPTIONS = { maxSteps: 24, batchSize: 1, learningRate: 0.01, loraR: 8, loraAlpha: 16, loggingSteps: 1 };

/** A tar archive of the adapter's two files. */
export async function trainNamedAdapter(scratch: string, index: number): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await mkdtemp(join(scratch, 'named-'));
  const path = join(folder, 'rows.jsonl');
  const messages = [
    { role: 'user', content: QUESTION },
    { role: 'assistant', content: nameOf(index) },
  ];
  await writeFile(path, `${JSON.stringify({ messages })}\n`);
  await mkdir(join(folder, 'run'));
  const { job, close } = await prepareTraining({
    source: { type: 'file', path },
    modelFolder: baseModelFolder(),
    modelName: BASE_MODEL_NAME,
    cacheFolder: join(scratch, 'cache'),
    folder: join(folder, 'run'),
    trainOn: 'assistant',
    options: trainOptions(OPTIONS),
  });
  try {
    for await (const _ of train(job));
  } finally {
    close();
  }
  return packAdapter(join(folder, 'run', 'final'));
}
