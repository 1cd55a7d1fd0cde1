import { describe, expect, it } from 'vitest';
import {
  initialJobView,
  type JobAction,
  type JobView,
  LOG_LIMIT,
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
  return { type: 'frame', frame: { id: String(id), event, data } };
}

const log = (fields: object | string) => frame('training.log', fields);
const polled = (status: JobStatus, error: string | null = null): JobAction => ({
  type: 'polled',
  job: sampleJob({ status, error }),
});
const interrupted: JobAction = { type: 'interrupted' };

function view(...actions: JobAction[]): JobView {
  return actions.reduce(reduceJobView, initialJobView);
}

const messages = ({ log: entries }: JobView) => entries.map(({ event, message }) => `${event} | ${message}`);
const training = ({ training: { steps, values, length } }: JobView) => ({
  steps: steps.slice(0, length),
  values: values.slice(0, length),
});
const evaluation = ({ evaluation: { steps, values, length } }: JobView) => ({
  steps: steps.slice(0, length),
  values: values.slice(0, length),
});

describe('the log', () => {
  it('shows training.started as the raw text of its payload, nothing dropped or reordered', () => {
    const raw = '{"zebra": 1,  "type":"training.started","é":"\\u00e9", "totalSteps":2.0}';
    expect(messages(view(frame('training.started', raw)))).toEqual([`training.started | ${raw}`]);
  });

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
    expect(taken.preparing).toEqual({ rows: 120_000, totalRows: 663_905 });
    expect(taken.tooLong).toEqual(tooLong);
  });

  it('has one line for the rows that are read, which changes until something else happens', () => {
    const preparing = (rows: number) => frame('training.preparing', { rows, totalRows: null });
    const first = view(preparing(1000));
    const all = view(
      preparing(1000),
      preparing(2000),
      preparing(3000),
      frame('training.started'),
      preparing(4000),
    );
    expect(all.log.map(({ event, message }) => [event, message.match(/\d,000/)?.[0]])).toEqual([
      ['training.preparing', '3,000'],
      ['training.started', undefined],
      ['training.preparing', '4,000'],
    ]);
    expect(all.log[0]!.key).toBe(first.log[0]!.key);
    expect(all.log.map(({ key }) => key)).toEqual([0, 1, 2]);
    expect(all.eventCount).toBe(5);
  });

  it.each([7, 'many', { truncated: 1 }, { maxLength: 5, truncated: 1, skipped: 0, first: 'a' }])(
    'takes nothing from rows too long that are told of as %j',
    tooLong => {
      expect(view(frame('training.started', { tooLong })).tooLong).toBeNull();
      const named = { maxLength: 5, truncated: 1, skipped: 0, first: [{ file: 7 }, null] };
      expect(view(frame('training.started', { tooLong: named })).tooLong).toMatchObject({ first: [] });
    },
  );

  it.each<[string | object, string]>([
    [{ step: 3, loss: 0.123456789, evalLoss: 2 }, 'step=3 loss=0.123456789 evalLoss=2'],
    [{ evalLoss: 2, loss: 1, step: 3 }, 'step=3 loss=1 evalLoss=2'],
    [{ step: 4, loss: null }, 'step=4'],
    [{ step: 4 }, 'step=4'],
    [{ step: 5, loss: 0 }, 'step=5 loss=0'],
    [{ step: 6, evalLoss: 1.5 }, 'step=6 evalLoss=1.5'],
    [{ step: 6, loss: null, evalLoss: 1.5 }, 'step=6 evalLoss=1.5'],
    [{ step: 7, loss: '1.5', evalLoss: {} }, 'step=7'],
    ['{"step":8,"loss":2.50}', 'step=8 loss=2.50'],
    ['{"step":8.0,"loss":1e-7,"evalLoss":1E3}', 'step=8.0 loss=1e-7 evalLoss=1E3'],
    ['{"step":9,"loss":0.12345678901234567890}', 'step=9 loss=0.12345678901234567890'],
    ['{ "metrics" : {"loss":9, "step":[1,{"loss":8}]} , "step" : -1 , "loss" : -0.5 }', 'step=-1 loss=-0.5'],
    ['{"note":"\\"loss\\":7, {[","step":1,"loss":2}', 'step=1 loss=2'],
    ['{"loss":1,"step":1,"loss":2}', 'step=1 loss=2'],
    ['{"step":1,"loss":1e999}', 'step=1'],
  ])('shows training.log %j as %s', (payload, message) => {
    expect(messages(view(log(payload)))).toEqual([`training.log | ${message}`]);
  });

  it('shows checkpoint.saved as its step, and no more', () => {
    const saved = frame('checkpoint.saved', { step: 10, loss: 3, artifacts: [{ name: 'checkpoint-10' }] });
    expect(messages(view(saved))).toEqual(['checkpoint.saved | step=10']);
  });

  it.each([
    [0, '0 artifacts'],
    [1, '1 artifact'],
    [2, '2 artifacts'],
  ])('shows training.completed with %i as %s', (count, message) => {
    const completed = view(frame('training.completed', { artifacts: Array(count).fill({}), metrics: {} }));
    expect(messages(completed)).toEqual([`training.completed | ${message}`]);
    expect(completed.artifactCount).toBe(count);
  });

  it('shows training.failed as its error string, without quotes', () => {
    expect(messages(view(frame('training.failed', { error: 'boom' })))).toEqual(['training.failed | boom']);
  });

  it('has no entry for end, for an interruption or for a poll', () => {
    expect(view(frame('end', { status: 'completed' }), interrupted, polled('completed')).log).toEqual([]);
  });

  it(`keeps the latest ${LOG_LIMIT} entries, while chart and count keep all`, () => {
    const all = view(...Array.from({ length: 700 }, (_, i) => log({ step: i + 1, loss: i })));
    expect(all.log).toHaveLength(500);
    expect(all.log[0]!.message).toBe('step=201 loss=200');
    expect(all.log.at(-1)!.message).toBe('step=700 loss=699');
    expect(all.training.length).toBe(700);
    expect(all.eventCount).toBe(700);
    expect(new Set(all.log.map(({ key }) => key)).size).toBe(500);
  });

  it('leaves what was shown before as it was', () => {
    const before = view(log({ step: 1, loss: 1 }));
    const said = messages(before);
    reduceJobView(before, log({ step: 2, loss: 2 }));
    expect(messages(before)).toEqual(said);
    expect(said).toEqual(['training.log | step=1 loss=1']);
    expect(before.training.length).toBe(1);
  });
});

