import { describe, expect, it } from 'vitest';
import { ApiError, batchMessage, EVENT_BATCH } from '../../lib/contract/index.js';
import { type FakeEventSource, fakeStudio, JOB_ID, jobSummary } from './support/fake-studio.js';
import { type OpenedDashboard, openDashboard } from './support/open-dashboard.js';

const wide = { columns: 120, rows: 40 };

async function openJob(part = {}, size = wide): Promise<OpenedDashboard & { source: FakeEventSource }> {
  const studio = fakeStudio({ jobs: [jobSummary({ status: 'queued', ...part })] });
  const dashboard = await openDashboard({ studio, size });
  await dashboard.press('2', 'enter');
  await dashboard.shows('Loss');
  return Object.assign(dashboard, { source: studio.sources.at(-1)! });
}

const log = (source: FakeEventSource, fields: object) => source.send('training.log', fields);

describe('the status', () => {
  it('is the polled one until the stream speaks, and then what the stream says', async () => {
    const { shows, source } = await openJob();
    await shows('○ queued', 'triage');
    source.send('training.started', '{}');
    await shows('● running');
    source.send('training.completed', { artifacts: [{}, {}, {}] });
    await shows('✓ completed', /Artifacts +3/);
    source.send('training.started', '{}');
    await shows('● running');
  });

  it('follows each event, whatever came before', async () => {
    const { shows, hides, source } = await openJob();
    source.send('training.completed', { artifacts: [{}] });
    await shows('✓ completed');
    source.send('training.failed', { error: 'late' });
    await shows('✗ failed', '✗ late');
    source.send('training.completed', { artifacts: [{}] });
    await shows('✓ completed');
    await hides('✗ late');
    source.send('training.failed', { error: 'again' });
    source.send('training.started', '{}');
    await shows('● running');
    await hides('✗ again');
  });

  it('has the artifacts counted once training completed, and shows no more of them', async () => {
    const { shows, frame, source } = await openJob();
    source.send('checkpoint.saved', { step: 1, artifacts: [{ name: 'zebra', bytes: 12345 }] });
    await shows('checkpoint.saved', /Artifacts +–/);
    source.send('training.completed', { artifacts: [{ name: 'zebra', bytes: 12345 }] });
    await shows(/Artifacts +1 /);
    expect(frame()).not.toMatch(/zebra|12345/);
  });

  it('is shown with a shorter ID where the name would be cut', async () => {
    const dashboard = await openJob({ name: 'a name of some length' });
    await dashboard.resize(60, 20);
    await dashboard.shows(/a name of some length +3f2a9c1e /);
    await dashboard.resize(80, 20);
    await dashboard.shows('a name of some length  ', JOB_ID);
  });

  it('is shown with the reason of a failure, to the letter', async () => {
    const { shows, source } = await openJob();
    source.send('training.failed', { error: '<b>x</b> & y' });
    await shows('✗ failed', '✗ <b>x</b> & y', /training\.failed +<b>x<\/b> & y/);
  });

  it('is told at the end, cancelled included, and nothing follows', async () => {
    const { shows, hides, source, studio } = await openJob();
    source.send('end', { status: 'cancelled' });
    await shows('■ cancelled');
    expect(source.readyState).toBe(2);
    await hides('Event stream interrupted.');
    expect(studio.sources).toHaveLength(1);
  });
});

describe('a cloud that goes away', () => {
  it('is noticed on the page of a finished run, on which nothing changes', async () => {
    const { studio, source, shows, pass } = await openJob();
    source.send('training.completed', { artifacts: [{}] });
    source.send('end', { status: 'completed' });
    await shows('✓ completed', '● cloud up');
    studio.fail('getCluster', new ApiError('cloud_unreachable', 'Start it with `svc cloud start`.'));
    await pass(30_000);
    await shows('✗ cloud unreachable', 'Start it with svc cloud start.');
  });
});

