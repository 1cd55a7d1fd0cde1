import { expect, it } from 'vitest';
import { offerRows } from '../../lib/console/index.js';

it('an endpoint without additions has nothing to show', () => {
  expect(offerRows({ operations: ['chat'], corsOrigins: [] })).toEqual([]);
});

it('operations and origins are shown once there are more, even ones that only a newer cloud knows', () => {
  expect(offerRows({ operations: ['chat', 'images'], corsOrigins: [] })).toEqual([
    { label: 'Operations', values: ['chat', 'images'] },
  ]);
  expect(offerRows({ operations: ['chat'], corsOrigins: ['https://app.example.com'] })).toEqual([
    { label: 'CORS', values: ['https://app.example.com'] },
  ]);
});

it('what it follows is shown, and the last three of what it served before', () => {
  const base = { operations: ['chat'], corsOrigins: [] };
  const jobId = '1a2b3c4d-0000-4000-8000-000000000001';
  const step = (at: number) => ({
    target: { kind: 'adapter', adapter: { kind: 'checkpoint', jobId, step: at } } as const,
    since: '2026-03-01T10:00:00.000Z',
  });
  const rows = offerRows({
    ...base,
    follows: { kind: 'best', jobId },
    earlierTargets: [40, 30, 20, 10].map(step),
  });
  expect(rows[0]).toEqual({ label: 'Follows', values: ['best of job 1a2b3c4d'] });
  expect(rows[1]!.values.map(value => value.split(' since ')[0])).toEqual(
    [40, 30, 20].map(at => `Checkpoint step ${at} (job 1a2b3c4d)`),
  );
  expect(offerRows({ ...base, follows: { kind: 'latest', trainer: 'triage' } })[0]!.values).toEqual([
    'latest of triage',
  ]);
});
