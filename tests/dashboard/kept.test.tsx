// The requests that an endpoint keeps, in the terminal.
import { expect, it } from 'vitest';
import { sampleKept } from '../support/sample-kept.js';
import { sampleDeployment } from '../support/samples.js';
import { until } from '../support/until.js';
import { clickOn, WHEEL_DOWN } from '../terminal/support/keys.js';
import { fakeStudio } from './support/fake-studio.js';
import { openDashboard } from './support/open-dashboard.js';
import { WIDE } from './support/open-job.js';

const kept = () => [
  sampleKept({ id: 'first', messages: [{ role: 'user', content: 'Where is parcel 7?' }] }),
  sampleKept({ id: 'second', outcome: 'aborted', answer: { content: 'It arr' } }),
];

const open = (requests = kept()) =>
  openDashboard({
    studio: fakeStudio({ kept: requests }),
    size: WIDE,
    start: { tab: 'endpoints', id: 'd1', requests: true },
  });

it('an endpoint’s page says that requests are kept, and for how long, and leads to them; or nothing where none are', async () => {
  for (const keepRequests of [false, true]) {
    const deployment = sampleDeployment({ keepRequests, runRetentionDays: 30 });
    const studio = fakeStudio({ deployments: [deployment], kept: kept() });
    const start = { tab: 'endpoints', id: deployment.id } as const;
    const { shows, press } = await openDashboard({ studio, size: WIDE, start });
    await shows(deployment.slug);
    if (keepRequests) {
      await shows('Requests and answers are kept for 30 days.');
      await press('w').shows('Kept requests', 'All 2', 'parcel 7');
    } else
      await press('w')
        .shows(deployment.slug)
        .hides(/kept|30 days/i);
  }
});

it('kept requests are listed with the chosen one in full below', async () => {
  const { shows, press } = await open();
  await shows(/Mark +Asked/, 'All 2', 'user: Where is parcel 7?', 'answer: It arrives tomorrow.');
  await press('j').shows('answer, caller left: It arr');
});

it('kept requests are marked and corrected, and a correction is not lost without a question', async () => {
  const { press, shows, studio } = await open();
  await shows('Kept requests', 'parcel 7');
  await press('y').shows(/^ good /m);
  expect(studio.world.kept[0]).toMatchObject({ mark: 'good' });
  await press('e').shows('Correct answer: It arrives tomorrow.');
  await press('!', 'enter').shows('corrected: It arrives tomorrow.!');
  await press('n').shows('Discard the correction?');
  await press('n');
  expect(studio.world.kept[0]).toMatchObject({ mark: 'corrected' });
  await press('n', 'y');
  await until(() => studio.world.kept[0]).toMatchObject({ mark: 'bad', correction: null });
  studio.fail('updateKeptRequest', new Error('The disk is full.'));
  await press('u').shows('The disk is full.');
  await press('e', '!', 'enter').shows('The disk is full.', 'Correct answer: It arrives tomorrow.!');
});

it('a correction is of the request that is shown, whatever the mouse does meanwhile', async () => {
  const { press, shows, studio, lines } = await open();
  await shows('user: Where is parcel 7?', 'My parcel is late');
  await press('e', '!', clickOn('My parcel is late', lines()), WHEEL_DOWN).shows('user: Where is parcel 7?');
  await press('enter').shows('corrected: It arrives tomorrow.!');
  expect(studio.world.kept.map(({ mark }) => mark)).toEqual(['corrected', null]);
  await press(clickOn('My parcel is late', lines())).shows('answer, caller left: It arr');
});

it('a correction of several lines keeps them', async () => {
  const [first, ...others] = kept();
  const { press, shows, studio } = await open([{ ...first!, answer: { content: 'one\ntwo' } }, ...others]);
  await shows('Kept requests', 'parcel 7');
  await press('e').shows('Correct answer: one⏎two');
  await press('!', 'enter').hides('Correct answer:');
  expect(studio.world.kept[0]).toMatchObject({ correction: { content: 'one\ntwo!' } });
});

it('a correction keeps tabs, and is none where nothing was changed', async () => {
  const content = 'func main() {\n\t\tfmt.Println()\n}';
  const { press, shows, studio } = await open([sampleKept({ answer: { content } })]);
  await shows('parcel is late');
  await press('e').shows('Correct answer: func main() {⏎⇥⇥fmt.Println()⏎}');
  await press('enter').hides('Correct answer:');
  expect(studio.count('updateKeptRequest')).toBe(0);
  await press('e', '!', 'enter').hides('Correct answer:');
  expect(studio.world.kept[0]).toMatchObject({ correction: { content: `${content}!` } });
});

