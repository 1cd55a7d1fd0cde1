import { describe, expect, it } from 'vitest';
import { ApiError, LoggedSteps } from '../../lib/contract/index.js';
import { fakeStudio, JOB_ID, jobSummary } from './support/fake-studio.js';
import { openDashboard } from './support/open-dashboard.js';
import { openJob, WIDE } from './support/open-job.js';

const AWAY = new ApiError('cloud_unreachable', 'Start it with `svc cloud start`.');
const MEDIUM = { size: { columns: 80, rows: 24 } };

describe('the status', () => {
  it('is the polled one until the stream speaks, and then what each event says, with the reason of a failure to the letter', async () => {
    const { shows, source } = await openJob({ status: 'queued' });
    await shows('○ queued', 'triage');
    source.send('training.started', '{}');
    await shows('● running');
    source.send('checkpoint.saved', { step: 1, artifacts: [{ name: 'zebra', bytes: 12345 }] });
    await shows('checkpoint.saved', /Artifacts +–/);
    source.send('training.completed', { artifacts: [{ name: 'zebra', bytes: 12345 }, {}, {}] });
    await shows('✓ completed', /Artifacts +3 /).hides(/zebra|12345/);
    source.send('training.failed', { error: '<b>x</b> & y' });
    await shows('✗ failed', '✗ <b>x</b> & y', /training\.failed +<b>x<\/b> & y/);
    source.send('training.started', '{}');
    await shows('● running').hides('✗ <b>x');
  });

  it('is shown with a shorter ID where the name would be cut', async () => {
    const { resize } = await openJob({ name: 'a name of some length' });
    await resize(60, 20).shows(/a name of some length +3f2a9c1e /);
    await resize(80, 20).shows('a name of some length  ', JOB_ID);
  });

  it('is told at the end, cancelled included, and nothing follows', async () => {
    const { shows, source, studio } = await openJob({ status: 'queued' });
    source.send('end', { status: 'cancelled' });
    await shows('■ cancelled').hides('Event stream interrupted.');
    expect([source.readyState, studio.sources.length]).toEqual([2, 1]);
  });

  it('of the cloud is noticed on the page of a finished run, too, on which nothing changes', async () => {
    const { studio, source, shows, pass } = await openJob();
    source.send('training.completed', { artifacts: [{}] });
    source.send('end', { status: 'completed' });
    await shows('✓ completed', '● cloud up');
    studio.fail('getCluster', AWAY);
    await pass(30_000).shows('✗ cloud unreachable', 'Start it with svc cloud start.');
  });
});

it.each([{ columns: 80, rows: 24 }, ...[26, 27, 28, 29].map(rows => ({ columns: 120, rows }))])(
  'what a run waits for stands on its page once, below its name or in its details: $columns × $rows',
  async size => {
    const waitingFor = 'Waiting for the program that computes its rewards.';
    const { shows, press, frame } = await openJob({ status: 'running', waitingFor }, { size });
    await shows('● running', '─ Loss');
    const times = () =>
      frame()
        .replace(/[\s│]+/g, ' ')
        .split('for the program').length - 1;
    expect(times()).toBe(1);
    await press('\t').shows('─ Metadata');
    expect(times()).toBe(1);
  },
);

it('an interrupted stream is told once, above chart and log, until the next frame; the cloud is asked for at once', async () => {
  const { studio, source, log, shows, lines } = await openJob();
  log({ step: 1, loss: 1 });
  await shows('● cloud up');
  studio.fail('getJob', AWAY);
  source.interrupt();
  await shows('✗ cloud unreachable', 'Event stream interrupted.');
  const at = (text: string) => lines().findIndex(line => line.includes(text));
  expect(at('Event stream interrupted.')).toBeLessThan(at('─ Loss'));
  expect(lines().filter(line => line.includes('interrupted'))).toHaveLength(1);
  log({ step: 2, loss: 1 });
  await shows('● cloud up').hides('Event stream interrupted.');
});