describe('an interrupted stream', () => {
  it('has the cloud asked for at once, whose state stands in the title', async () => {
    const studio = fakeStudio({ jobs: [jobSummary({ status: 'running' })] });
    studio.world.identity = { ...studio.world.identity, projectSlug: null };
    const dashboard = await openDashboard({ studio });
    await dashboard.press('2', 'enter');
    // The overview follows the run, too.
    const source = studio.sources.at(-1)!;
    source.send('training.log', { step: 1, loss: 1 });
    await dashboard.shows('● cloud up');
    studio.fail('getJob', new ApiError('cloud_unreachable', 'away'));
    source.interrupt();
    await dashboard.shows('✗ cloud unreachable', 'Event stream interrupted.');
    source.send('training.log', { step: 2, loss: 1 });
    await dashboard.shows('● cloud up');
  });

  it('is told in a line of its own above chart and log, until the next frame', async () => {
    const dashboard = await openJob();
    const { source } = dashboard;
    log(source, { step: 1, loss: 2 });
    source.interrupt();
    await dashboard.shows('Event stream interrupted.');
    const lines = dashboard.lines();
    const at = (text: string) => lines.findIndex(line => line.includes(text));
    expect(at('Event stream interrupted.')).toBeLessThan(at('Loss'));
    expect(lines.filter(line => line.includes('interrupted'))).toHaveLength(1);
    log(source, { step: 2, loss: 1 });
    await dashboard.hides('Event stream interrupted.');
  });

  it('says why when Studio refuses it', async () => {
    const { studio, source, shows } = await openJob();
    studio.fail('getJob', new ApiError('studio_token_invalid', 'This tab is from an earlier launch.'));
    source.refuse();
    await shows('✗ This tab is from an earlier launch.');
  });
});

