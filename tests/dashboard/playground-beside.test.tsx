// The playground beside what is specified: two models, retry, rows, and the way here from a finished run.
import { describe, expect, it } from 'vitest';
import { fakeStudio, JOB_ID, jobSummary, nthJob } from './support/fake-studio.js';
import { measure, openDashboard } from './support/open-dashboard.js';

const OTHER = nthJob(2, { name: 'other' });

async function open(size = { columns: 120, rows: 30 }, jobs = [jobSummary(), OTHER]) {
  const studio = fakeStudio({ jobs });
  const saved: string[] = [];
  const dashboard = await openDashboard({
    studio,
    size,
    async saveRows(file, rows) {
      saved.push(`${file} ${rows}`);
      return file === 'no' ? 'It is a folder.' : null;
    },
  });
  await dashboard.press('3');
  const say = (index: number, text: string) => {
    studio.answers[index]!.give(text);
    studio.answers[index]!.end();
  };
  const models = () =>
    studio.calls
      .filter(call => call.startsWith('chat '))
      .map(call => JSON.parse(call.slice(5)) as { adapter?: { jobId: string }; baseModel?: string })
      .map(({ adapter, baseModel }) => adapter?.jobId ?? baseModel);
  return { ...dashboard, studio, saved, say, models };
}

describe('a second model', () => {
  it('answers the same message beside the first, or below it where there is less room', async () => {
    const { press, shows, say, models, frame, resize } = await open();
    await press('b');
    await shows('The second model answers from your next message on.', `triage (job ${JOB_ID.slice(0, 8)})`);
    await press('enter', 'hi', 'enter');
    say(0, 'I am base.');
    say(1, 'I am tuned.');
    await shows(/I am base\. +│.*I am tuned\./);
    expect(models()).toEqual(['svc/tiny-instruct', JOB_ID]);
    await resize(80, 24);
    await shows('I am base.', 'I am tuned.');
    expect(frame()).not.toMatch(/I am base.*I am tuned/);
    expect(measure(frame()).columns).toBe(80);
  });

  it('is another one at each press of B, and none at the next press of b', async () => {
    const { press, shows, hides, say, models } = await open();
    await press('b', 'B');
    await shows('other (job 00000002)');
    await press('B', 'b', 'enter', 'hi', 'enter');
    say(0, 'alone');
    await shows('alone');
    expect(models()).toEqual(['svc/tiny-instruct']);
    await hides('other (job 00000002)');
  });

  it('goes on from what the first was asked before it came', async () => {
    const { press, shows, say, studio } = await open();
    await press('enter', 'hi', 'enter');
    say(0, 'hello');
    await shows('hello');
    await press('escape', 'b');
    await shows(/hello +│.*hello/);
    await press('enter', 'ho', 'enter');
    const asked = studio.calls
      .filter(call => call.startsWith('chat '))
      .map(call => JSON.parse(call.slice(5)));
    expect(asked).toHaveLength(3);
    expect(asked[2].messages).toEqual(asked[1].messages);
  });

  it('is not waited for once it is gone', async () => {
    const { press, shows, say, studio } = await open();
    await press('b', 'enter', 'hi', 'enter', 'escape', 'escape', 'a');
    say(2, 'alone');
    await shows('alone');
    await press('b', 'enter', 'ho', 'enter');
    expect(studio.count('chat')).toBe(5);
  });

  it('is scrolled with the first', async () => {
    const { press, shows, hides, say } = await open();
    await press('b', 'enter', 'count', 'enter');
    for (const index of [0, 1])
      say(index, Array.from({ length: 60 }, (_, n) => `line ${n} of ${index}.`).join('\n'));
    await shows('line 59 of 0.', 'line 59 of 1.');
    await press('pageup');
    await hides('line 59 of 0.', 'line 59 of 1.');
    await press('escape', 'g');
    await shows('line 0 of 0.', 'line 0 of 1.', 'Scrolled up. Press G to follow.');
  });

  it('is not there without a completed job', async () => {
    const { press, shows } = await open(undefined, [jobSummary({ status: 'running' })]);
    await press('b');
    await shows('there is no second model to ask');
  });
});

it('asks the last question again, of the model that is chosen now', async () => {
  const { press, shows, hides, say, models } = await open();
  await press('enter', 'hi', 'enter');
  say(0, 'first try');
  await shows('first try');
  await press('escape', 'p', 'enter', 'a');
  say(1, 'second try');
  await shows('second try');
  await hides('first try');
  expect(models()).toEqual(['svc/tiny-instruct', JOB_ID]);
});

it('appends the answers to a file of rows', async () => {
  const { press, shows, say, saved } = await open();
  await press('s', 'enter', 'hi', 'enter');
  say(0, 'hello');
  await shows('hello');
  await press('escape', 's');
  await shows('Append rows to:');
  await press('enter');
  await shows('Appended to rows.jsonl.');
  expect(saved).toEqual([
    'rows.jsonl {"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"}]}\n',
  ]);
  await press('s', 'ctrl-u', 'no', 'enter');
  await shows('Could not write no: It is a folder.');
});

describe('a finished run', () => {
  const finished = async () => {
    const opened = await open();
    await opened.press('2', 'enter');
    await opened.shows('Event log');
    opened.studio.sources.at(-1)!.send('training.completed', { artifacts: [{}] });
    await opened.shows('✓ completed');
    return opened;
  };

  it('leads to a chat with its final adapter, where one can write at once', async () => {
    const { press, shows, models } = await finished();
    await press('C');
    await shows('● Adapter: triage');
    await press('hi', 'enter');
    expect(models()).toEqual([JOB_ID]);
    await press('escape', 'escape', 'p', 'j', 'enter', '?', 'escape');
    await shows('● Adapter: other', 'Press Enter to write a message.');
    await press('escape');
    await shows('Event log');
    await press('C');
    await shows('● Adapter: triage', '›');
    await press('escape', 'p', 'enter');
    await shows('● Adapter: triage', 'Press Enter to write a message.');
  });

  it('leads to the endpoint form, filled in with its final adapter', async () => {
    const { press, shows } = await finished();
    await press('P');
    await shows('New endpoint', 'Final adapter of a job', JOB_ID);
  });

  it('offers neither while it runs', async () => {
    const { press, shows, hides } = await open(undefined, [jobSummary({ status: 'running' })]);
    await press('2', 'enter');
    await shows('Event log');
    await hides('publish');
    await press('C', 'P');
    await shows('Event log');
  });
});