describe('the status', () => {
  const from: [string, JobAction[]][] = [
    ['nothing', []],
    ['queued', [polled('queued')]],
    ['completed', [frame('training.completed', { artifacts: [] })]],
    ['failed', [frame('training.failed', { error: 'x' })]],
    ['running', [frame('training.started')]],
    ['a finished poll', [polled('completed')]],
  ];

  it.each(from)('becomes running at training.started, from %s', (_, before) => {
    expect(shownStatus(view(...before, frame('training.started')))).toBe('running');
  });

  it.each(from)('becomes completed at training.completed, from %s', (_, before) => {
    expect(shownStatus(view(...before, frame('training.completed', { artifacts: [] })))).toBe('completed');
  });

  it.each(from)('becomes failed at training.failed, from %s', (_, before) => {
    expect(shownStatus(view(...before, frame('training.failed', { error: 'x' })))).toBe('failed');
  });

  it('is what a poll says until the stream says something of it', () => {
    expect(shownStatus(view())).toBeNull();
    expect(shownStatus(view(polled('queued'), log({ step: 1 })))).toBe('queued');
  });

  it('is not taken back by a poll that was answered earlier than it arrived', () => {
    const completed = view(frame('training.completed', { artifacts: [] }));
    expect(shownStatus(reduceJobView(completed, polled('running')))).toBe('completed');
    expect(shownStatus(view(frame('training.started'), polled('queued')))).toBe('running');
  });

  it("is what a poll says of the end while the stream is broken off, and the stream's again at its next frame", () => {
    const broken = view(frame('training.started'), interrupted, polled('failed', 'out of memory'));
    expect(shownStatus(broken)).toBe('failed');
    expect(shownError(broken)).toBe('out of memory');
    expect(shownStatus(reduceJobView(broken, log({ step: 2 })))).toBe('running');
  });

  it('is the one that end carries, cancelled included', () => {
    expect(shownStatus(view(frame('training.started'), frame('end', { status: 'cancelled' })))).toBe(
      'cancelled',
    );
  });

  it('follows from training.started and end whatever they carry', () => {
    const started = view(frame('training.started', 'no JSON'));
    expect(shownStatus(started)).toBe('running');
    expect(messages(started)).toEqual(['training.started | no JSON']);
    expect(reduceJobView(started, frame('end', 'no JSON')).ended).toBe(true);
  });

  it('is what a poll says when end says nothing', () => {
    expect(shownStatus(view(frame('training.started'), frame('end'), polled('cancelled')))).toBe('cancelled');
    expect(shownStatus(view(frame('training.started'), frame('end', { status: 'odd' })))).toBe('running');
  });
});