it('an interrupted stream says why when Studio refuses it', async () => {
  const { studio, source, shows } = await openJob();
  studio.fail('getJob', new ApiError('studio_token_invalid', 'This tab is from an earlier launch.'));
  source.refuse();
  await shows('✗ This tab is from an earlier launch.');
});

describe('the event log', () => {
  it('has the event in a column of its own, numbers as they were sent, and lets stand out what is more than a step', async () => {
    const { shows, source, styleOf } = await openJob();
    await shows('No events yet');
    source.send('training.started', '{"zebra":1,"model":"m"}');
    source.send('training.log', '{"step":3,"loss":0.1234567890,"evalLoss":2}');
    source.send('checkpoint.saved', '{"step":10,"artifacts":[{}]}');
    source.send('training.completed', '{"artifacts":[{}]}');
    await shows(
      /training\.started +\{"zebra":1,"model":"m"\}/,
      /training\.log +step=3 loss=0\.1234567890 evalLoss=2/,
      /checkpoint\.saved +step=10/,
      /training\.completed +1 artifact /,
    ).hides('No events yet');
    const styles = ['training.log', 'checkpoint.saved', 'training.completed'].map(styleOf);
    expect(styles).toEqual(['dim', 'cyan', 'green']);
  });

  it('shows a long message on several rows, so that nothing of it is lost', async () => {
    const { source, shows, frame } = await openJob({}, MEDIUM);
    source.send('training.started', JSON.stringify({ words: 'abcdefghij '.repeat(12), last: 'zebra' }));
    await shows('training.started');
    expect(frame().replace(/[^a-z"]/g, '')).toContain('"last""zebra"');
  });

  it('follows its end, keeps the last 500, and stays where one scrolled to', async () => {
    const { log, press, shows, frame } = await openJob();
    for (let step = 1; step <= 700; step++) log({ step, loss: 1 / step });
    await shows('step=700 ', 'the latest 500 events');
    await press('a').shows(/Values +700/);
    await press('g').shows('step=201 ').hides('step=200 ');
    await press('pagedown');
    const before = frame().match(/step=\d+ /)![0];
    log({ step: 701, loss: 1 });
    await shows(before).hides('step=701 ');
    await press('f').shows('step=701 ');
  });

  it('stays where one scrolled to also where only some events are shown', async () => {
    const { log, source, press, shows, frame } = await openJob();
    const next = (from: number, to: number) => {
      for (let step = from; step <= to; step++)
        if (step % 11 === 0) source.send('sample.generated', { step, sample: 0, answer: `say ${step}.` });
        else log({ step, loss: 1 });
    };
    next(1, 700);
    await press('/', 'sample.generated', 'enter').shows('45 of the latest 500 events');
    await press('pageup');
    const before = frame().match(/say \d+\./)![0];
    next(701, 800);
    await shows(before).hides('say 792.');
    const first = frame().match(/say \d+\./)![0];
    expect(first).toBe(before);
    next(801, 1300);
    await shows('say 803.').hides(before);
  });

  it('cannot be steered by what is logged', async () => {
    const { source, shows } = await openJob();
    source.send('training.failed', { error: 'bad\u001b[2Jnews\u009b31m!' });
    await shows(/training\.failed +badnews!/);
  });
});

describe('the chart', () => {
  it('waits for the first number, but no more once the run is over', async () => {
    const { shows, hides, source, log } = await openJob();
    source.send('checkpoint.saved', '{"step":1,"loss":5}');
    log({ step: 2, loss: null, evalLoss: null });
    await shows('step=2', 'Waiting for the first loss…');
    source.send('training.failed', { error: 'no' });
    await shows('No losses were logged.');
    log({ step: 1, evalLoss: 2 });
    await hides('No losses were logged.');
  });

  it('reads whole values in every room', async () => {
    const { log, resize } = await openJob();
    log({ step: 140, loss: 0.43035, evalLoss: 0.55036 });
    await resize(80, 20).shows('Latest: step 140   Training loss 0.4304   Eval loss 0.5504');
    await resize(60, 20).shows('Step 140  Training loss 0.4304  Eval loss 0.5504');
    await resize(40, 15).shows('140  Training 0.4304  Eval 0.5504');
  });

  it('draws training and eval in two ways, with a legend, labels and steps', async () => {
    const { log, shows, styleOf } = await openJob();
    for (let step = 0; step <= 100; step++) log({ step, loss: 5 - step / 25 });
    await shows('── Training loss', 'x: step').hides('Eval loss');
    log({ step: 100, evalLoss: 3 });
    await shows('Eval loss', '●', /5[┤┼]/, /0 +20 +40 +60 +80 +100/);
    expect(['── Training', '╌●╌ Eval', '╰'].map(styleOf)).toEqual(['cyan', 'magenta', 'cyan']);
  });

  it('reads what exists at the step of its cursor', async () => {
    const { press, shows, log } = await openJob();
    log({ step: 10, loss: 0.5 });
    log({ step: 20, evalLoss: 0.25 });
    log({ step: 30, loss: 0.125 });
    log({ step: 30, evalLoss: 0.75 });
    await shows('Latest: step 30');
    await press('left').shows(/Step 30 +Training loss 0\.125 +Eval loss 0\.75/);
    await press('h').shows(/Step 20 +Eval loss 0\.25/);
    await press('H', ',').shows(/Step 10 +Training loss 0\.5/);
    await press('.', 'l')
      .shows('Step 30')
      .hides(/NaN|undefined|null/);
  });

  it('has a log scale and smoothing, with the raw line behind', async () => {
    const { press, styleOf, log } = await openJob();
    for (let step = 0; step <= 100; step++) log({ step, loss: 10 ** (2 - step / 25) * (step % 2 ? 2 : 1) });
    await press('y').shows('log scale', /182\.4┤/, /35\.6┤/);
    await press('s').shows('smoothed', /Training loss 0\.01 +Smoothed 0\.0\d/);
    expect(styleOf('╭┬╮')).toBe('dim cyan');
    await press('y', 's').hides('35.6┤', 'smoothed');
  });
});

it('advanced statistics are hidden at first, and are the figures of the specification', async () => {
  const { press, shows, hides, log } = await openJob();
  for (const [step, loss] of [3, 1, 5, 2, 4].entries()) log({ step, loss, evalLoss: null });
  await shows('step=4').hides('Variance');
  const figures = [/Variance +2\.5/, /Std\. deviation +1\.581/, /p90 +4\.6/, /p95 +4\.8/];
  await press('a').shows('3 ± 1.963', ...figures, 'No values yet');
  log({ step: 9, evalLoss: 7 });
  await hides('No values yet');
  await press('a').hides('Variance');
});

it('advanced statistics are reached where there is no room for all at once', async () => {
  const { press, shows, log } = await openJob({}, MEDIUM);
  log({ step: 1, loss: 2 });
  await shows('Loss', 'Event log').hides('Metadata');
  await press('a').shows('Metadata', 'Values', /Training loss +Eval loss/);
  await press('tab', 'tab').shows('─ Loss ─');
});

it('the job that it went on from is a key away', async () => {
  const from = { kind: 'final', jobId: '7b1c0d2e-0000-4000-8000-000000000002', step: 400 };
  const [own, earlier] = [
    jobSummary({ config: { model: 'm', from } } as object),
    jobSummary({ id: from.jobId, name: 'the earlier run' }),
  ];
  const { press } = await openDashboard({ studio: fakeStudio({ jobs: [own, earlier] }), size: WIDE });
  await press('2', 'enter').shows('From', '7b1c0d2e, step 400', 'F from');
  await press('F').shows('the earlier run', from.jobId).hides('7b1c0d2e, step 400');
  await press('F').shows('the earlier run').hides('F from');
});

describe('the page', () => {
  const settings = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`setting${n}`, n]));

  it.each([
    [120, 40],
    [80, 24],
    [60, 20],
  ])('has everything within reach at %ix%i', async (columns, rows) => {
    const name = `a name that is whole ${'x'.repeat(50)}`;
    const job = { name, config: { model: 'm', ...settings }, note: 'first line of a note, '.repeat(9) };
    const { press, shows, source, log, frame } = await openJob(job, { size: { columns, rows } });
    log({ step: 1, loss: 2 });
    source.send('training.completed', { artifacts: [{}, {}] });
    await shows('a name that is whole', /x{20}/, 'C chat  P publish', 'Page 1 of 3', 'Training loss 2');
    expect(frame().match(/x/g)!.length).toBeGreaterThanOrEqual(50);
    await press('tab').shows('Page 2 of 3', 'Metadata');
    const seen = new Set<string>();
    for (let row = 0; row < 60; row++) {
      for (const text of ['Artifacts       2', 'Created         1/2/2026', 'setting0', 'setting19', JOB_ID])
        if (frame().includes(text)) seen.add(text);
      await press('down');
    }
    expect([...seen]).toHaveLength(5);
    await press('tab').shows('Page 3 of 3', 'Event log', 'step=1 loss=2', '2 artifacts');
    await press('tab').shows('Page 1 of 3');
  });

  it('draws a stream a few times a second, and what a key does at once', async () => {
    const { press, pass, frame, log } = await openJob();
    const drawn = new Set<string>();
    for (let step = 1; step <= 50; step++) {
      log({ step, loss: 1 / step });
      await pass(20);
      drawn.add(frame());
    }
    expect(drawn.size).toBeGreaterThan(1);
    expect(drawn.size).toBeLessThan(6);
    await press('tab');
    expect(frame()).toContain('Page 2 of 3');
  });

  it('draws what was logged before as soon as all of it has come', async () => {
    const step = Array.from({ length: 41 }, (_, index) => 1 + index);
    const columns = { step, loss: step.map(() => 1) };
    const past = new LoggedSteps({ jobId: JOB_ID, first: 1, times: step, columns });
    const studio = fakeStudio({ jobs: [jobSummary({ status: 'running' })], log: [past] });
    const release = studio.hold('readJobLog');
    const { press, pass, frame } = await openDashboard({ studio, size: WIDE });
    await press('2', 'enter').shows('Loss');
    release();
    await pass(0);
    await pass(39);
    expect(frame()).not.toContain('step=41 ');
    await pass(1);
    expect(frame()).toContain('step=41 ');
  });

  it('offers nothing that is not to be offered here', async () => {
    const { press, frame } = await openJob();
    await press('?');
    const ofJobs = frame().toLowerCase().replace('delete the request and its answer', '');
    expect(ofJobs).not.toMatch(/cancel|abort|download|delete/);
  });

  it('watches no more once one has left, and starts anew for another job', async () => {
    const { press, studio, source, log } = await openJob({ status: 'queued' });
    log({ step: 1, loss: 2 });
    await press('escape');
    expect(source.readyState).toBe(2);
    await press('enter').shows('Waiting in the queue.');
    expect(studio.sources).toHaveLength(2);
  });
});

describe('a job that another provider trained', () => {
  const origin = {
    provider: 'openai',
    id: 'ftjob-abc',
    model: 'gpt-4.1-mini',
    fineTunedModel: 'ft:gpt:me::1',
  };

  it('says where it was trained and that its weights stay there, and offers neither chat nor publishing', async () => {
    const { shows, source } = await openJob({ status: 'completed', origin });
    await shows(/Origin +OpenAI gpt-4\.1-mini/, /Original ID +ftjob-abc/, /Model +ft:gpt:me::1/);
    await shows(/Adapter +stays at OpenAI/).hides(/publish/i);
    source.send('training.completed', { artifacts: [], imported: true });
    source.send('end', { status: 'completed' });
    await shows('✓ completed', /Artifacts +0/).hides(/publish/i);
  });

  it('offers both for a job of its own', async () => {
    const { shows } = await openJob({ status: 'completed' });
    await shows(/publish/i);
  });
});
