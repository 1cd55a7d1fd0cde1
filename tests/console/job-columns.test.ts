// Columns of the list of jobs, and the settings in which jobs differ.
import { describe, expect, it } from 'vitest';
import {
  createSettingsBook,
  jobColumns,
  readColumns,
  settingRows,
  terminalColumnKeys,
  toggleColumn,
  variedSettings,
  wantsSettings,
} from '../../lib/console/index.js';
import type { JobSettings } from '../../lib/contract/index.js';
import { sampleJob } from '../support/samples.js';

const done = sampleJob({
  id: 'a',
  status: 'completed',
  startedAt: '2026-03-01T10:00:00.000Z',
  completedAt: '2026-03-01T10:01:30.000Z',
  loss: 0.123456,
  evalLoss: 0.5,
  bestLoss: 0.125,
  bestEvalLoss: 0.25,
  bestScore: { name: 'accuracy', value: 0.9, higher: true },
  note: 'first\nsecond',
});
const running = sampleJob({ id: 'b', status: 'running', startedAt: done.startedAt, loss: 1, bestLoss: 1 });
const queued = sampleJob({ id: 'c', status: 'queued', startedAt: null });
const NOW = Date.parse('2026-03-01T10:00:05.000Z');

const settings = (id: string, config: object, customSettings: string[] = []): [string, JobSettings] => [
  id,
  { id, config: { ...config }, customSettings },
];

describe('the columns to choose', () => {
  it('are none at first, and stay in one order', () => {
    expect([readColumns(''), readColumns('settings,unknown,duration')]).toEqual([
      [],
      ['duration', 'settings'],
    ]);
    expect(toggleColumn(['duration'], 'note')).toEqual(['duration', 'note']);
    expect(toggleColumn(['duration', 'note'], 'duration')).toEqual(['note']);
    expect([wantsSettings([]), wantsSettings(['settings'])]).toEqual([false, true]);
  });

  it('say what a run took and reached; a final loss only of a completed run', () => {
    const keys = 'duration loss evalLoss bestLoss bestEvalLoss bestScore note'.split(' ');
    const columns = jobColumns(keys, [done, running, queued], new Map());
    const rows = columns.map(({ title, text }) => [
      title,
      ...[done, running, queued].map(job => text(job, NOW)),
    ]);
    expect(rows).toEqual([
      ['Duration', '1 min 30 s', '5.0 s', '–'],
      ['Final loss', '0.1235', '–', '–'],
      ['Final eval loss', '0.5', '–', '–'],
      ['Best loss', '0.125', '1', '–'],
      ['Best eval loss', '0.25', '–', '–'],
      ['Best score', 'accuracy 0.9', '–', '–'],
      ['Note', 'first second', '–', '–'],
    ]);
  });

  it('are those with a value in a terminal, and no losses if all runs learn from rewards', () => {
    const rewarded = { ...running, reward: 0.5, bestReward: 0.75 };
    expect(terminalColumnKeys([rewarded, queued])).toEqual(['duration', 'reward', 'bestReward']);
    const losses = ['loss', 'evalLoss', 'bestLoss', 'bestEvalLoss'];
    const mixed = ['duration', 'loss', 'bestLoss', 'reward', 'bestReward'];
    expect(terminalColumnKeys([{ ...rewarded, evalLoss: 1, bestEvalLoss: 1 }, running])).toEqual(mixed);
    expect(terminalColumnKeys([running, done])).toEqual(['duration', ...losses, 'bestScore']);
    expect(terminalColumnKeys([queued])).toEqual(['duration', ...losses]);
  });

  it('have one for each setting that varies among the listed jobs', () => {
    const known = new Map([
      settings('a', { loraR: 8, seed: 0 }, ['loraR']),
      settings('b', { loraR: 16, seed: 0 }),
      settings('other', { loraR: 16, seed: 1 }),
    ]);
    const [column, ...others] = jobColumns(['settings'], [done, running, queued], known);
    expect([column!.title, others]).toEqual(['loraR', []]);
    expect([done, running, queued].map(job => column!.text(job, NOW))).toEqual(['8', '16', '–']);
  });
});

it('the settings of listed jobs are asked for once each, at most 500 at a time', async () => {
  const asked: number[] = [];
  let news = 0;
  const ask = async (ids: readonly string[]) => {
    asked.push(ids.length);
    return ids.map(id => settings(id, {})[1]);
  };
  const book = createSettingsBook(ask, () => news++);
  const ids = Array.from({ length: 501 }, (_, index) => `job-${index}`);
  await book.want(ids);
  await book.want([...ids, 'new']);
  expect([asked, news, book.known.size]).toEqual([[500, 1, 1], 3, 502]);
});

it('the settings of listed jobs are asked for again after a refusal', async () => {
  const answers = [Promise.reject(new Error('away')), Promise.resolve([settings('a', {})[1]])];
  const book = createSettingsBook(
    () => answers.shift()!,
    () => {},
  );
  await book.want(['a']);
  expect(book.known.size).toBe(0);
  await book.want(['a']);
  expect([...book.known.keys()]).toEqual(['a']);
});

describe('the settings in which runs differ', () => {
  const config = {
    model: 'tiny',
    loraR: 16,
    learningRate: 1e-3,
    targetModules: ['q_proj', 'v_proj'],
    seed: 0,
  };
  const upload = (datasetId: string, name: string) => ({
    config: { datasetSource: { type: 'upload', datasetId } },
    fileNames: { [datasetId]: name },
  });

  const runs = (...changes: object[]) => changes.map(change => ({ config: { ...config, ...change } }));
  const [a, b, otherA] = [upload('1c5b', 'a.jsonl'), upload('2d6c', 'b.jsonl'), upload('2d6c', 'a.jsonl')];

  it.each<[string, Parameters<typeof variedSettings>[0], Record<string, (string | null)[]>]>([
    [
      'are those with more than one value',
      runs({}, { learningRate: 2e-3 }, { loraR: 8 }),
      { loraR: ['16', '16', '8'], learningRate: ['0.001', '0.002', '0.001'] },
    ],
    ['are none for no runs', [], {}],
    ['are none for one run', runs({}), {}],
    ['are none for equal runs', runs({}, {}), {}],
    ['are none where only one run has known ones', [{}, ...runs({})], {}],
    [
      'include one that only some of the runs have',
      runs({}, { evalFraction: 0.1 }, { seed: null }),
      { seed: ['0', '0', null], evalFraction: [null, '0.1', null] },
    ],
    [
      'ignore a run with unknown ones',
      [{ config: null }, ...runs({}, { seed: 7 })],
      { seed: [null, '0', '7'] },
    ],
    ['name uploaded files', [a, b], { datasetSource: ['upload a.jsonl', 'upload b.jsonl'] }],
    ['name namesakes by their IDs', [a, otherA], { datasetSource: ['upload 1c5b', 'upload 2d6c'] }],
  ])('%s', (_, jobs, varied) => {
    const wanted = Object.entries(varied).map(([name, values]) => ({ name, values }));
    expect(variedSettings(jobs)).toEqual(wanted);
  });

  it('stand in the order and the words of the settings of a run, those that a run chose first', () => {
    const first = { config, customSettings: [] };
    const changed = { ...config, loraR: 8, targetModules: ['q_proj'], seed: 3 };
    const varied = variedSettings([first, { config: changed, customSettings: ['targetModules'] }]);
    expect(varied.map(({ name }) => name)).toEqual(['targetModules', 'loraR', 'seed']);
    const words = settingRows(first).find(({ name }) => name === 'targetModules')!.value;
    expect(varied[0]!.values).toEqual([words, 'q_proj']);
  });
});