describe('the failure banner', () => {
  it('has the text of the error, and is there for no other status', () => {
    const failed = view(frame('training.failed', { error: '<b>x</b> & y' }));
    expect(shownError(failed)).toBe('<b>x</b> & y');
    expect(failed.log.at(-1)!.message).toBe(shownError(failed));
    expect(shownError(reduceJobView(failed, frame('training.started')))).toBeNull();
    expect(shownError(reduceJobView(failed, frame('training.completed', { artifacts: [] })))).toBeNull();
    expect(shownError(view(polled('cancelled', 'stale')))).toBeNull();
  });

  it('has what a poll says where the stream gave no error', () => {
    expect(shownError(view(frame('end', { status: 'failed' }), polled('failed', 'out of memory')))).toBe(
      'out of memory',
    );
  });

  it('says so when no reason was given', () => {
    const sentence = 'The run failed without giving a reason.';
    for (const data of [{}, { error: '' }, { error: ' \n' }, { error: 7 }, '{"error":"cut', '']) {
      const failed = view(frame('training.failed', data));
      expect(shownError(failed)).toBe(sentence);
      expect(messages(failed)).toEqual([`training.failed | ${sentence}`]);
    }
    expect(shownError(view(frame('end', { status: 'failed' }), polled('failed', '')))).toBe(sentence);
  });
});

describe('the artifact count', () => {
  it('says of an imported adapter that it was imported', () => {
    const imported = frame('training.completed', { artifacts: [{}], metrics: {}, imported: true });
    expect(messages(view(imported))).toEqual(['training.completed | 1 artifact, imported']);
  });

  it('changes at training.completed only, not at a checkpoint', () => {
    const saved = view(
      frame('training.started'),
      frame('checkpoint.saved', { step: 1, artifacts: [{}, {}] }),
    );
    expect(saved.artifactCount).toBeNull();
    expect(reduceJobView(saved, frame('training.completed', { artifacts: [{}, {}, {}] })).artifactCount).toBe(
      3,
    );
  });
});

describe('an interruption', () => {
  it('stays until the next frame, not merely until a poll', () => {
    const broken = view(log({ step: 1 }), interrupted);
    expect(broken.interrupted).toBe(true);
    expect(reduceJobView(broken, polled('running')).interrupted).toBe(true);
    expect(reduceJobView(broken, log({ step: 2 })).interrupted).toBe(false);
  });

  it('is over at any frame, one that was seen before included', () => {
    const seen = log({ step: 1, loss: 1 });
    const broken = view(seen, interrupted);
    const back = reduceJobView(broken, seen);
    expect(back.interrupted).toBe(false);
    expect(back.training.length).toBe(1);
  });

  it('is nothing once the stream has ended', () => {
    expect(view(frame('end', { status: 'completed' }), interrupted).interrupted).toBe(false);
  });

  it('loses nothing and doubles nothing when the stream starts over', () => {
    const events = [frame('training.started'), log({ step: 1, loss: 1 }), log({ step: 2, loss: 2 })];
    const again = view(...events, interrupted, ...events, log({ step: 3, loss: 3 }));
    expect(training(again)).toEqual({ steps: [1, 2, 3], values: [1, 2, 3] });
    expect(again.log).toHaveLength(4);
    expect(again.eventCount).toBe(4);
    expect(again.cursor).toBe(String(seq));
  });

  it('takes every frame of a stream without ids', () => {
    const anonymous = () => frame('training.log', { step: 1, loss: 1 }, '');
    expect(view(anonymous(), anonymous()).training.length).toBe(2);
  });
});

describe('the chart data', () => {
  it('takes numeric values only, and eval-only frames leave training alone', () => {
    const mixed = view(
      log({ step: 1, loss: 2 }),
      log({ step: 2, loss: null }),
      log({ step: 3, evalLoss: 1.5 }),
      log({ step: 4, loss: 0, evalLoss: 1 }),
      log({ step: 5, loss: '9', evalLoss: null }),
      log({ step: 4, loss: 0.5 }),
    );
    expect(training(mixed)).toEqual({ steps: [1, 4, 4], values: [2, 0, 0.5] });
    expect(evaluation(mixed)).toEqual({ steps: [3, 4], values: [1.5, 1] });
  });

  it('is left alone by a checkpoint, even by one with a loss', () => {
    expect(
      view(frame('checkpoint.saved', { step: 3, loss: 1, evalLoss: 2, artifacts: [] })).training.length,
    ).toBe(0);
  });
});

describe('what does not fit', () => {
  it.each([
    ['training.completed', 'completed'],
    ['training.failed', 'failed'],
  ])('still ends the run: %s', (event, status) => {
    for (const data of ['x', '', 'null', '[1]', '{"error":']) {
      const ended = reduceJobView(view(log({ step: 1, loss: 1 })), frame(event, data));
      expect(shownStatus(ended)).toBe(status);
    }
  });

  it.each([
    frame('message', { step: 1 }),
    frame('training.paused', { step: 1 }),
    frame('constructor', { step: 1 }),
    frame('training.log', '{"step":1'),
    frame('training.log', ''),
    frame('training.log', 'null'),
    frame('training.log', '[1]'),
    frame('training.log', '{"step":1,"loss":NaN}'),
    frame('training.log', { loss: 1 }),
    frame('training.log', { step: '1', loss: 1 }),
    frame('checkpoint.saved', {}),
  ])('is skipped, and what was there stays: %j', action => {
    const before = view(log({ step: 1, loss: 1 }));
    expect(reduceJobView(before, action)).toBe(before);
  });
});
