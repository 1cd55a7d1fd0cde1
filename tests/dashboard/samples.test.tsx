// What the model said at each checkpoint, in the place of a job's event log.
import { expect, it } from 'vitest';
import { fakeStudio, JOB_ID, jobSummary } from './support/fake-studio.js';
import { openDashboard } from './support/open-dashboard.js';

const ask = (content: string) => ({ messages: [{ role: 'user' as const, content }] });

async function openJob(size = { columns: 120, rows: 40 }, question = 'Where is my parcel?') {
  const config = { samples: [ask(question)] };
  const studio = fakeStudio({
    jobs: [Object.assign(jobSummary({ status: 'running', totalSteps: 100 }), { config })],
  });
  const dashboard = await openDashboard({ studio, size });
  await dashboard.press('2', 'enter');
  await dashboard.shows(JOB_ID);
  const source = studio.sources.at(-1);
  const answer = (step: number, text: string) =>
    source!.send('sample.generated', { step, sample: 0, answer: text, finishReason: 'stop' });
  return { ...dashboard, answer, source: source! };
}

it('the samples of the latest checkpoint take the place of the log, and others can be shown', async () => {
  const { answer, press, shows, frame } = await openJob();
  answer(0, 'I do not know.');
  answer(50, 'It is late.');
  await shows('step=50 sample=1');
  await press('S');
  await shows('Samples: Step 50 (2 of 2)', 'Where is my parcel?', 'It is late.');
  expect(frame()).not.toContain('Event log');
  await press('<');
  await shows('Samples: Base model (1 of 2)', 'I do not know.');
  await press('>');
  await shows('Samples: Step 50 (2 of 2)');
  await press('S');
  await shows('Event log');
});

it('the cursor of the chart moves along the checkpoints', async () => {
  const { answer, source, press, shows } = await openJob();
  for (const step of [1, 2, 3]) source.send('training.log', { step, loss: 1 / step });
  answer(1, 'early');
  answer(3, 'late');
  await shows('step=3 sample=1');
  await press('S', ',', ',', ',');
  await shows('Samples: Step 1 (1 of 2)', 'early');
});

it('a job without samples keeps its log', async () => {
  const { press, shows } = await openJob();
  await press('S');
  await shows('Event log');
});

it('is whole in a small terminal, if need be by scrolling', async () => {
  const { answer, press, shows, hides } = await openJob({ columns: 60, rows: 20 });
  answer(0, `first ${'a long answer '.repeat(60)} last`);
  answer(10, 'short');
  await shows('S samples');
  await press('S');
  await shows('Samples: Step 10 (2 of 2)', 'short', '< earlier');
  await press('<');
  await shows(
    'Samples: Base model (1 of 2)',
    'Where is my parcel?',
    'first a long answer',
    '> later',
    'lines 1–',
  );
  await press('pagedown', 'pagedown');
  await shows(/ last +│/);
  await hides('Where is my parcel?');
  await press('g');
  await shows('Where is my parcel?');
});

it('asks its question whole', async () => {
  const { answer, press, shows } = await openJob(undefined, `${'Where is it? '.repeat(30)}Anna`);
  answer(0, 'Here.');
  await shows('step=0 sample=1');
  await press('S');
  await shows(/Where is it\? Anna +│/, 'Here.');
});
