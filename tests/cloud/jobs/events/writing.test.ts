// What it costs to record a job's events, counted in statements and values.
import { beforeEach, expect, it } from 'vitest';
import { openInThread } from '../../../../lib/cloud/store/thread-client.js';
import type { Work } from '../../../../lib/cloud/store/thread-messages.js';
import { jobsToOpen } from '../jobs-per-test.js';

const cloud = jobsToOpen();
let bySession: Map<number, Work[]>;
beforeEach(() => {
  bySession = new Map();
});

const openDatabase: typeof openInThread = (...given) => {
  const { ask, tell } = openInThread(...given);
  const note = (session: number, work: Work) =>
    bySession.set(session, [...(bySession.get(session) ?? []), work]);
  return {
    ask(...asked) {
      note(...asked);
      return ask(...asked);
    },
    tell(...told) {
      note(...told);
      tell(...told);
    },
  };
};

/** The transactions that wrote steps. */
const writes = () =>
  [...bySession.values()].filter(works =>
    works.some(work => work.kind === 'query' && work.sql.startsWith('INSERT INTO steps')),
  );

const verbOf = (work: Work) => (work.kind === 'query' ? /^\w+/.exec(work.sql)![0].toLowerCase() : work.kind);

it('writes the steps that wait in one transaction of three statements', async () => {
  await cloud.openStarted({ openDatabase });
  const { id, run } = await cloud.begin();
  run.started();
  run.log(...Array.from({ length: 40 }, (_, index) => index + 1));
  await cloud.untilStep(id, 40);
  // They came while the start of the run was written.
  expect(writes().map(works => works.map(verbOf))).toEqual([
    ['begin', 'select', 'insert', 'update', 'commit'],
  ]);
});

it('binds only what the steps of a batch have', async () => {
  await cloud.openStarted({ openDatabase });
  const { id, run } = await cloud.begin();
  run.started();
  void run.tell('training.log', { step: 1, loss: 2 });
  void run.tell('training.log', { step: 2, loss: 1, evalLoss: 3 });
  await cloud.untilStep(id, 2);
  const inserts = writes()
    .flat()
    .flatMap(work => (work.kind === 'query' && verbOf(work) === 'insert' ? [work] : []));
  expect(inserts.map(({ parameters }) => parameters.length)).toEqual([2 * 6]);
  expect((await cloud.events(id)).slice(-2)).toMatchObject([
    { step: 1, loss: 2 },
    { step: 2, loss: 1, evalLoss: 3 },
  ]);
});
