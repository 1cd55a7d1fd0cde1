// The playground beside what is specified: two models, retry, rows, and the way here from a finished run.
import { expect, it } from 'vitest';
import { fakeStudio, JOB_ID, jobSummary, nthJob } from './support/fake-studio.js';
import { measure, openDashboard } from './support/open-dashboard.js';

async function open(jobs = [jobSummary(), nthJob(2, { name: 'other' })]) {
  const studio = fakeStudio({ jobs });
  const saved: string[] = [];
  const dashboard = await openDashboard({
    studio,
    size: { columns: 120, rows: 30 },
    async saveRows(file, rows) {
      saved.push(`${file} ${rows}`);
      return file === 'no' ? 'Could not write no: it is a folder.' : null;
    },
  });
  await dashboard.press('3');
  const say = (index: number, text: string) => {
    studio.answers[index]!.give(text);
    studio.answers[index]!.end();
  };
  const requests = () =>
    studio.calls
      .filter(call => call.startsWith('chat '))
      .map(call => JSON.parse(call.slice(5)) as { adapter?: { jobId: string }; messages: object[] });
  /** Which were asked: the base model, or the adapter of a job. */
  const models = () => requests().map(({ adapter }) => adapter?.jobId ?? 'base');
  return { ...dashboard, studio, saved, say, requests, models };
}

it('a second model answers the same message beside the first, or below it where there is less room', async () => {
  const { press, shows, say, models, frame, resize } = await open();
  await press('b').shows('The second model answers from your next message on.', 'triage (job 3f2a9c1e)');
  await press('enter', 'hi', 'enter');
  say(0, 'I am base.');
  say(1, 'I am tuned.');
  await shows(/I am base\. +│.*I am tuned\./);
  expect(models()).toEqual(['base', JOB_ID]);
  await resize(80, 24)
    .shows('I am base.', 'I am tuned.')
    .hides(/I am base.*I am tuned/);
  expect(measure(frame()).columns).toBe(80);
});

it('a second model is another one at each press of B, and none at the next press of b', async () => {
  const { press, shows, say, models } = await open();
  await press('b', 'B').shows('other (job 00000002)');
  await press('B', 'b', 'enter', 'hi', 'enter');
  say(0, 'alone');
  await shows('alone').hides('other (job 00000002)');
  expect(models()).toEqual(['base']);
});

it('a second model goes on from what the first was asked before it came', async () => {
  const { press, shows, say, requests } = await open();
  await press('enter', 'hi', 'enter');
  say(0, 'hello');
  await shows('hello');
  await press('escape', 'b').shows(/hello +│.*hello/);
  await press('enter', 'ho', 'enter');
  const [, one, other] = requests();
  expect(one!.messages).toHaveLength(3);
  expect(other!.messages).toEqual(one!.messages);
});

it('a second model is not waited for once it is gone', async () => {
  const { press, shows, say, studio } = await open();
  await press('b', 'enter', 'hi', 'enter', 'escape', 'escape', 'a');
  say(2, 'alone');
  await shows('alone');
  await press('b', 'enter', 'ho', 'enter');
  expect(studio.count('chat')).toBe(5);
});

it('a second model is scrolled with the first', async () => {
  const { press, shows, say } = await open();
  await press('b', 'enter', 'count', 'enter');
  for (const index of [0, 1])
    say(index, Array.from({ length: 60 }, (_, n) => `line ${n} of ${index}.`).join('\n'));
  await shows('line 59 of 0.', 'line 59 of 1.');
  await press('pageup').hides('line 59 of 0.', 'line 59 of 1.');
  await press('escape', 'g').shows('line 0 of 0.', 'line 0 of 1.', 'Scrolled up. Press G to follow.');
});

it('a second model is not there without a completed job, and such a job does not lead here', async () => {
  const { press } = await open([jobSummary({ status: 'running' })]);
  await press('b').shows('there is no second model to ask');
  await press('2', 'enter').shows('Event log').hides('publish');
  await press('C', 'P').shows('Event log');
});

it('asks the last question again, of the model that is chosen now', async () => {
  const { press, shows, say, models } = await open();
  await press('enter', 'hi', 'enter');
  say(0, 'first try');
  await shows('first try');
  await press('escape', 'p', 'enter', 'a');
  say(1, 'second try');
  await shows('second try').hides('first try');
  expect(models()).toEqual(['base', JOB_ID]);
});

it('appends the answers to a file of rows', async () => {
  const { press, shows, say, saved } = await open();
  await press('s', 'enter', 'hi', 'enter');
  say(0, 'hello');
  await shows('hello');
  await press('escape', 's').shows('Append rows to:');
  await press('enter').shows('Appended to rows.jsonl.');
  const row = '{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"}]}';
  expect(saved).toEqual([`rows.jsonl ${row}\n`]);
  await press('s', 'ctrl-u', 'no', 'enter').shows('Could not write no: it is a folder.');
});

it('a finished run leads to a chat with its final adapter, where one can write at once, or to the endpoint form', async () => {
  const { press, studio, shows, models } = await open();
  await press('2', 'enter').shows('Event log');
  studio.sources.at(-1)!.send('training.completed', { artifacts: [{}] });
  await shows('✓ completed');
  await press('C').shows('● Adapter: triage');
  await press('hi', 'enter');
  expect(models()).toEqual([JOB_ID]);
  await press('escape', 'escape', 'p', 'j', 'enter', '?', 'escape');
  await shows('● Adapter: other', 'Press Enter to write a message.');
  await press('escape').shows('Event log');
  await press('C').shows('● Adapter: triage', '›');
  await press('escape', 'p', 'enter').shows('● Adapter: triage', 'Press Enter to write a message.');
  await press('escape').shows('Event log');
  await press('P').shows('New endpoint', 'Final adapter of a job', JOB_ID);
});

it('a finished run chooses its adapter, and fills in the endpoint form, once: not again for who comes back', async () => {
  const { press, studio, shows } = await open();
  await press('2', 'enter').shows('Event log');
  studio.sources.at(-1)!.send('training.completed', { artifacts: [{}] });
  await shows('✓ completed');
  await press('C').shows('● Adapter: triage');
  await press('escape', 'm').shows('● Base model');
  await press('2').shows('Jobs');
  await press('escape').shows('● Base model', 'Press Enter to write a message.');
  await press('escape').shows('Event log');
  await press('P').shows('New endpoint', JOB_ID);
  await press('escape').shows('No endpoints yet');
  await press('3').shows('● Base model');
  await press('escape').shows('No endpoints yet').hides('Final adapter of a job');
});
