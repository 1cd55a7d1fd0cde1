// The scores of a job's adapters: in the chart's place, in the facts, and also when they come after the end.
import { expect, it } from 'vitest';
import { fakeStudio, JOB_ID, jobSummary } from './support/fake-studio.js';
import { openDashboard } from './support/open-dashboard.js';

it('scores are the first chart after the loss, and decide what is the best', async () => {
  const config = { evals: ['tone'], bestBy: { score: 'tone' } };
  const job = Object.assign(jobSummary({ status: 'running', totalSteps: 100 }), { config });
  const studio = fakeStudio({ jobs: [job] });
  const { press, shows, frame } = await openDashboard({ studio, size: { columns: 120, rows: 40 } });
  await press('2', 'enter');
  await shows(JOB_ID);
  const source = studio.sources.at(-1)!;
  source.send('training.started', { totalSteps: 100, model: 'm', dataset: 'd' });
  source.send('training.log', { step: 50, loss: 1, evalLoss: 2, learningRate: 0.1 });
  source.send('score.recorded', { step: 25, name: 'tone', value: 7.5 });
  source.send('score.recorded', { step: 50, name: 'tone', value: 3.25 });
  await shows('step=50 tone=3.25', 'Best score', 'tone 7.5 at step 25', 'Scores', 'tone 3.25');
  expect(frame()).not.toContain('Best eval loss');
  await press('m');
  await shows('─ tone ─', '─◆─ tone', 'Latest: step 50   tone 3.25');
  expect(frame()).not.toContain('╌');
  await press('m');
  await shows('─ Learning rate ─');
});

it('a score of the final adapter is there although it was reported after the end', async () => {
  const config = { evals: ['tone'] };
  const completedAt = new Date().toISOString();
  const job = Object.assign(jobSummary({ status: 'completed', totalSteps: 100, completedAt }), { config });
  const studio = fakeStudio({ jobs: [job] });
  const { press, shows, pass } = await openDashboard({ studio, size: { columns: 120, rows: 40 } });
  await press('2', 'enter');
  await shows(JOB_ID);
  const source = studio.sources.at(-1)!;
  source.send('training.started', { totalSteps: 100, model: 'm', dataset: 'd' });
  source.send('end', { status: 'completed' });
  await shows('completed');
  Object.assign(job, { scores: [{ step: 100, name: 'tone', value: 4.5 }] });
  await pass(5000);
  await shows('tone 4.5');
});
