// The judge of the long runs has to notice what it is there for.
import { describe, expect, it } from 'vitest';
import type { JobEvent } from '../../lib/contract/index.js';
import { judgeLog, judgeNames, judgeReader, type NumberedEvent } from './judge.js';

const job = { id: 'j', status: 'completed' } as const;
const fine = { lost: [], doubled: [], wrong: [] };

function toLog(...events: object[]): NumberedEvent[] {
  return events.map((event, i) => ({
    seq: i + 1,
    event: { jobId: 'j', timestamp: `${i}`, ...event } as JobEvent,
  }));
}

const started = { type: 'training.started', totalSteps: 2 };
const step = (n: number, loss = 1 / n) => ({ type: 'training.log', step: n, loss });
const completed = (sha256 = 'a') => ({ type: 'training.completed', artifacts: [{ name: 'final', sha256 }] });
const end = { type: 'end', status: 'completed' };
const reference = toLog(started, step(1), step(2), completed(), end);

describe('the judge of a log', () => {
  it('finds nothing in a run that was resumed and is otherwise the same', () => {
    const log = toLog(started, step(1), { ...started, resumedFromStep: 1 }, step(2), completed(), end);
    expect(judgeLog(job, log, reference)).toEqual(fine);
  });

  it('names a step that is missing, one that is there twice and one with another loss', () => {
    expect(judgeLog(job, toLog(started, step(2), completed(), end), reference).lost).toEqual([
      'job j: step 1',
    ]);
    expect(judgeLog(job, toLog(step(1), step(1), step(2), completed(), end), reference).doubled).toEqual([
      'job j: step 1',
    ]);
    expect(judgeLog(job, toLog(step(1), step(2, 7), completed(), end), reference).wrong).toEqual([
      'job j: step 2 differs',
    ]);
  });

  it('names another adapter, a second end, a status that is no completion and a gap in the numbers', () => {
    const other = toLog(step(1), step(2), completed('b'), end);
    expect(judgeLog(job, other, reference).wrong).toEqual(['job j: completion differs']);
    expect(judgeLog(job, toLog(step(1), step(2), completed(), end, end), reference).doubled).toEqual([
      'job j: end',
    ]);
    expect(judgeLog({ ...job, status: 'running' }, reference, reference).wrong).toEqual(['job j is running']);
    const gap = reference.map(each => (each.seq === 5 ? { ...each, seq: 6 } : each));
    expect(judgeLog(job, gap, reference).wrong).toEqual(['job j: event 5 has number 6']);
  });
});

describe('the judge of a reader', () => {
  it('finds nothing where each event was told once and in order', () => {
    expect(judgeReader('j', reference, reference)).toEqual(fine);
  });

  it('names what was not told, told twice, told otherwise or out of order', () => {
    const [a, b, c, d, e] = reference as [
      NumberedEvent,
      NumberedEvent,
      NumberedEvent,
      NumberedEvent,
      NumberedEvent,
    ];
    expect(judgeReader('j', [a, b, c, e], reference).lost).toEqual(['job j: event 4 for its reader']);
    expect(judgeReader('j', [a, b, b, c, d, e], reference).doubled).toEqual([
      'job j: event 2 for its reader',
    ]);
    expect(judgeReader('j', [a, c, b, d, e], reference).wrong).toHaveLength(1);
    expect(judgeReader('j', [a, b, c, d, { seq: 5, event: d.event }], reference).wrong).toHaveLength(1);
  });
});

describe('the judge of names', () => {
  it('counts what is missing, there twice, or unasked', () => {
    expect(judgeNames('job', ['a', 'b', 'c'], ['b', 'c', 'c', 'd'])).toEqual({
      lost: ['job a'],
      doubled: ['job c'],
      wrong: ['job d, unasked'],
    });
  });
});
