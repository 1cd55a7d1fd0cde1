import { describe, expect, it } from 'vitest';
import {
  initialJobView,
  type JobAction,
  type JobView,
  noEventsText,
  noLossText,
  reduceJobView,
  shownError,
  shownStatus,
} from '../../lib/console/index.js';
import type { JobStatus } from '../../lib/contract/index.js';
import { sampleJob } from '../support/samples.js';

let seq = 0;

/** A frame with the next id; `payload` may be text, which is then sent to the letter. */
function frame(event: string, payload: object | string = {}, id: string | number = ++seq): JobAction {
  const data = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return { type: 'events', parts: [{ id: String(id), event, data }] };
}

const log = (fields: object | string) => frame('training.log', fields);
const started = (payload: object | string = {}) => frame('training.started', payload);
const completed = (count: number, more = {}) =>
  frame('training.completed', { artifacts: Array(count).fill({}), ...more });
const failed = (payload: object | string) => frame('training.failed', payload);
const saved = (fields: object) => frame('checkpoint.saved', fields);
const end = (status?: string) => frame('end', { status });
const polled = (status: JobStatus, error: string | null = null): JobAction => ({
  type: 'polled',
  job: sampleJob({ status, error }),
});
const interrupted: JobAction = { type: 'interrupted' };

const view = (...actions: JobAction[]): JobView => actions.reduce(reduceJobView, initialJobView);
const statusAfter = (...actions: JobAction[]) => shownStatus(view(...actions));
const errorAfter = (...actions: JobAction[]) => shownError(view(...actions));

const messages = ({ log: entries }: JobView) => entries.map(({ event, message }) => `${event} | ${message}`);
const points = ({ steps, values, length }: JobView['training']) =>
  Array.from({ length }, (_, index) => `${steps[index]}: ${values[index]}`);

describe('nothing to show', () => {
  const texts = (...actions: JobAction[]) => [noLossText(view(...actions)), noEventsText(view(...actions))];

  it('waits for a loss only while one may come', () => {
    const preparing = frame('training.preparing', { rows: 1200, totalRows: 4000 });
    const waiting = ['Waiting for the first loss…', 'No events yet'];
    expect([texts(), texts(polled('running'))]).toEqual([waiting, waiting]);
    expect(texts(polled('running'), preparing)[0]).toBe('Preparing rows: 1,200 of 4,000');
    expect(texts(polled('queued'))[0]).toBe('Waiting in the queue.');
    for (const over of ['completed', 'failed', 'cancelled'] as const)
      expect(texts(polled(over), preparing, end(over))).toEqual(['No losses were logged.', 'No events yet']);
    expect(texts(polled('failed'), failed({ error: 'Full' }))[0]).toBe('No losses were logged.');
  });

  it('is not said of a job whose log has not arrived', () => {
    const unread = ['Not loaded yet', 'Not loaded yet'];
    expect([texts(polled('completed')), texts(polled('cancelled'), interrupted)]).toEqual([unread, unread]);
  });
});

