// What is asked again and again: the cloud, the identity, and jobs that someone waits for.
import { describe, expect, it } from 'vitest';
import {
  bellSequence,
  type CloudLink,
  createDoneWatch,
  createIdentityWatch,
  createLinkWatch,
  doneText,
  IDENTITY_CHECK_MS,
  IDENTITY_POLL_MS,
  linkWithIdentity,
  titleSign,
} from '../../lib/console/index.js';
import { ApiError, type Identity, type JobStatus } from '../../lib/contract/index.js';
import { sampleJob } from '../support/samples.js';
import { createVirtualClock } from '../support/virtual-clock.js';

const AWAY = new ApiError('cloud_unreachable', 'It is away.');
const GONE = new ApiError('studio_unreachable', 'Gone.');

describe('the cloud', () => {
  /** It answered, Studio answered by itself, or a call failed. */
  type Heard = 'cloud' | 'studio' | Error;

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
    const hear = (heard: Heard) => {
      if (heard instanceof Error) watch.failed(heard);
      else watch.answered(heard === 'cloud');
    };
    return { clock, watch, told, hear, asks: () => asks };
  }

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
  ])('%s', (_, heard, link) => {
    const { hear, told } = watchOf();
    heard.forEach(hear);
    expect(told.at(-1)?.[0]).toBe(link);
  });

  it('was asked when it gave an identity, which does not tell whether it is there now', () => {
    const links = (['unknown', 'up', 'away', 'studio_gone'] as const).map(linkWithIdentity);
    expect(links).toEqual(['known', 'up', 'away', 'studio_gone']);
  });

  it('has what the last failure said until it answers, and each change is told once', () => {
    const { hear, told } = watchOf();
    for (const heard of [AWAY, 'studio', AWAY, 'cloud', 'cloud', GONE] as const) hear(heard);
    expect(told).toEqual([
      ['away', AWAY.message],
      ['up', null],
      ['studio_gone', GONE.message],
    ]);
  });

  it.each<[what: string, heard: Heard, hasProject: boolean, after: number | null]>([
    ['now and then', 'cloud', true, 20_000],
    ['never without a project, which Studio answers by itself', 'cloud', false, null],
    ['soon while it is away', AWAY, true, 5000],
    ['soon while it is away, without a project, too', AWAY, false, 5000],
  ])('is asked only to find out where nothing else asks: %s', async (_, heard, hasProject, after) => {
    const { clock, watch, hear, asks } = watchOf(hasProject);
    hear(heard);
    await clock.pass((after ?? 60_000) - 1);
    expect(asks()).toBe(0);
    await clock.pass(1);
    expect(asks()).toBe(after === null ? 0 : 1);
    watch.callStarted();
    watch.stop();
    expect(clock.waiting).toBe(0);
  });

  it('is not asked while something else asks', async () => {
    const { clock, watch, hear, asks } = watchOf();
    hear('cloud');
    for (let seconds = 0; seconds < 60; seconds += 10) {
      await clock.pass(10_000);
      watch.callStarted();
    }
    expect(asks()).toBe(0);
  });
});

describe('the identity', () => {
  const RETRY_MS = 5000;
  const withProject = (projectSlug: string | null) => ({ projectSlug }) as Identity;

  function watchOf(answer: Identity | Error, isOver = () => false) {
    const clock = createVirtualClock();
    const told: unknown[] = [];
    const asked: ('known' | 'any')[] = [];
    const watch = createIdentityWatch({
      async getIdentity({ known }) {
        asked.push(known ? 'known' : 'any');
        if (answer instanceof Error) throw answer;
        return answer;
      },
      onIdentity: identity => told.push(identity),
      onError: error => told.push(error),
      isOver,
      retryMs: RETRY_MS,
      clock,
    });
    const become = (next: Identity | Error) => {
      answer = next;
    };
    return { clock, told, watch, become, asked };
  }

  it.each<[string, Identity | ApiError, number | null]>([
    ['there is no project yet', withProject(null), IDENTITY_POLL_MS],
    ['the cloud is away', AWAY, RETRY_MS],
    ['the credentials are being written', new ApiError('credentials_invalid', 'half'), RETRY_MS],
    ['the state file is being written', new ApiError('state_invalid', 'half'), RETRY_MS],
    ['there is a project', withProject('shop'), IDENTITY_CHECK_MS],
    ['someone has to sign in', new ApiError('anonymous_disabled', 'Run svc login.'), IDENTITY_CHECK_MS],
    ['it is refused for good', new ApiError('studio_token_invalid', 'no'), null],
  ])('is asked for again after the right time while %s, until that is stopped', async (_, answer, after) => {
    const { clock, asked, told, watch } = watchOf(answer);
    await watch.ask();
    expect([told, clock.nextMs]).toEqual([[answer], after]);
    await clock.pass(after ?? 60_000);
    expect(asked).toHaveLength(after === null ? 1 : 2);
    watch.stop();
    expect(clock.waiting).toBe(0);
  });

  it('is looked at now and then once there is a project, or on request, and none is made for that', async () => {
    const { clock, told, watch, become, asked } = watchOf(withProject('shop'));
    const signedOut = new ApiError('unauthenticated', 'No identity yet.');
    await watch.ask();
    for (const next of [withProject('other'), signedOut, AWAY]) {
      become(next);
      await clock.pass(IDENTITY_CHECK_MS);
    }
    become(withProject('shop'));
    await clock.pass(RETRY_MS);
    await watch.check();
    const identities = ['shop', 'other', signedOut, AWAY, 'shop', 'shop'].map(found =>
      found instanceof Error ? found : withProject(found),
    );
    expect(told).toEqual(identities);
    expect(asked).toEqual(['any', ...Array(5).fill('known')]);
    watch.stop();
  });

  it('is not made again when someone has signed out while there is no project, or with another base model', async () => {
    const { clock, watch, asked } = watchOf({ ...withProject(null), baseModel: 'test/tiny' });
    await watch.ask();
    await clock.pass(IDENTITY_POLL_MS);
    watch.noticeModel('test/other');
    await clock.pass(0);
    watch.stop();
    expect(asked).toEqual(['any', 'known', 'known']);
  });

  it('is asked for, and made, on request while there is none', async () => {
    const { clock, watch, asked } = watchOf(AWAY);
    await watch.ask();
    await watch.check();
    await clock.pass(RETRY_MS);
    watch.stop();
    expect(asked).toEqual(['any', 'any', 'any']);
  });

  it.each([
    ['shop', 1],
    [null, 2],
  ])('is asked for once more when there may be a project, unless one is known: %s', async (slug, times) => {
    const { watch, asked } = watchOf(withProject(slug));
    await watch.ask();
    watch.noticeProject();
    expect([asked.length, watch.identity?.projectSlug]).toEqual([times, slug]);
  });

  it.each([
    ['test/tiny', 1],
    [undefined, 1],
    ['test/new', 2],
  ])('is asked for once more when the cloud has another base model than it says: %s', async (name, times) => {
    const { watch, asked } = watchOf({ ...withProject('shop'), baseModel: 'test/tiny' });
    watch.noticeModel(name);
    expect(asked).toHaveLength(0);
    await watch.ask();
    watch.noticeModel(name);
    expect(asked).toHaveLength(times);
  });

  it.each([withProject(null), AWAY])('is not told once nobody wants to know: %#', async answer => {
    const { clock, told, watch } = watchOf(answer, () => true);
    await watch.ask();
    expect([told, clock.waiting]).toEqual([[], 0]);
  });

  it('is not asked for once nobody wants to know', async () => {
    let isOver = false;
    const { clock, watch, asked } = watchOf(withProject('shop'), () => isOver);
    await watch.ask();
    isOver = true;
    await clock.pass(IDENTITY_CHECK_MS);
    expect([asked.length, clock.waiting]).toEqual([1, 0]);
  });
});

