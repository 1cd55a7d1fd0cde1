import { describe, expect, it } from 'vitest';
import { bellSequence, doneText, endedJobs, titleSign } from '../../lib/console/index.js';
import { sampleJob } from '../support/samples.js';

const job = (id: string, status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled') =>
  sampleJob({ id, status });

describe('who wants to be told when runs end', () => {
  it('hears of those that were going on before, once', () => {
    const before = [job('a', 'running'), job('b', 'queued'), job('c', 'completed'), job('d', 'running')];
    const now = [
      job('a', 'completed'),
      job('b', 'cancelled'),
      job('c', 'completed'),
      job('d', 'running'),
      job('e', 'failed'),
    ];
    expect(endedJobs(before, now).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(endedJobs(now, now)).toEqual([]);
    expect(endedJobs([], now)).toEqual([]);
  });

  it('hears how they ended, and why one failed', () => {
    expect(doneText({ name: 'triage', status: 'completed', error: null })).toBe('triage completed');
    expect(doneText({ name: 'triage', status: 'failed', error: 'row 17: no answer\nmore' })).toBe(
      'triage failed: row 17: no answer',
    );
  });

  it('sees it in the title of the tab', () => {
    expect(titleSign('running', 0.456, true)).toBe('45 %');
    expect(titleSign('running', null, true)).toBeNull();
    expect(titleSign('completed', 1, true)).toBe('✓');
    expect(titleSign('failed', 0.5, true)).toBe('✗');
    expect(titleSign('completed', 1, false)).toBeNull();
  });

  it('has the bell and the notification of the terminal, which nothing in a name can end', () => {
    expect(bellSequence('a\u0007b\u001b[2J done')).toBe('\u0007\u001b]9;ab done\u0007');
    expect(bellSequence('done', { TMUX: '/tmp/x' })).toBe(
      '\u0007\u001bPtmux;\u001b\u001b]9;done\u0007\u001b\\',
    );
  });
});
