import { expect, it } from 'vitest';
import { displayWidth } from '../../lib/console/index.js';
import { ApiError, JOB_STATUSES } from '../../lib/contract/index.js';
import { fakeStudio, JOB_ID, jobSummary, nthJob } from './support/fake-studio.js';
import { openDashboard } from './support/open-dashboard.js';

const open = async (jobs = [jobSummary()], size = { columns: 100, rows: 30 }) => {
  const dashboard = await openDashboard({ studio: fakeStudio({ jobs }), size });
  await dashboard.press('3');
  return dashboard;
};
const lastRequest = (calls: readonly string[]) =>
  JSON.parse(calls.findLast(call => call.startsWith('chat '))!.slice(5)) as Record<string, unknown>;

it('chats with the base model: what comes is shown as it comes', async () => {
  const dashboard = await open();
  const { studio } = dashboard;
  await dashboard.shows('● Base model: svc/tiny-instruct', 'no job selected');
  await dashboard.press('enter', 'Who are you?', 'enter');
  expect(lastRequest(studio.calls)).toEqual({
    messages: [{ role: 'user', content: 'Who are you?' }],
    baseModel: 'svc/tiny-instruct',
    stream: true,
  });
  studio.said.give('A small ');
  await dashboard.shows('Who are you?', 'A small ▍');
  studio.said.give('model.\nTwo lines.');
  studio.said.end();
  await dashboard.shows('A small model.', 'Two lines.');
  await dashboard.hides('▍');
});

it('leaves out who does not answer before it cuts who does', async () => {
  const dashboard = await open([jobSummary({ name: 'a-name-of-forty-characters-that-is-not-cut' })]);
  await dashboard.press('p', 'enter');
  await dashboard.resize(120, 30);
  await dashboard.shows('○ Base model: svc/tiny-instruct    ● Adapter: a-name');
  await dashboard.resize(80, 24);
  await dashboard.shows('○ Base model    ● Adapter: a-name-of-forty-characters-that-is-not-cut (j');
  await dashboard.press('m');
  await dashboard.resize(60, 20);
  await dashboard.shows(/● Base model: svc\/tiny-instruct {4}○ Adapter *\n/);
  await dashboard.resize(40, 16);
  await dashboard.shows(/● Base model {4}○ Adapter *\n/);
});

it('sends what was said before, and says which model answered each time', async () => {
  const dashboard = await open();
  const { studio } = dashboard;
  await dashboard.press('enter', 'one', 'enter');
  studio.said.give('first');
  studio.said.end();
  await dashboard.shows('first');
  await dashboard.press('two', 'enter');
  expect(lastRequest(studio.calls).messages).toEqual([
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'first' },
    { role: 'user', content: 'two' },
  ]);
  await dashboard.shows('svc/tiny-instruct');
});

it('offers every completed job and no other, and sends its final adapter', async () => {
  const jobs = [
    ...JOB_STATUSES.map((status, n) => nthJob(n, { status, name: `a-${status}-one` })),
    jobSummary({ name: 'mine' }),
  ];
  const dashboard = await open(jobs);
  await dashboard.press('m');
  await dashboard.shows('Completed jobs', 'a-completed-one', 'mine · 3f2a9c1e');
  expect(dashboard.frame()).not.toMatch(/a-(queued|running|failed|cancelled)-one/);
  await dashboard.press('j', 'enter');
  await dashboard.shows('● Adapter: mine (job 3f2a9c1e)');
  await dashboard.press('i', 'hi', 'enter');
  expect(lastRequest(dashboard.studio.calls)).toMatchObject({ adapter: { kind: 'final', jobId: JOB_ID } });
  expect(Object.keys(lastRequest(dashboard.studio.calls)).sort()).toEqual(['adapter', 'messages', 'stream']);
});

it.each(['p', 'm'])(
  'says so when no job is completed and %s asks for one, and offers one that completes',
  async key => {
    const dashboard = await open([jobSummary({ name: 'mine', status: 'running' })], {
      columns: 80,
      rows: 24,
    });
    await dashboard.press(key);
    await dashboard.shows('Completed jobs', 'No completed jobs yet');
    dashboard.studio.world.jobs = [jobSummary({ name: 'mine', status: 'completed' })];
    await dashboard.pass(5000);
    await dashboard.shows('mine', '1 completed job');
  },
);

it('takes no message for an adapter while no job is chosen, and says so', async () => {
  const dashboard = await open();
  await dashboard.press('m', 'escape');
  await dashboard.shows('Press p to choose a job.');
  await dashboard.hides('Press Enter to write a message.');
  await dashboard.press('enter');
  await dashboard.shows('No job selected. Press p');
  await dashboard.press('p', 'enter', 'enter', 'hi');
  await dashboard.shows('› hi');
});

it('stops an answer and keeps what came of it', async () => {
  const dashboard = await open();
  await dashboard.press('enter', 'go on', 'enter');
  dashboard.studio.said.give('once upon');
  await dashboard.shows('once upon');
  await dashboard.press('escape');
  await dashboard.shows('once upon', 'Stopped.');
  await dashboard.press('again', 'enter');
  dashboard.studio.answers[0]!.give(' a time');
  dashboard.studio.said.give('anew');
  await dashboard.shows('anew');
  expect(dashboard.frame()).not.toContain('a time');
});

