import { expect, it } from 'vitest';
import { type CloudLink, createLinkWatch, linkWithIdentity } from '../../lib/console/index.js';
import { ApiError } from '../../lib/contract/index.js';
import { createVirtualClock } from '../support/virtual-clock.js';

const AWAY = new ApiError('cloud_unreachable', 'It is away.');
const GONE = new ApiError('studio_unreachable', 'Gone.');

function watchOf(hasProject = true) {
  const clock = createVirtualClock();
  const told: [CloudLink, string | null][] = [];
  let asks = 0;
  const watch = createLinkWatch({
    ask: () => asks++,
    hasProject: () => hasProject,
    onChange: (link, problem) => told.push([link, problem]),
    clock,
  });
  return { clock, watch, told, asks: () => asks };
}

/** The cloud answered, Studio answered by itself, or a call failed. */
type Heard = 'cloud' | 'studio' | Error;

it.each<[what: string, heard: Heard[], link: CloudLink | undefined]>([
  ['is there once it answered', ['cloud'], 'up'],
  ['is there again once it answered', [AWAY, 'cloud'], 'up'],
  ['is not known to be there by what Studio answers by itself', ['studio'], undefined],
  ['is still away after what Studio answers by itself', [AWAY, 'studio'], 'away'],
  ['is unknown when Studio is there again', [GONE, 'studio'], 'unknown'],
  ['is away when it cannot be reached', ['cloud', AWAY], 'away'],
  ['is not asked by a Studio that is gone', ['cloud', GONE], 'studio_gone'],
  ['is not away for a refusal', ['cloud', new ApiError('job_not_found', 'no such job')], 'up'],
  ['is not away for an error of our own', ['cloud', new Error('broken')], 'up'],
])('the cloud %s', (_, heard, link) => {
  const { watch, told } = watchOf();
  for (const one of heard) {
    if (one instanceof Error) watch.failed(one);
    else watch.answered(one === 'cloud');
  }
  expect(told.at(-1)?.[0]).toBe(link);
});

it('was asked when it gave an identity, which does not tell whether it is there now', () => {
  expect(linkWithIdentity('unknown')).toBe('known');
  for (const link of ['up', 'away', 'studio_gone'] as const) expect(linkWithIdentity(link)).toBe(link);
});

it('what the last failure said stays until the cloud answers, and each change is told once', () => {
  const { watch, told } = watchOf();
  watch.failed(AWAY);
  watch.answered(false);
  watch.failed(AWAY);
  watch.answered(true);
  watch.answered(true);
  watch.failed(GONE);
  expect(told).toEqual([
    ['away', AWAY.message],
    ['up', null],
    ['studio_gone', GONE.message],
  ]);
});

it.each<[what: string, heard: 'cloud' | Error, hasProject: boolean, after: number | null]>([
  ['now and then', 'cloud', true, 20_000],
  ['never without a project, which Studio answers by itself', 'cloud', false, null],
  ['soon while it is away', AWAY, true, 5000],
  ['soon while it is away, without a project, too', AWAY, false, 5000],
])('the cloud is asked only to find out where nothing else asks: %s', async (_, heard, hasProject, after) => {
  const { clock, watch, asks } = watchOf(hasProject);
  if (heard instanceof Error) watch.failed(heard);
  else watch.answered(true);
  await clock.pass((after ?? 60_000) - 1);
  expect(asks()).toBe(0);
  await clock.pass(1);
  expect(asks()).toBe(after === null ? 0 : 1);
  watch.asked();
  watch.stop();
  expect(clock.waiting).toBe(0);
});

it('is not asked while something else asks', async () => {
  const { clock, watch, asks } = watchOf();
  watch.answered(true);
  for (let seconds = 0; seconds < 60; seconds += 10) {
    await clock.pass(10_000);
    watch.asked();
  }
  expect(asks()).toBe(0);
});
