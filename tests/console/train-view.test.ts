import { describe, expect, it } from 'vitest';
import { canRun, type RunState, runOutcome } from '../../lib/console/index.js';

const idle = { running: false, startedAt: null, jobId: null, exitCode: null };
const running = { ...idle, running: true, startedAt: '2026-03-01T10:00:00.000Z' };
const ready: RunState = {
  action: { kind: 'ready', label: 'Run training: a' },
  status: idle,
  busy: false,
};

describe('a run', () => {
  it('can be started when a trainer is known and nothing runs', () => {
    expect(canRun(ready)).toBe(true);
    expect(canRun({ ...ready, status: { ...running, running: false, exitCode: 1 } })).toBe(true);
  });

  it.each<[string, Partial<RunState>]>([
    ['the manifest has not come', { action: null }],
    ['there is no trainer', { action: { kind: 'missing', message: '' } }],
    ['the build failed', { action: { kind: 'broken', message: '' } }],
    ['a run is going', { status: running }],
    ['it is not known whether a run is going', { status: null }],
    ['one was just asked for', { busy: true }],
  ])('cannot be started while %s', (_, change) => {
    expect(canRun({ ...ready, ...change })).toBe(false);
  });

  it('says how it goes and how it went', () => {
    const ended = (exitCode: number | null) => runOutcome({ ...running, running: false, exitCode });
    expect([runOutcome(null), runOutcome(idle)]).toEqual([null, null]);
    expect(runOutcome(running)).toEqual({ state: 'running', text: 'running' });
    expect(ended(0)).toEqual({ state: 'completed', text: 'completed' });
    expect(ended(2)).toEqual({ state: 'failed', text: 'exited with code 2' });
    expect(ended(null)).toEqual({ state: 'failed', text: 'exited' });
  });
});