it('an answer with characters that the field cannot hold is not corrected there', async () => {
  const { press, shows, studio } = await open([sampleKept({ answer: { content: 'soft\u00adhyphen' } })]);
  await shows('parcel is late');
  await press('e').shows('has characters that would be lost here. Edit it in Studio.');
  await press('!', 'enter').hides('Correct answer:');
  expect(studio.count('updateKeptRequest')).toBe(0);
});

it('kept requests are deleted after a question, and the next one is chosen', async () => {
  const { press, shows, studio, copied } = await open([...kept(), sampleKept({ id: 'third' })]);
  await shows('parcel 7');
  await press('j', 'x').shows('Delete this request? The request and answer cannot be restored.');
  await press('n');
  expect(studio.world.kept).toHaveLength(3);
  await press('x', 'y').shows('All 2');
  expect(studio.world.kept.map(({ id }) => id)).toEqual(['first', 'third']);
  await press('c');
  expect(copied).toEqual(['third']);
});

it('kept requests are filtered by their mark, and say so where there are none, or what is wrong', async () => {
  const { press, studio } = await open();
  studio.world.kept[0]!.mark = 'good';
  await press('f').shows('Unmarked 1');
  await press('f').shows('Good 1', 'parcel 7');
  await press('f').shows('No bad answers');
  studio.fail('listKeptRequests', new Error('The disk is full.'));
  await press('r').shows('The disk is full.');
  studio.fail('listKeptRequests');
  await press('f', 'f')
    .shows(/Mark +Asked/)
    .hides('The disk is full.');
});

it('kept requests go on at the end of the list', async () => {
  const { shows, press, copied, studio } = await open(
    Array.from({ length: 60 }, (_, n) => sampleKept({ id: `${n}`, answer: { content: `Answer ${n}.` } })),
  );
  await shows('All 60');
  await press('G', 'c');
  await until(() => studio.count('listKeptRequests')).toBe(2);
  await press('G', 'c').shows('answer: Answer 59.');
  expect(copied).toEqual(['49', '59']);
});

it('kept requests keep a mark that is made while the next page comes', async () => {
  const { shows, press, studio } = await open(
    Array.from({ length: 60 }, (_, n) => sampleKept({ id: `${n}`, answer: { content: `Answer ${n}.` } })),
  );
  await shows('All 60');
  const release = studio.hold('listKeptRequests');
  await press('G').shows('answer: Answer 49.');
  await until(() => studio.count('listKeptRequests')).toBe(2);
  await press('y').shows(/^ good /m);
  release();
  await until(() => studio.count('listKeptRequests')).toBe(3);
  await press('j').shows('answer: Answer 50.', /^ good /m);
});

it('kept requests show the end of a long one at first', async () => {
  const content = Array.from({ length: 90 }, (_, n) => `line ${n}`).join('\n');
  const { shows, press } = await open([sampleKept({ messages: [{ role: 'user', content }] })]);
  await shows('line 89', 'answer: It arrives tomorrow.', 'of 91: K J');
  await press('K', 'K', 'K', 'K', 'K', 'K', 'K').shows('user: line 0', 'lines 1–');
});

it('a correction that is taken back while it is saved is a change of what was saved', async () => {
  const { press, shows, studio } = await open();
  await shows('parcel 7');
  const release = studio.hold('updateKeptRequest');
  await press('e', '!', 'enter', 'backspace', 'enter').shows(
    'The cloud has yet to answer.',
    /Correct answer: It arrives tomorrow\.(?!!)/,
  );
  release();
  await until(() => studio.world.kept[0]).toMatchObject({ correction: { content: 'It arrives tomorrow.!' } });
  await shows('corrected: It arrives tomorrow.!');
  await press('enter').hides('Correct answer:');
  expect(studio.world.kept[0]).toMatchObject({ correction: { content: 'It arrives tomorrow.' } });
});

it('a deletion that is answered late leaves the selection where it is by then', async () => {
  const { press, shows, studio, copied } = await open([...kept(), sampleKept({ id: 'third' })]);
  await shows('parcel 7');
  const release = studio.hold('deleteKeptRequest');
  await press('x', 'y', 'j', 'j');
  release();
  await shows('All 2');
  await press('c');
  expect(copied).toEqual(['third']);
});
