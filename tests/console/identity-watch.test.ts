// When the identity is asked for again, in a time that passes at once.
import { expect, it } from 'vitest';
import { createIdentityWatch, IDENTITY_POLL_MS } from '../../lib/console/index.js';
import { ApiError, type Identity } from '../../lib/contract/index.js';
import { createVirtualClock } from '../support/virtual-clock.js';

const RETRY_MS = 5000;

function watchOf(answer: Identity | Error, isOver = () => false) {
  const clock = createVirtualClock();
  const told: unknown[] = [];
  let asked = 0;
  const watch = createIdentityWatch({
    async getIdentity() {
      asked++;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    onIdentity: identity => told.push(identity),
    onError: error => told.push(error),
    isOver,
    retryMs: RETRY_MS,
    clock,
  });
  return { clock, told, watch, asked: () => asked };
}

it.each<[string, Identity | ApiError, number | null]>([
  ['there is no project yet', { projectSlug: null } as Identity, IDENTITY_POLL_MS],
  ['the cloud is away', new ApiError('cloud_unreachable', 'away'), RETRY_MS],
  ['there is a project', { projectSlug: 'shop' } as Identity, null],
  ['it is refused for good', new ApiError('studio_token_invalid', 'no'), null],
])(
  'while %s, it is asked for again after the right time, until that is stopped',
  async (_, answer, after) => {
    const { clock, asked, told, watch } = watchOf(answer);
    await watch.ask();
    expect(told).toEqual([answer]);
    expect(clock.nextMs).toBe(after);
    await clock.pass(after ?? 60_000);
    expect(asked()).toBe(after === null ? 1 : 2);
    watch.stop();
    expect(clock.waiting).toBe(0);
  },
);

it.each([
  ['shop', 1],
  [null, 2],
])('when there may be a project, it is asked for once more unless one is known: %s', async (slug, times) => {
  const { watch, asked } = watchOf({ projectSlug: slug } as Identity);
  await watch.ask();
  watch.noticeProject();
  expect([asked(), watch.identity?.projectSlug]).toEqual([times, slug]);
});

it.each([{ projectSlug: null } as Identity, new ApiError('cloud_unreachable', 'away')])(
  'nothing is told once nobody wants to know: %#',
  async answer => {
    const { clock, told, watch } = watchOf(answer, () => true);
    await watch.ask();
    expect([told, clock.waiting]).toEqual([[], 0]);
  },
);