it('shows why there was no answer, and whatever is said goes on', async () => {
  const dashboard = await open();
  dashboard.studio.fail('chat', new ApiError('engine_busy', 'The engine is busy. Try again.'));
  await dashboard.press('enter', 'hi', 'enter');
  await dashboard.shows('The engine is busy. Try again.');
  dashboard.studio.fail('chat');
  await dashboard.press('again', 'enter');
  dashboard.studio.said.give('now');
  await dashboard.shows('now');
});

it('asks nothing while an answer is coming, nor without words', async () => {
  const dashboard = await open();
  await dashboard.press('enter', '   ', 'enter');
  expect(dashboard.studio.count('chat')).toBe(0);
  await dashboard.press('ctrl-u', 'one', 'enter', 'two', 'enter');
  expect(dashboard.studio.count('chat')).toBe(1);
  await dashboard.shows('› two');
});

it('keeps a message that was not sent, and takes a paste as one message', async () => {
  const dashboard = await open();
  await dashboard.press('enter', 'half', 'escape', '1', '3', 'enter');
  await dashboard.shows('› half');
  await dashboard.press('ctrl-u');
  await dashboard.paste('two\nlines\n');
  await dashboard.shows('› two lines');
  expect(dashboard.studio.count('chat')).toBe(0);
});

it('runs no command that is pasted', async () => {
  const dashboard = await open();
  await dashboard.paste('R1q');
  await dashboard.shows('Conversation');
  expect(dashboard.studio.count('startTraining')).toBe(0);
});

it('edits a message in the middle, with letters of any width', async () => {
  const dashboard = await open();
  await dashboard.press('enter', '翻b', 'left', 'a', 'right', 'c');
  await dashboard.shows('› 翻abc');
  await dashboard.press('backspace', 'backspace', 'backspace', 'backspace', '🚀', 'backspace');
  await dashboard.shows(/› +$/m);
});

it('scrolls a long conversation, copies the last answer, and begins a new one', async () => {
  const dashboard = await open([], { columns: 80, rows: 24 });
  await dashboard.press('enter', 'count', 'enter');
  dashboard.studio.said.give(Array.from({ length: 60 }, (_, n) => `line ${n}.`).join('\n'));
  dashboard.studio.said.end();
  await dashboard.shows('line 59.');
  await dashboard.press('half', 'pageup', 'up');
  await dashboard.shows('line 40.', '› half');
  await dashboard.hides('line 58.');
  await dashboard.press('pagedown', 'down');
  await dashboard.shows('line 59.');
  await dashboard.press('escape', 'g');
  await dashboard.shows('count', 'line 0.', 'Scrolled up. Press G to follow.');
  await dashboard.press('enter', 'ctrl-u', 'more', 'enter');
  await dashboard.shows('line 59.', 'more');
  dashboard.studio.said.end();
  await dashboard.shows('The answer is empty.');
  await dashboard.press('escape', 'c');
  expect(dashboard.copied[0]).toMatch(/^line 0\.\n[\s\S]*line 59\.$/);
  await dashboard.press('n');
  await dashboard.shows('Press Enter to write to svc/tiny-instruct.');
});

it('goes on with an answer while another view is shown', async () => {
  const dashboard = await open();
  await dashboard.press('enter', 'hi', 'enter', 'escape', 'escape', 'a');
  dashboard.studio.said.give('one ');
  await dashboard.shows('one ▍');
  await dashboard.press('1');
  await dashboard.hides('one');
  dashboard.studio.said.give('two');
  await dashboard.press('3');
  await dashboard.shows('one two▍');
  await dashboard.press('x');
  await dashboard.shows('Stopped.');
});

it('asks nobody before it is known who answers, and keeps the message', async () => {
  const studio = fakeStudio();
  const release = studio.hold('getIdentity');
  const dashboard = await openDashboard({ studio });
  await dashboard.press('3');
  await dashboard.shows('The base model is not known yet.');
  await dashboard.press('enter', 'hi', 'enter');
  await dashboard.shows('Choose a model first: Esc, then m or p.', '› hi');
  release();
  await dashboard.shows('● Base model: svc/tiny-instruct');
  await dashboard.press('enter');
  expect(studio.count('chat')).toBe(1);
});

it('cannot be steered by what a model says, and keeps code and wide letters in their columns', async () => {
  const dashboard = await open([], { columns: 60, rows: 24 });
  await dashboard.press('enter', 'hi', 'enter');
  for (const part of [
    'ha\u001b',
    '[2J\u001b]52;c;aGk=\u0007ha\r\n',
    '```\n  if x:\n',
    `${'日本語🚀'.repeat(20)}`,
  ])
    dashboard.studio.said.give(part);
  await dashboard.shows('haha', '│   if x:', '日本語');
  expect(dashboard.frame()).not.toMatch(/\[2J|52;c/);
  expect(new Set(dashboard.lines().slice(3, -2).map(displayWidth))).toEqual(new Set([60]));
});
