import { expect, it } from 'vitest';
import { displayWidth } from '../../lib/console/index.js';
import { ApiError, JOB_STATUSES } from '../../lib/contract/index.js';
import { sampleModelFacts } from '../support/sample-overview.js';
import { fakeStudio, JOB_ID, jobSummary, nthJob } from './support/fake-studio.js';
import { openDashboard } from './support/open-dashboard.js';

const open = async (jobs = [jobSummary()], size = { columns: 100, rows: 30 }) => {
  const dashboard = await openDashboard({ studio: fakeStudio({ jobs }), size });
  await dashboard.press('3');
  return dashboard;
};
const lastRequest = (calls: readonly string[]) =>
  JSON.parse(calls.findLast(call => call.startsWith('chat '))!.slice(5)) as Record<string, unknown>;
const asked = (content: string) => ({ role: 'user', content });

it('chats with the base model: what comes is shown as it comes, and is sent along with the next message', async () => {
  const { studio, shows, press } = await open();
  await shows('● Base model: svc/tiny-instruct', 'no job selected');
  await press('enter', 'Who are you?', 'enter');
  const base = { baseModel: 'svc/tiny-instruct', temperature: 0.7, stream: true };
  expect(lastRequest(studio.calls)).toEqual({ messages: [asked('Who are you?')], ...base });
  studio.said.give('A small ');
  await shows('Who are you?', 'A small ▍');
  studio.said.give('model.\nTwo lines.');
  studio.said.end();
  await shows('A small model.', 'Two lines.', 'svc/tiny-instruct').hides('▍');
  await press('two', 'enter');
  const answered = { role: 'assistant', content: 'A small model.\nTwo lines.' };
  const messages = [asked('Who are you?'), answered, asked('two')];
  expect(lastRequest(studio.calls)).toEqual({ messages, ...base });
});

it('folds what the model thinks into a line, which a key opens', async () => {
  const { studio, shows, press, hides } = await open();
  await press('enter', 'Hi', 'enter');
  studio.said.give({ thought: 'Let me see.' });
  await shows('Thinking: 11 characters').hides('Let me see.');
  studio.said.give('Hello.');
  studio.said.end();
  await shows('Thought: 11 characters', 'Hello.');
  await press('escape', 't').shows('Let me see.', 'Hello.');
  await press('t');
  await hides('Let me see.');
});

it('leaves out who does not answer before it cuts who does', async () => {
  const { press, resize } = await open([jobSummary({ name: 'a-name-of-forty-characters-that-is-not-cut' })]);
  await press('p', 'enter');
  await resize(120, 30).shows('○ Base model: svc/tiny-instruct    ● Adapter: a-name');
  await resize(80, 24).shows('○ Base model    ● Adapter: a-name-of-forty-characters-that-is-not-cut (j');
  await press('m');
  await resize(60, 20).shows(/● Base model: svc\/tiny-instruct {4}○ Adapter *\n/);
  await resize(40, 16).shows(/● Base model {4}○ Adapter *\n/);
});

it('offers every completed job and no other, and sends its final adapter', async () => {
  const others = JOB_STATUSES.map((status, n) => nthJob(n, { status, name: `a-${status}-one` }));
  const { press, hides, studio } = await open([...others, jobSummary({ name: 'mine' })]);
  await press('m').shows('Completed jobs', 'a-completed-one', 'mine · 3f2a9c1e');
  await hides(/a-(queued|running|failed|cancelled)-one/);
  await press('j', 'enter').shows('● Adapter: mine (job 3f2a9c1e)');
  await press('i', 'hi', 'enter');
  const adapter = { kind: 'final', jobId: JOB_ID };
  expect(lastRequest(studio.calls)).toEqual({
    messages: [asked('hi')],
    adapter,
    temperature: 0.7,
    stream: true,
  });
});

it.each(['p', 'm'])(
  'says so when no job is completed and %s asks for one, and offers one that completes',
  async key => {
    const job = jobSummary({ name: 'mine', status: 'running' });
    const { press, studio, pass } = await open([job], { columns: 80, rows: 24 });
    await press(key).shows('Completed jobs', 'No completed jobs yet');
    studio.world.jobs = [{ ...job, status: 'completed' }];
    await pass(5000).shows('mine', '1 completed job');
  },
);

it('takes no message for an adapter while no job is chosen, and says so', async () => {
  const { press } = await open();
  await press('m', 'escape').shows('Press p to choose a job.').hides('Press Enter to write a message.');
  await press('enter').shows('No job selected. Press p');
  await press('p', 'enter', 'enter', 'hi').shows('› hi');
});

it('stops an answer and keeps what came of it', async () => {
  const { press, studio, shows } = await open();
  await press('enter', 'go on', 'enter');
  studio.said.give('once upon');
  await shows('once upon');
  await press('escape').shows('once upon', 'Stopped.');
  await press('again', 'enter');
  studio.answers[0]!.give(' a time');
  studio.said.give('anew');
  await shows('anew').hides('a time');
});

