import { expect, it } from 'vitest';
import { canaryLabel, canaryRows, canaryView, promoteQuestion, readShare } from '../../lib/console/index.js';
import type { Deployment } from '../../lib/contract/index.js';

const jobId = '1a2b3c4d-0000-4000-8000-000000000001';
const target = { kind: 'adapter', adapter: { kind: 'final', jobId } } as const;
const canary = {
  target: { kind: 'adapter', adapter: { kind: 'checkpoint', jobId, step: 40 } },
  share: 0.125,
  since: '2026-03-01T10:00:00.000Z',
} as const;
const none = { requests: 0, failed: 0, answers: 0, meanMs: null, promptTokens: 0, completionTokens: 0 };
const some = {
  requests: 1200,
  failed: 6,
  answers: 1000,
  meanMs: 1234,
  promptTokens: 45_500,
  completionTokens: 7000,
};

it.each([
  ['10%', 0.1],
  ['0.1', 0.1],
  ['.5', 0.5],
  ['99.5%', 0.995],
  [' 1 % ', null],
  ['0', null],
  ['100%', null],
  ['1', null],
  ['-5%', null],
  ['ten', null],
])('a share is a percentage or a fraction: %s', (typed, share) => {
  expect(readShare(typed)).toBe(share);
});

it('both targets are told with their shares and figures', () => {
  const [stable, trial] = canaryView({ target, canary, lastHour: { target: some, canary: none } })!.sides;
  expect(stable).toEqual({
    ...{ name: 'Stable', share: '87.5%', target: 'Final adapter (job 1a2b3c4d)' },
    ...{ requests: '1,200', failed: '6 (0.5%)', time: '1.2 s', tokens: '45.5 in, 7 out' },
  });
  expect(trial).toEqual({
    ...{ name: 'Canary', share: '12.5%', target: 'Checkpoint step 40 (job 1a2b3c4d)' },
    ...{ requests: '0', failed: null, time: null, tokens: null },
  });
  expect(canaryRows({ target, canary, lastHour: { target: some, canary: none } }, iso => iso)).toEqual([
    [
      'Stable',
      '87.5% of requests · Final adapter (job 1a2b3c4d) · 1,200 in the last hour · 6 (0.5%) failed · 1.2 s per answer · tokens per answer: 45.5 in, 7 out',
    ],
    [
      'Canary',
      `12.5% of requests · Checkpoint step 40 (job 1a2b3c4d) · 0 in the last hour · since ${canary.since}`,
    ],
  ]);
});

it('the figures of a cloud that started within the hour are of the time since then', () => {
  const lastHour = { target: some, canary: none, countedSince: '2026-01-02T03:04:05.000Z' };
  expect(canaryView({ target, canary, lastHour })!.period).toBe('since the cloud started');
  expect(canaryRows({ target, canary, lastHour })[0]![1]).toContain(' · 1,200 since the cloud started · ');
});

it('without a canary there is nothing to tell, and without figures only the shares', () => {
  expect(canaryView({ target, canary: null })).toBeNull();
  expect(canaryRows({ target })).toEqual([]);
  expect(canaryRows({ target, canary }, () => 'then')[1]![1]).toBe(
    '12.5% of requests · Checkpoint step 40 (job 1a2b3c4d) · since then',
  );
});

it('one that cannot serve says so, and who answers', () => {
  const problem = 'The adapter is damaged.';
  expect(canaryView({ target, canary: { ...canary, problem } })!.problem).toBe(
    'The canary cannot serve, so the stable target answers its requests: The adapter is damaged.',
  );
});

it('lists and questions name it', () => {
  expect([canaryLabel({}), canaryLabel({ canary })]).toEqual([
    null,
    '12.5% to Checkpoint step 40 (job 1a2b3c4d)',
  ]);
  expect(promoteQuestion({ slug: 'demo', canary } as Deployment).consequence).toContain('Checkpoint step 40');
});
