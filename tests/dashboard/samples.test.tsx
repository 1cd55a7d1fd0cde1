// What the model said at each checkpoint, in the place of a job's event log, and how its adapters scored.
import { it } from 'vitest';
import type { Job } from '../../lib/contract/index.js';
import { openJob } from './support/open-job.js';

const asking = (content: string): Partial<Job> => ({
  config: { samples: [{ messages: [{ role: 'user', content }] }] },
});
const PARCEL = asking('Where is my parcel?');

it('the samples of the latest checkpoint take the place of the log, and others can be shown', async () => {
  const { answer, press, shows } = await openJob(PARCEL);
  await press('S').shows('Event log');
  answer(0, 'I do not know.');
  answer(50, 'It is late.');
  await shows('step=50 sample=1');
  await press('S')
    .shows('Samples: Step 50 (2 of 2)', 'Where is my parcel?', 'It is late.')
    .hides('Event log');
  await press('<').shows('Samples: Base model (1 of 2)', 'I do not know.');
  await press('>').shows('Samples: Step 50 (2 of 2)');
  await press('S').shows('Event log');
});

it('the samples follow the run again once one is back at the latest', async () => {
  const { answer, press, shows } = await openJob(PARCEL);
  answer(0, 'I do not know.');
  answer(50, 'It is late.');
  await shows('step=50 sample=1');
  await press('S').shows('Samples: Step 50 (2 of 2)');
  await press('<').shows('Samples: Base model (1 of 2)');
  answer(60, 'It is near.');
  await shows('Samples: Base model (1 of 3)');
  await press('>', '>').shows('Samples: Step 60 (3 of 3)');
  answer(70, 'It is here.');
  await shows('Samples: Step 70 (4 of 4)', 'It is here.');
});

it('the cursor of the chart moves along the checkpoints, and back at its end they follow the run', async () => {
  const { answer, log, press, shows } = await openJob(PARCEL);
  for (const step of [1, 2, 3]) log({ step, loss: 1 / step });
  answer(1, 'early');
  answer(3, 'late');
  await shows('step=3 sample=1');
  await press('S', ',', ',', ',').shows('Samples: Step 1 (1 of 2)', 'early');
  await press('.', '.').shows('Samples: Step 3 (2 of 2)', 'Step 3 ');
  log({ step: 4, loss: 0.2 });
  answer(4, 'later');
  // The cursor stays where it was put.
  await shows('Samples: Step 4 (3 of 3)', 'Step 3 ');
});

it('is whole in a small terminal, if need be by scrolling', async () => {
  const { answer, press, shows } = await openJob(PARCEL, { size: { columns: 60, rows: 20 } });
  answer(0, `first ${'a long answer '.repeat(60)} last`);
  answer(10, 'short');
  await shows('S samples');
  await press('S').shows('Samples: Step 10 (2 of 2)', 'short', '< earlier');
  await press('<').shows('Base model (1 of 2)', 'Where is my', 'first a long answer', '> later', 'lines 1–');
  await press('pagedown', 'pagedown')
    .shows(/ last +│/)
    .hides('Where is my parcel?');
  await press('g').shows('Where is my parcel?');
});

it('samples that are chosen are shown from every page, and the log only in their place', async () => {
  const { answer, press, shows } = await openJob(PARCEL, { size: { columns: 60, rows: 20 } });
  answer(10, 'It is late.');
  await shows('S samples');
  await press('S').shows('Page 3 of 3', 'Samples: Step 10');
  for (const [pages, place] of [
    [['tab'], 'Page 1 of 3'],
    [['tab', 'tab'], 'Page 2 of 3'],
  ] as const) {
    await press(...pages).shows(place);
    await press('S').shows('Page 3 of 3', 'Samples: Step 10');
  }
  await press('S').shows('Page 3 of 3', 'Event log');
});

it('asks its question whole', async () => {
  const { answer, press, shows } = await openJob(asking(`${'Where is it? '.repeat(30)}Anna`));
  answer(0, 'Here.');
  await shows('step=0 sample=1');
  await press('S').shows(/Where is it\? Anna +│/, 'Here.');
});

it('scores are the first chart after the loss, and decide what is the best', async () => {
  const config = { evals: ['tone'], bestBy: { score: 'tone' } };
  const { source, log, press, shows } = await openJob({ config });
  log({ step: 50, loss: 1, evalLoss: 2, learningRate: 0.1 });
  source.send('score.recorded', { step: 25, name: 'tone', value: 7.5 });
  source.send('score.recorded', { step: 50, name: 'tone', value: 3.25 });
  await shows('step=50 tone=3.25', 'Best score', 'tone 7.5 at step 25', 'Scores', 'tone 3.25');
  await press('m').shows('─ tone ─', '─◆─ tone', 'Latest: step 50   tone 3.25').hides('╌', 'Best eval loss');
  await press('m').shows('─ Learning rate ─');
});

it('a score of the final adapter is there although it was reported after the end', async () => {
  const ended = { status: 'completed', completedAt: new Date().toISOString(), totalSteps: 100 } as const;
  const { source, studio, shows, pass } = await openJob({ ...ended, config: { evals: ['tone'] } });
  source.send('training.started', { totalSteps: 100, model: 'm', dataset: 'd' });
  source.send('end', { status: 'completed' });
  await shows('completed');
  Object.assign(studio.world.jobs[0]!, { scores: [{ step: 100, name: 'tone', value: 4.5 }] });
  await pass(5000).shows('tone 4.5');
});
