// svc verify of a run whose rewards came from a function of its project.
import { expect, it } from 'vitest';
import { completed, ended, log, started } from '../support/job-events.js';
import { entryOf, failure, projectOfEach } from '../support/project.js';

const project = projectOfEach({ isLinked: true, entry: entryOf({ name: 'other' }) });

it('is refused before anything is trained where no trainer has the function', async () => {
  const config = { method: { type: 'grpo', reward: { type: 'function' } } } as never;
  const events = [started(), log({ step: 1, loss: 0.1, reward: 0.5 }), completed(), ended()];
  const { job } = project.addJob({ status: 'completed', name: 'sums', config }, events);
  expect(await project.svc(`verify ${job.id}`)).toMatchObject(
    failure(
      1,
      `Job ${job.id} gets its rewards from its trainer, and the trainer other has no reward function. Build the entry of the trainer that started it with "svc build ENTRY", then run "svc verify" again.`,
    ),
  );
  expect(project.cloud.jobs).toHaveLength(1);
});