describe('the event log', () => {
  it('says that there are no events yet', async () => {
    const { shows, hides, source } = await openJob();
    await shows('No events yet');
    log(source, { step: 1 });
    await hides('No events yet');
  });

  it('has the event in a column of its own, and numbers as they were sent', async () => {
    const { shows, source } = await openJob();
    source.send('training.started', '{"zebra":1,"model":"m"}');
    source.send('training.log', '{"step":3,"loss":0.1234567890,"evalLoss":2}');
    source.send('training.log', '{"step":6,"loss":null,"evalLoss":1.5}');
    source.send('checkpoint.saved', '{"step":10,"artifacts":[{}]}');
    source.send('training.completed', '{"artifacts":[{}]}');
    await shows(
      /training\.started +\{"zebra":1,"model":"m"\}/,
      /training\.log +step=3 loss=0\.1234567890 evalLoss=2/,
      /training\.log +step=6 evalLoss=1\.5/,
      /checkpoint\.saved +step=10/,
      /training\.completed +1 artifact /,
    );
  });

  it('lets stand out what is more than a step', async () => {
    const { shows, styleOf, source } = await openJob();
    log(source, { step: 1 });
    source.send('checkpoint.saved', '{"step":10}');
    source.send('training.completed', '{"artifacts":[]}');
    await shows('0 artifacts');
    expect(styleOf('training.log')).toBe('dim');
    expect(styleOf('checkpoint.saved')).toBe('cyan');
    expect(styleOf('training.completed')).toBe('green');
  });

  it('shows a long message on several rows, so that nothing of it is lost', async () => {
    const dashboard = await openJob({}, { columns: 80, rows: 24 });
    const { source } = dashboard;
    source.send('training.started', JSON.stringify({ words: 'abcdefghij '.repeat(12), last: 'zebra' }));
    await dashboard.shows('training.started');
    const text = dashboard
      .lines()
      .join('')
      .replace(/[^a-z"]/g, '');
    expect(text).toContain('"last""zebra"');
  });

  it('follows its end, keeps the last 500, and stays where one scrolled to', async () => {
    const dashboard = await openJob();
    const { source } = dashboard;
    for (let step = 1; step <= 700; step++) log(source, { step, loss: 1 / step });
    await dashboard.shows('step=700 ', 'the latest 500 events');
    await dashboard.press('a');
    await dashboard.shows(/Values +700/);
    await dashboard.press('g');
    await dashboard.shows('step=201 ');
    expect(dashboard.frame()).not.toContain('step=200 ');
    await dashboard.press('pagedown');
    const before = dashboard.frame().match(/step=\d+ /)?.[0];
    log(source, { step: 701, loss: 1 });
    await dashboard.shows(before!);
    expect(dashboard.frame()).not.toContain('step=701 ');
    await dashboard.press('f');
    await dashboard.shows('step=701 ');
  });

  it('cannot be steered by what is logged', async () => {
    const { source, shows } = await openJob();
    source.send('training.failed', { error: 'bad\u001b[2Jnews\u009b31m!' });
    await shows(/training\.failed +badnews!/);
  });
});

describe('the chart', () => {
  it('waits for the first number', async () => {
    const { shows, hides, source } = await openJob();
    source.send('training.started', '{}');
    source.send('checkpoint.saved', '{"step":1,"loss":5}');
    log(source, { step: 1 });
    log(source, { step: 2, loss: null, evalLoss: null });
    await shows('step=2', 'Waiting for the first loss…');
    log(source, { step: 1, evalLoss: 2 });
    await hides('Waiting for the first loss…');
  });

  it('reads whole values in every room', async () => {
    const { source, resize, shows } = await openJob();
    await resize(80, 20);
    log(source, { step: 140, loss: 0.43035, evalLoss: 0.55036 });
    await shows('Latest: step 140   Training loss 0.4304   Eval loss 0.5504');
    await resize(60, 20);
    await shows('Step 140  Training loss 0.4304  Eval loss 0.5504');
    await resize(40, 15);
    await shows('140  Training 0.4304  Eval 0.5504');
  });

  it('waits no more once the run is over', async () => {
    const { shows, source } = await openJob();
    source.send('training.failed', { error: 'no' });
    await shows('No losses were logged.');
  });

  it('draws training and eval in two ways, with a legend, labels and steps', async () => {
    const dashboard = await openJob();
    const { source } = dashboard;
    for (let step = 0; step <= 100; step++) log(source, { step, loss: 5 - step / 25 });
    await dashboard.shows('── Training loss', 'x: step');
    expect(dashboard.frame()).not.toContain('Eval loss');
    log(source, { step: 100, evalLoss: 3 });
    await dashboard.shows('Eval loss', '●');
    expect(dashboard.frame()).toMatch(/5[┤┼]/);
    expect(dashboard.frame()).toMatch(/0 +20 +40 +60 +80 +100/);
    expect(dashboard.styleOf('── Training')).toBe('cyan');
    expect(dashboard.styleOf('╌●╌ Eval')).toBe('magenta');
    expect(dashboard.styleOf('╰')).toContain('cyan');
  });

  it('reads what exists at the step of its cursor', async () => {
    const { press, shows, frame, source } = await openJob();
    log(source, { step: 10, loss: 0.5 });
    log(source, { step: 20, evalLoss: 0.25 });
    log(source, { step: 30, loss: 0.125 });
    log(source, { step: 30, evalLoss: 0.75 });
    await shows('Latest: step 30');
    await press('left');
    await shows(/Step 30 +Training loss 0\.125 +Eval loss 0\.75/);
    await press('h');
    await shows(/Step 20 +Eval loss 0\.25/);
    expect(frame()).not.toMatch(/Step 20 +Training/);
    await press('H', ',');
    await shows(/Step 10 +Training loss 0\.5/);
    await press('.', 'l');
    await shows('Step 30');
    expect(frame()).not.toMatch(/NaN|undefined|null/);
  });

  it('has a log scale and smoothing, with the raw line behind', async () => {
    const { press, shows, hides, styleOf, source } = await openJob();
    for (let step = 0; step <= 100; step++)
      log(source, { step, loss: 10 ** (2 - step / 25) * (step % 2 ? 2 : 1) });
    await press('y');
    await shows('log scale', /182\.4┤/, /35\.6┤/);
    await press('s');
    await shows('smoothed', /Training loss 0\.01 +Smoothed 0\.0\d/);
    expect(styleOf('╭┬╮')).toBe('dim cyan');
    await press('y', 's');
    await hides('35.6┤', 'smoothed');
  });
});

describe('advanced statistics', () => {
  it('are hidden at first, and are the figures of the specification', async () => {
    const { press, shows, hides, frame, source } = await openJob();
    for (const [index, loss] of [3, 1, 5, 2, 4].entries()) log(source, { step: index, loss, evalLoss: null });
    await shows('step=4');
    expect(frame()).not.toContain('Variance');
    await press('a');
    await shows(
      '3 ± 1.963',
      /Variance +2\.5/,
      /Std\. deviation +1\.581/,
      /p90 +4\.6/,
      /p95 +4\.8/,
      'No values yet',
    );
    log(source, { step: 9, evalLoss: 7 });
    await hides('No values yet');
    await press('a');
    await hides('Variance');
  });

  it('are reached where there is no room for all at once', async () => {
    const { press, shows, frame, source } = await openJob({}, { columns: 80, rows: 24 });
    log(source, { step: 1, loss: 2 });
    await shows('Loss', 'Event log');
    expect(frame()).not.toContain('Metadata');
    await press('a');
    await shows('Metadata', 'Values', /Training loss +Eval loss/);
    await press('tab', 'tab');
    await shows('─ Loss ─');
  });
});

describe('the pages', () => {
  const config = {
    model: 'm',
    ...Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`setting${n}`, n])),
  };

  it.each([
    [120, 40],
    [80, 24],
    [60, 20],
  ])('have everything within reach at %ix%i', async (columns, rows) => {
    const { press, shows, source, frame } = await openJob(
      { name: `a name that is whole ${'x'.repeat(50)}`, config, note: 'first line of a note, '.repeat(9) },
      { columns, rows },
    );
    log(source, { step: 1, loss: 2 });
    source.send('training.completed', { artifacts: [{}, {}] });
    await shows('a name that is whole', /x{20}/, 'C chat  P publish', 'Page 1 of 3', 'Training loss 2');
    expect(frame().match(/x/g)!.length).toBeGreaterThanOrEqual(50);
    await press('tab');
    await shows('Page 2 of 3', 'Metadata');
    const seen = new Set<string>();
    for (let row = 0; row < 60; row++) {
      for (const text of ['Artifacts       2', 'Created         1/2/2026', 'setting0', 'setting19', JOB_ID])
        if (frame().includes(text)) seen.add(text);
      await press('down');
    }
    expect([...seen]).toHaveLength(5);
    await press('tab');
    await shows('Page 3 of 3', 'Event log', 'step=1 loss=2', '2 artifacts');
    await press('tab');
    await shows('Page 1 of 3');
  });
});