describe('who wants to be told when runs end', () => {
  it('hears of those that were going on or did not exist before, once, whether or not a list did not come', async () => {
    const clock = createVirtualClock();
    const createdAt = new Date(clock.now()).toISOString();
    const earlier = new Date(clock.now() - 1).toISOString();
    const origin = { provider: 'openai', id: 'ft-1', model: 'gpt', fineTunedModel: null };
    const jobsOf = (statuses: Record<string, JobStatus>) =>
      Object.entries(statuses).map(([id, status]) => sampleJob({ id, status, createdAt }));
    const before = jobsOf({ a: 'running', b: 'queued', c: 'completed', d: 'running' });
    const now = [
      ...jobsOf({ a: 'completed', b: 'cancelled', c: 'completed', d: 'running', e: 'failed', f: 'queued' }),
      sampleJob({ id: 'of another project', status: 'completed', createdAt: earlier }),
      sampleJob({ id: 'imported', status: 'completed', createdAt, origin }),
      sampleJob({ id: 'an imported file', status: 'completed', createdAt, startedAt: null }),
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
    expect([told, clock.waiting]).toEqual([['a: completed', 'b: cancelled', 'e: failed'], 0]);
  });

  it('hears nothing of those that ended while nobody listened', async () => {
    const clock = createVirtualClock();
    let jobs = [sampleJob({ status: 'running' })];
    let answer: (() => void) | undefined;
    const told: string[] = [];
    const watch = createDoneWatch({
      listJobs: () =>
        new Promise(resolve => {
          const found = { jobs };
          answer = () => resolve(found);
        }),
      onDone: (_, text) => told.push(text),
      clock,
    });
    const look = async () => {
      await clock.pass(5000);
      answer!();
      await clock.pass(0);
    };
    watch.start();
    await look();
    await clock.pass(5000);
    watch.stop();
    answer!();
    await clock.pass(0);
    jobs = [sampleJob({ status: 'completed' })];
    watch.start();
    await look();
    await look();
    expect(told).toEqual([]);
    watch.stop();
  });

  it('hears how they ended, and why one failed', () => {
    const job = { name: 'triage', error: 'row 17: no answer\nmore' };
    const texts = [
      doneText({ ...job, status: 'completed', error: null }),
      doneText({ ...job, status: 'failed' }),
    ];
    expect(texts).toEqual(['triage completed', 'triage failed: row 17: no answer']);
  });

  it.each([
    ['running', 0.456, true, '45 %'],
    ['running', 29 / 100, true, '29 %'],
    ['running', 0.9999, true, '99 %'],
    ['running', null, true, null],
    ['completed', 1, true, '✓'],
    ['failed', 0.5, true, '✗'],
    ['completed', 1, false, null],
  ] as const)('sees in the title of the tab how it stands: %s, %d, %s', (status, fraction, isAsked, sign) =>
    expect(titleSign(status, fraction, isAsked)).toBe(sign),
  );

  it('has the bell and the notification of the terminal, which nothing in a name can end', () => {
    expect(bellSequence('a\u0007b\u001b[2J done')).toBe('\u0007\u001b]9;ab done\u0007');
    const inTmux = '\u0007\u001bPtmux;\u001b\u001b]9;done\u0007\u001b\\';
    expect(bellSequence('done', { TMUX: '/tmp/x' })).toBe(inTmux);
  });
});
