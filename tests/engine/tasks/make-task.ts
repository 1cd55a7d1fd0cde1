// A small training task for the tiny model, in a folder of its own that is removed after the test.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { EngineEvent, TrainTask } from '../../../lib/engine/index.js';
import { makeModelFolder } from '../../support/tiny-model.js';

export async function makeTask(
  options: TrainTask['request']['options'] = {},
  rows: readonly string[] = ROWS,
): Promise<TrainTask> {
  const [folder, modelFolder] = await Promise.all([mkdtemp(join(tmpdir(), 'svc-task-')), makeModelFolder()]);
  onTestFinished(async () => {
    for (const path of [folder, modelFolder]) await rm(path, { recursive: true, force: true });
  });
  const path = join(folder, 'rows.jsonl');
  await writeFile(path, rows.join('\n'));
  return {
    jobId: 'job-1',
    request: {
      modelFolder,
      modelName: 'svc/tiny',
      source: { type: 'file', path },
      trainOn: 'assistant',
      options: { rank: 4, alpha: 8, batchSize: 4, learningRate: 1e-2, maxSteps: 6, threads: 1, ...options },
      folder: join(folder, 'out'),
      cacheFolder: join(folder, 'cache'),
    },
  };
}

const ROWS = Array.from({ length: 10 }, (_, i) =>
  JSON.stringify({
    messages: [
      { role: 'user', content: `say ${i}` },
      { role: 'assistant', content: `the answer is ${i}` },
    ],
  }),
);

export const lossesIn = (events: readonly EngineEvent[]) =>
  events.flatMap(({ type, step, loss }) => (type === 'training.log' ? [[step, loss]] : []));