describe('the log', () => {
  it('says how many rows were read, and which are too long', () => {
    const first = [{ file: 'a.jsonl', row: 3, tokens: 812 }];
    const tooLong = { maxLength: 512, truncated: 1, skipped: 0, first };
    const taken = view(
      frame('training.preparing', { rows: 90_000, totalRows: null }),
      frame('training.preparing', { rows: 120_000, totalRows: 663_905, tooLong }),
      frame('training.preparing', { rows: 'many' }),
    );
    expect(messages(taken)).toEqual([
      'training.preparing | Preparing rows: 120,000 of 663,905. ' +
        '1 row is longer than 512 tokens: 1 truncated. See a.jsonl row 3 (812 tokens).',
    ]);
    expect(taken).toMatchObject({ preparing: { rows: 120_000, totalRows: 663_905 }, tooLong });
  });

  it('has one line for the rows that are read, which changes until something else happens', () => {
    const read = (rows: number) => frame('training.preparing', { rows, totalRows: null });
    const all = view(read(1000), read(2000), read(3000), started(), read(4000));
    expect(all.log.map(({ key, message }) => [key, message.match(/\d,000|{}/)?.[0]])).toEqual([
      [0, '3,000'],
      [1, '{}'],
      [2, '4,000'],
    ]);
    expect([view(read(1000)).log[0]!.key, all.eventCount]).toEqual([0, 5]);
  });

  it.each([7, 'many', { truncated: 1 }, { maxLength: 5, truncated: 1, skipped: 0, first: 'a' }])(
    'takes nothing from rows too long that are told of as %j',
    tooLong => expect(view(started({ tooLong })).tooLong).toBeNull(),
  );

  it('names none of the rows too long that are told of as something else', () => {
    const tooLong = { maxLength: 5, truncated: 1, skipped: 0, first: [{ file: 7 }, null] };
    expect(view(started({ tooLong })).tooLong).toMatchObject({ first: [] });
  });

  it.each<[string | object, string]>([
    [{ evalLoss: 2, loss: 0.123456789, step: 3 }, 'step=3 loss=0.123456789 evalLoss=2'],
    [{ step: 4, loss: null }, 'step=4'],
    [{ step: 5, loss: 0 }, 'step=5 loss=0'],
    [{ step: 6, evalLoss: 1.5 }, 'step=6 evalLoss=1.5'],
    [{ step: 7, loss: '1.5', evalLoss: {} }, 'step=7'],
    ['{"step":8.0,"loss":2.50,"evalLoss":1E3}', 'step=8.0 loss=2.50 evalLoss=1E3'],
    ['{"step":9,"loss":0.12345678901234567890}', 'step=9 loss=0.12345678901234567890'],
    ['{ "metrics" : {"loss":9, "step":[1,{"loss":8}]} , "step" : -1 , "loss" : -0.5 }', 'step=-1 loss=-0.5'],
    ['{"note":"\\"loss\\":7, {[","step":1,"loss":2}', 'step=1 loss=2'],
    ['{"loss":1,"step":1,"loss":2}', 'step=1 loss=2'],
    ['{"step":1,"loss":1e999}', 'step=1'],
  ])('shows training.log %j as %s', (payload, message) =>
    expect(messages(view(log(payload)))).toEqual([`training.log | ${message}`]),
  );

  const raw = '{"zebra": 1,  "type":"training.started","é":"\\u00e9", "totalSteps":2.0}';
  it.each<[what: string, action: JobAction, text: string]>([
    ['training.started as the raw text of its payload', started(raw), `training.started | ${raw}`],
    [
      'checkpoint.saved as its step',
      saved({ step: 10, loss: 3, artifacts: [{}] }),
      'checkpoint.saved | step=10',
    ],
    ['no artifacts', completed(0, { metrics: {} }), 'training.completed | 0 artifacts'],
    ['one artifact', completed(1), 'training.completed | 1 artifact'],
    ['an import', completed(1, { imported: true }), 'training.completed | 1 artifact, imported'],
    ['several artifacts', completed(2), 'training.completed | 2 artifacts'],
    ['training.failed as its error string', failed({ error: 'boom' }), 'training.failed | boom'],
  ])('shows %s, and no more', (_, action, text) => expect(messages(view(action))).toEqual([text]));

  it('keeps the latest entries, none for end, interruption or poll; chart and count keep all', () => {
    expect(view(end('completed'), interrupted, polled('completed')).log).toEqual([]);
    const all = view(...Array.from({ length: 700 }, (_, i) => log({ step: i + 1, loss: i })));
    expect(all.log).toHaveLength(500);
    expect([0, -1].map(at => all.log.at(at)!.message)).toEqual(['step=201 loss=200', 'step=700 loss=699']);
    expect([all.training.length, all.eventCount]).toEqual([700, 700]);
    expect(new Set(all.log.map(({ key }) => key)).size).toBe(500);
  });

  it('leaves what was shown before as it was', () => {
    const before = view(log({ step: 1, loss: 1 }));
    reduceJobView(before, log({ step: 2, loss: 2 }));
    expect([messages(before), points(before.training)]).toEqual([['training.log | step=1 loss=1'], ['1: 1']]);
  });
});

describe('the status', () => {
  it.each<[string, JobAction[]]>([
    ['nothing', []],
    ['queued', [polled('queued')]],
    ['completed', [completed(0)]],
    ['failed', [failed({ error: 'x' })]],
    ['running', [started()]],
    ['a finished poll', [polled('completed')]],
  ])('becomes what each event says, from %s', (_, before) => {
    const after = [started(), completed(0), failed({ error: 'x' })].map(event =>
      statusAfter(...before, event),
    );
    expect(after).toEqual(['running', 'completed', 'failed']);
  });

  it('is what a poll says until the stream says more, which no earlier poll takes back', () => {
    expect([statusAfter(), statusAfter(polled('queued'), log({ step: 1 }))]).toEqual([null, 'queued']);
    expect(statusAfter(completed(0), polled('running'))).toBe('completed');
    expect(statusAfter(started(), polled('queued'))).toBe('running');
  });

  it("is what a poll says of the end while the stream is broken off, then the stream's again", () => {
    const broken = view(started(), interrupted, polled('failed', 'out of memory'));
    expect([shownStatus(broken), shownError(broken)]).toEqual(['failed', 'out of memory']);
    expect(shownStatus(reduceJobView(broken, log({ step: 2 })))).toBe('running');
  });

  it('is the one that end carries, or what a poll says, whatever else they carry', () => {
    expect(statusAfter(started(), end('cancelled'))).toBe('cancelled');
    expect(statusAfter(started(), end(), polled('cancelled'))).toBe('cancelled');
    expect(statusAfter(started(), end('odd'))).toBe('running');
    const begun = view(started('no JSON'));
    expect([shownStatus(begun), messages(begun)]).toEqual(['running', ['training.started | no JSON']]);
    expect(reduceJobView(begun, frame('end', 'no JSON')).ended).toBe(true);
  });
});

