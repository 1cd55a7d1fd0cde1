import { describe, expect, it } from 'vitest';
import {
  COLUMN_CHOICES,
  createSettingsBook,
  jobColumns,
  readColumns,
  toggleColumn,
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
    expect(readColumns('')).toEqual([]);
    expect(readColumns('settings,unknown,duration')).toEqual(['duration', 'settings']);
    expect(toggleColumn(['duration'], 'note')).toEqual(['duration', 'note']);
    expect(toggleColumn(['duration', 'note'], 'duration')).toEqual(['note']);
    expect([wantsSettings([]), wantsSettings(['settings'])]).toEqual([false, true]);
  });

  it('say what a run took and reached; a final loss only of a completed run', () => {
    const columns = jobColumns(
      COLUMN_CHOICES.map(({ key }) => key),
      [done, running, queued],
      new Map(),
    );
    expect(columns.map(({ title }) => title)).toEqual([
      'Duration',
      'Final loss',
      'Final eval loss',
      'Best loss',
      'Best eval loss',
      'Best score',
      'Note',
    ]);
    const row = (job: typeof done) => columns.map(({ text }) => text(job, NOW));
    expect(row(done)).toEqual([
      '1 min 30 s',
      '0.1235',
      '0.5',
      '0.125',
      '0.25',
      'accuracy 0.9',
      'first second',
    ]);
    expect(row(running)).toEqual(['5.0 s', '–', '–', '1', '–', '–', '–']);
    expect(row(queued)).toEqual(['–', '–', '–', '–', '–', '–', '–']);
  });

  it('have one for each setting that varies among the listed jobs', () => {
    const known = new Map([
      settings('a', { loraR: 8, seed: 0 }, ['loraR']),
      settings('b', { loraR: 16, seed: 0 }),
      settings('other', { loraR: 16, seed: 1 }),
    ]);
    const columns = jobColumns(['settings'], [done, running, queued], known);
    expect(columns.map(({ title }) => title)).toEqual(['loraR']);
    expect([done, running, queued].map(job => columns[0]!.text(job, NOW))).toEqual(['8', '16', '–']);
  });
});

describe('the settings of listed jobs', () => {
  it('are asked for once each, at most 500 at a time', async () => {
    const asked: number[] = [];
    let news = 0;
    const book = createSettingsBook(
      async ids => {
        asked.push(ids.length);
        return ids.map(id => settings(id, {})[1]);
      },
      () => news++,
    );
    const ids = Array.from({ length: 501 }, (_, index) => `job-${index}`);
    await book.want(ids);
    await book.want([...ids, 'new']);
    expect(asked).toEqual([500, 1, 1]);
    expect(news).toBe(3);
    expect(book.known.size).toBe(502);
  });

  it('are asked for again after a refusal', async () => {
    let isAway = true;
    const book = createSettingsBook(
      async ids => {
        if (isAway) throw new Error('away');
        return ids.map(id => settings(id, {})[1]);
      },
      () => {},
    );
    await book.want(['a']);
    expect(book.known.size).toBe(0);
    isAway = false;
    await book.want(['a']);
    expect([...book.known.keys()]).toEqual(['a']);
  });
});
