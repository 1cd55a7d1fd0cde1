import { describe, expect, it } from 'vitest';
import { bellSequence, createDoneWatch, doneText, titleSign } from '../../lib/console/index.js';
import { sampleJob } from '../support/samples.js';
import { createVirtualClock } from '../support/virtual-clock.js';

const job = (id: string, status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled') =>
  sampleJob({ id, status });

describe('who wants to be told when runs end', () => {
  it('hears of those that were going on before, once, whether or not a list did not come meanwhile', async () => {
    const clock = createVirtualClock();
    const before = [job('a', 'running'), job('b', 'queued'), job('c', 'completed'), job('d', 'running')];
    const now = [
      job('a', 'completed'),
      job('b', 'cancelled'),
      job('c', 'completed'),
      job('d', 'running'),
      job('e', 'failed'),
    ];
    const answers = [before, null, now, now];
    const told: string[] = [];
    const watch = createDoneWatch({
      async listJobs() {
        const jobs = answers.shift();
        if (!jobs) throw new Error('away');
        return { jobs };
      },
      onDone: ({ id }, text) => told.push(`${id}: ${text.split(' ').at(-1)}`),
      clock,
    });
    watch.start();
    await clock.pass(15_000);
    watch.stop();
    expect(told).toEqual(['a: completed', 'b: cancelled']);
    expect(clock.waiting).toBe(0);
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