describe('the failure banner', () => {
  it('has the text of the error, or else what a poll says, and is there for no other status', () => {
    const failure = failed({ error: '<b>x</b> & y' });
    expect([errorAfter(failure), view(failure).log.at(-1)!.message]).toEqual(Array(2).fill('<b>x</b> & y'));
    expect([errorAfter(failure, started()), errorAfter(failure, completed(0))]).toEqual([null, null]);
    expect(errorAfter(polled('cancelled', 'stale'))).toBeNull();
    expect(errorAfter(end('failed'), polled('failed', 'out of memory'))).toBe('out of memory');
  });

  it('says so when no reason was given', () => {
    const sentence = 'The run failed without giving a reason.';
    for (const data of [{}, { error: '' }, { error: ' \n' }, { error: 7 }, '{"error":"cut', '']) {
      const told = view(failed(data));
      expect([shownError(told), messages(told)]).toEqual([sentence, [`training.failed | ${sentence}`]]);
    }
    expect(errorAfter(end('failed'), polled('failed', ''))).toBe(sentence);
  });
});

it('the artifact count changes at training.completed only, not at a checkpoint', () => {
  const checkpoint = [started(), saved({ step: 1, artifacts: [{}, {}] })];
  expect([view(...checkpoint), view(...checkpoint, completed(3))]).toMatchObject([
    { artifactCount: null },
    { artifactCount: 3 },
  ]);
});

describe('an interruption', () => {
  it('stays until the next frame, one that was seen before included, not merely until a poll', () => {
    const seen = log({ step: 1, loss: 1 });
    const broken = view(seen, interrupted);
    const after = [polled('running'), log({ step: 2 }), seen].map(action => reduceJobView(broken, action));
    expect([broken, ...after].map(state => state.interrupted)).toEqual([true, true, false, false]);
    expect(after[2]!.training.length).toBe(1);
  });

  it('loses and doubles nothing when the stream starts over, and is none after the end', () => {
    expect(view(end('completed'), interrupted).interrupted).toBe(false);
    const events = [started(), log({ step: 1, loss: 1 }), log({ step: 2, loss: 2 })];
    const again = view(...events, interrupted, ...events, log({ step: 3, loss: 3 }));
    expect(points(again.training)).toEqual(['1: 1', '2: 2', '3: 3']);
    expect([again.log.length, again.eventCount, again.cursor]).toEqual([4, 4, String(seq)]);
    const anonymous = () => frame('training.log', { step: 1, loss: 1 }, '');
    expect(view(anonymous(), anonymous()).training.length).toBe(2);
  });
});

it('the chart data takes numeric values only, each to its own series, and none of a checkpoint', () => {
  const mixed = view(
    log({ step: 1, loss: 2 }),
    log({ step: 2, loss: null }),
    log({ step: 3, evalLoss: 1.5 }),
    log({ step: 4, loss: 0, evalLoss: 1 }),
    log({ step: 5, loss: '9', evalLoss: null }),
    log({ step: 4, loss: 0.5 }),
    saved({ step: 3, loss: 1, evalLoss: 2, artifacts: [] }),
  );
  expect([points(mixed.training), points(mixed.evaluation)]).toEqual([
    ['1: 2', '4: 0', '4: 0.5'],
    ['3: 1.5', '4: 1'],
  ]);
});

it.each(['x', '', 'null', '[1]', '{"error":'])('what does not fit still ends the run: %j', data => {
  const ends = ['completed', 'failed'].map(end =>
    statusAfter(log({ step: 1 }), frame(`training.${end}`, data)),
  );
  expect(ends).toEqual(['completed', 'failed']);
});

it.each([
  frame('message', { step: 1 }),
  frame('training.paused', { step: 1 }),
  frame('constructor', { step: 1 }),
  ...['{"step":1', '', 'null', '[1]', '{"step":1,"loss":NaN}'].map(log),
  log({ loss: 1 }),
  log({ step: '1', loss: 1 }),
  saved({}),
])('what does not fit is skipped, and what was there stays: %j', action => {
  const before = view(log({ step: 1, loss: 1 }));
  expect(reduceJobView(before, action)).toBe(before);
});
