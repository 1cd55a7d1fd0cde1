import { describe, expect, it } from 'vitest';
import {
  busiestEndpoints,
  hasActivity,
  requestsText,
  resultText,
  sparkLevels,
  trainerText,
  underWayText,
} from '../../lib/console/index.js';
import { appendPoint, emptySeries } from '../../lib/console/series.js';
import { sampleJob } from '../support/samples.js';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const endpoint = (slug: string, requests: number, fields = {}) => ({
  id: '2a2b3c4d-0000-4000-8000-000000000002',
  slug,
  enabled: true,
  requests,
  failed: 0,
  ...fields,
});

describe('the overview', () => {
  it('says what the trainer trains on, as far as that is known', () => {
    const trainer = { name: 'triage', model: 'svc/tiny', maxSteps: 1 };
    expect(trainerText({ ...trainer, data: { name: 'rows.jsonl', bytes: 69_321 } })).toBe(
      'svc/tiny · 1 step · rows.jsonl (69.3 kB)',
    );
    expect(trainerText({ ...trainer, maxSteps: undefined, data: { rows: 40 } })).toBe('svc/tiny · 40 rows');
    expect(trainerText({ ...trainer, data: { name: 'org/set' } })).toBe('svc/tiny · 1 step · org/set');
    expect(trainerText(trainer)).toBe('svc/tiny · 1 step');
  });

  it('says how far a run is, or what it waits for', () => {
    expect(underWayText(sampleJob({ step: 140, totalSteps: 2000, loss: 0.51234 }))).toBe(
      'step 140 of 2,000 · loss 0.5123',
    );
    expect(underWayText(sampleJob())).toBe('step 0');
    expect(underWayText(sampleJob({ status: 'queued' }))).toBe('Waiting in the queue.');
    expect(underWayText(sampleJob({ status: 'queued', waitingFor: 'Waiting for a GPU.' }))).toBe(
      'Waiting for a GPU.',
    );
  });

  it('says what a run reached, or why it failed, and when', () => {
    const completedAt = '2026-03-01T09:00:00.000Z';
    expect(resultText(sampleJob({ status: 'completed', bestLoss: 0.25, completedAt }), NOW)).toBe(
      'best loss 0.25 · 3 hours ago',
    );
    const evaluated = { bestLoss: 0.25, bestEvalLoss: 0.5 };
    expect(resultText(sampleJob({ status: 'completed', ...evaluated }), NOW)).toBe('best eval loss 0.5');
    const bestScore = { name: 'accuracy', value: 0.9375, higher: true };
    expect(resultText(sampleJob({ status: 'completed', ...evaluated, bestScore }), NOW)).toBe(
      'best accuracy 0.9375',
    );
    expect(resultText(sampleJob({ status: 'failed', error: 'No rows.\nAdd some.' }), NOW)).toBe('No rows.');
    expect(resultText(sampleJob({ status: 'cancelled' }), NOW)).toBe('');
  });

  it('says how much an endpoint is asked, the busiest first', () => {
    expect(requestsText(endpoint('a', 1))).toBe('1 request in the last hour');
    expect(requestsText(endpoint('a', 1200, { failed: 3 }))).toBe(
      '1,200 requests in the last hour, 3 failed',
    );
    expect(requestsText(endpoint('a', 0, { enabled: false }))).toBe('disabled');
    const overview = {
      running: [],
      recent: [],
      endpoints: [endpoint('quiet', 0), endpoint('busy', 9), endpoint('some', 2)],
    };
    expect(busiestEndpoints(overview, 2).map(({ slug }) => slug)).toEqual(['busy', 'some']);
    expect([hasActivity(overview), hasActivity({ running: [], recent: [], endpoints: [] })]).toEqual([
      true,
      false,
    ]);
  });

  it('draws a series in one row', () => {
    const series = [5, 4, 3, 1].reduce((all, value, step) => appendPoint(all, step, value), emptySeries);
    expect(sparkLevels(series, 10, 5)).toEqual([4, 3, 2, 0]);
    expect(sparkLevels(series, 2, 5)).toEqual([3, 0]);
    expect(sparkLevels(emptySeries, 10, 5)).toEqual([]);
  });
});
