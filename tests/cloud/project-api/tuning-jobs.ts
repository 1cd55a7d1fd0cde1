// Fine-tuning jobs of a project's cloud, as a client asks for them and a trainer runs them.
import { until } from '../../support/until.js';
import { MODEL, type ProjectCloud, rowsFile } from './project-cloud.js';

export async function uploadRows(
  { openai }: ProjectCloud,
  ...file: Parameters<typeof rowsFile>
): Promise<string> {
  return (await openai.files.create({ file: rowsFile(...file), purpose: 'fine-tune' })).id;
}

/** svc's own ID of a job that a client created. */
export const toSvcId = (id: string) => id.replace(/^ftjob-/, '');

export async function createTuning(cloud: ProjectCloud, more: object = {}) {
  const training_file = await uploadRows(cloud);
  return cloud.openai.fineTuning.jobs.create({ model: MODEL, training_file, ...more });
}

/** Runs the next job for two steps, with a checkpoint at the first, to its end. */
export async function completeTuning({ runner, openai }: ProjectCloud, id: string): Promise<void> {
  const run = await runner.next();
  run.started({ totalSteps: 2, trainTokens: 100 });
  const rates = { learningRate: 0.0002, tokensPerSecond: 9 };
  await run.tell('training.log', { step: 1, loss: 0.5, evalLoss: 0.75, epoch: 0.5, ...rates });
  await run.checkpoint(1);
  await run.tell('training.log', { step: 2, loss: 0.25, epoch: 1, ...rates });
  await run.complete(2);
  await until(async () => (await openai.fineTuning.jobs.retrieve(id)).status).toBe('succeeded');
}