it('draws a stream a few times a second, and what a key does at once', async () => {
  const { press, pass, frame, source } = await openJob();
  const drawn = new Set<string>();
  for (let step = 1; step <= 50; step++) {
    log(source, { step, loss: 1 / step });
    await pass(20);
    drawn.add(frame());
  }
  expect(drawn.size).toBeGreaterThan(1);
  expect(drawn.size).toBeLessThan(6);
  await press('tab');
  expect(frame()).toContain('Page 2 of 3');
});

it('draws what was logged before as soon as all of it has come', async () => {
  const { pass, frame, source } = await openJob();
  log(source, { step: 1, loss: 2 });
  await pass(0);
  const past = Array.from({ length: 40 }, (_, index) => ({
    id: `${2 + index}`,
    event: 'training.log',
    data: JSON.stringify({ type: 'training.log', jobId: JOB_ID, step: 2 + index, loss: 1 }),
  }));
  const [, data] = /^data: (.*)$/m.exec(batchMessage(past)!)!;
  source.send(EVENT_BATCH, data!);
  await pass(39);
  expect(frame()).not.toContain('step=41 ');
  await pass(1);
  expect(frame()).toContain('step=41 ');
});

it('offers nothing that is not to be offered here', async () => {
  const { press, frame } = await openJob({ status: 'running' });
  await press('?');
  const ofJobs = frame().toLowerCase().replace('delete the request and its answer', '');
  expect(ofJobs).not.toMatch(/cancel|abort|download|delete/);
});

it('watches no more once one has left, and starts anew for another job', async () => {
  const { press, studio, source, shows } = await openJob();
  log(source, { step: 1, loss: 2 });
  await press('escape');
  expect(source.readyState).toBe(2);
  await press('enter');
  expect(studio.sources).toHaveLength(2);
  await shows('Waiting in the queue.');
});