it('shows why there was no answer, and whatever is said goes on', async () => {
  const { press, studio, shows } = await open();
  studio.fail('chat', new ApiError('engine_busy', 'The engine is busy. Try again.'));
  await press('enter', 'hi', 'enter').shows('The engine is busy. Try again.');
  studio.fail('chat');
  await press('again', 'enter');
  studio.said.give('now');
  await shows('now');
});

it('asks nothing while an answer is coming, nor without words', async () => {
  const { press, studio, shows } = await open();
  await press('enter', '   ', 'enter');
  expect(studio.count('chat')).toBe(0);
  await press('ctrl-u', 'one', 'enter', 'two', 'enter');
  expect(studio.count('chat')).toBe(1);
  await shows('› two');
});

it('keeps a message that was not sent, and takes a paste as one message and never as commands', async () => {
  const { press, paste, studio } = await open();
  await paste('R1q').shows('Conversation');
  await press('enter', 'half', 'escape', '1', '3', 'enter').shows('› half');
  await press('ctrl-u');
  await paste('two\nlines\n').shows('› two lines');
  expect([studio.count('chat'), studio.count('startTraining')]).toEqual([0, 0]);
});

it('scrolls a long conversation, copies the last answer, and begins a new one', async () => {
  const { press, studio, shows, copied } = await open([], { columns: 80, rows: 24 });
  await press('enter', 'count', 'enter');
  studio.said.give(Array.from({ length: 60 }, (_, n) => `line ${n}.`).join('\n'));
  studio.said.end();
  await shows('line 59.');
  await press('half', 'pageup', 'up').shows('line 40.', '› half').hides('line 58.');
  await press('pagedown', 'down').shows('line 59.');
  await press('escape', 'g').shows('count', 'line 0.', 'Scrolled up. Press G to follow.');
  await press('enter', 'ctrl-u', 'more', 'enter').shows('line 59.', 'more');
  studio.said.end();
  await shows('The answer is empty.');
  await press('escape', 'c');
  expect(copied[0]).toMatch(/^line 0\.\n[\s\S]*line 59\.$/);
  await press('n').shows('Press Enter to write to svc/tiny-instruct.');
});

it('goes on with an answer while another view is shown', async () => {
  const { press, studio } = await open();
  await press('enter', 'hi', 'enter', 'escape', 'escape', 'a');
  studio.said.give('one ');
  await press('3').shows('one ▍');
  await press('1').hides('one');
  studio.said.give('two');
  await press('3').shows('one two▍');
  await press('x').shows('Stopped.');
});

it('asks nobody before it is known who answers, and keeps the message', async () => {
  const studio = fakeStudio();
  const release = studio.hold('getIdentity');
  const { press, shows } = await openDashboard({ studio });
  await press('3').shows('The base model is not known yet.');
  await press('enter', 'hi', 'enter').shows('Choose a model first: Esc, then m or p.', '› hi');
  release();
  await shows('● Base model: svc/tiny-instruct');
  await press('enter');
  expect(studio.count('chat')).toBe(1);
});

it('cannot be steered by what a model says, and keeps code and wide letters in their columns', async () => {
  const { press, studio, shows, lines } = await open([], { columns: 60, rows: 24 });
  await press('enter', 'hi', 'enter');
  const parts = ['ha\u001b', '[2J\u001b]52;c;aGk=\u0007ha\r\n', '```\n  if x:\n', '日本語🚀'.repeat(20)];
  for (const part of parts) studio.said.give(part);
  await shows('haha', '│   if x:', '日本語').hides(/\[2J|52;c/);
  expect(new Set(lines().slice(3, -2).map(displayWidth))).toEqual(new Set([60]));
});

it('samples as the base model recommends, says so, and what a first answer waits for', async () => {
  const studio = fakeStudio({
    baseModel: { ...sampleModelFacts, sampling: { temperature: 0.6, topP: 0.9 } },
  });
  const { shows, press, pass } = await openDashboard({ studio });
  await press('3');
  await shows('Press Enter to write a message. Samples with temperature 0.6, top-p 0.9.');
  studio.world.preparing = 'Comparing 8-bit with 32-bit weights.';
  await press('enter', 'hi', 'enter');
  await pass(1000);
  await shows('Comparing 8-bit with 32-bit weights.');
  expect(lastRequest(studio.calls)).toMatchObject({ temperature: 0.6, topP: 0.9 });
  studio.said.give('Hello');
  await shows('Hello').hides('Comparing');
});

it('says at once that a model without a chat template does not chat', async () => {
  const studio = fakeStudio({ baseModel: { ...sampleModelFacts, hasChatTemplate: false } });
  const { shows, press } = await openDashboard({ studio });
  await press('3');
  await shows('This base model has no chat template');
});

it('keeps what is typed in its field when the adapter that it is meant for is gone', async () => {
  const { press, studio, pass } = await open([jobSummary({ name: 'mine' })]);
  await press('p', 'enter', 'enter', 'half a').shows('● Adapter: mine', 'half a');
  studio.world.jobs = [];
  await pass(5000).shows('no job selected', 'half a');
  await press(' Run').shows('half a Run');
  expect(studio.count('startTraining')).toBe(0);
  await press('enter').shows('Choose a model first: Esc, then m or p.', 'half a Run');
});
