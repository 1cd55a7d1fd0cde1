// What this machine's runs compute on, by what a trial of its GPU found. The trial and the machine are played.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isCloudError } from '../../../lib/cloud/cloud-error.js';
import { createDeviceChoice, type DeviceOptions } from '../../../lib/cloud/host/device-choice.js';
import type { DeviceProbe } from '../../../lib/engine/index.js';
import type { GpuFacts } from '../../../lib/system/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const CARD: GpuFacts = { name: 'A card', driver: '1.0' };
const RIGHT = { difference: 1e-7, isRight: true };
const FAST: DeviceProbe['findings'] = {
  answering: RIGHT,
  own: { cpu: 100, gpu: 1200 },
  answers: { one: { cpu: 10, gpu: 30 }, many: { cpu: 40, gpu: 80 } },
};
const SLOW: DeviceProbe['findings'] = { answering: RIGHT, own: { cpu: 100, gpu: 101 } };
const SLOW_CHATS = 'The GPU is not faster at answering with this base model.';
const WRONG = 'The GPU computes Softmax differently from the CPU.';

interface Played extends Partial<DeviceOptions> {
  gpu?: GpuFacts | null;
  findings?: DeviceProbe['findings'];
  problem?: string | null;
}

function play({ gpu = CARD, findings = FAST, problem = null, ...options }: Played = {}) {
  const trials: string[] = [];
  const device = createDeviceChoice({
    folder: temporaryFolder('svc-device-choice'),
    version: '1',
    baseModel: { name: 'tiny', folder: '/models/tiny', digest: 'd' },
    setting: 'auto',
    weights: 'auto',
    find: async () => gpu,
    probe({ measures }) {
      trials.push(measures);
      return { ended: Promise.resolve({ findings, problem }), kill() {} };
    },
    ...options,
  });
  const waits: (string | null)[] = [];
  return {
    ...device,
    trials,
    waits,
    choose: () => device.choose({ waitsFor: reason => waits.push(reason) }),
  };
}

const GPU = { type: 'gpu', name: 'A card' };
const UNKNOWN = { used: 'cpu', reason: 'The GPU has not been compared with it yet.' };
/** Chats are like runs, unless said otherwise. */
const used = (setting: string, device: 'cpu' | 'gpu' | null, more: object = {}) => ({
  setting,
  used: device,
  ...(setting !== 'cpu' && { answers: { used: device, ...more } }),
  ...more,
});

describe('the device of runs', () => {
  it.each<[string, Played, object, object]>([
    ['cpu, whatever the machine has', { setting: 'cpu' }, { type: 'cpu' }, used('cpu', 'cpu')],
    [
      'auto, if the GPU is right and faster',
      {},
      GPU,
      {
        ...used('auto', 'gpu', { name: 'A card', speedup: 12 }),
        answers: { used: 'gpu', name: 'A card', speedup: 2 },
      },
    ],
    [
      'auto, if it is not faster',
      { findings: SLOW },
      { type: 'cpu', reason: 'The CPU trains this base model faster than the GPU.' },
      {
        ...used('auto', 'cpu', { reason: 'The CPU trains this base model faster than the GPU.' }),
        answers: { used: 'cpu', reason: SLOW_CHATS },
      },
    ],
    [
      'auto, if it is wrong',
      { problem: WRONG, findings: {} },
      { type: 'cpu', reason: WRONG },
      used('auto', 'cpu', { reason: WRONG }),
    ],
    [
      'auto, without one',
      { gpu: null },
      { type: 'cpu' },
      used('auto', 'cpu', { reason: 'This machine has no GPU.' }),
    ],
    [
      'auto, with weights in int8',
      { weights: 'int8' },
      { type: 'cpu' },
      used('auto', 'cpu', { reason: 'Weights in int8 are only for the CPU.' }),
    ],
    [
      'gpu, even if it is not faster',
      { setting: 'gpu', findings: { answering: RIGHT } },
      GPU,
      used('gpu', 'gpu', { name: 'A card' }),
    ],
  ])('is chosen for %s', async (_, played, device, shown) => {
    const choice = play(played);
    expect(await choice.choose()).toEqual(device);
    expect(await choice.read()).toEqual(shown);
    const trials = choice.trials.length;
    expect(choice.waits).toEqual(trials ? ['The GPU is being compared with the CPU.', null] : []);
    await choice.choose();
    expect(choice.trials).toHaveLength(trials);
  });

  it('is not known before the first run', async () => {
    const choice = play();
    expect(await choice.read()).toEqual({ setting: 'auto', used: null, answers: UNKNOWN });
    // Runs that start together wait for the same trial.
    await Promise.all([choice.choose(), choice.choose()]);
    expect(choice.trials).toEqual(['speed']);
  });

  it.each<[string, Played]>([
    ['another version of svc', { version: '2' }],
    ['another driver', { gpu: { ...CARD, driver: '1.1' } }],
    ['another base model', { baseModel: { name: 'tiny', folder: '/models/tiny', digest: 'e' } }],
    ['other weights', { weights: 'f32' }],
  ])('is chosen anew with %s', async (_, change) => {
    const folder = temporaryFolder('svc-device-choice');
    await play({ folder }).choose();
    const [same, changed] = [play({ folder }), play({ folder, ...change })];
    await same.choose();
    await changed.choose();
    expect([same.trials, changed.trials]).toEqual([[], ['speed']]);
  });

  it('is chosen anew if the report is damaged, or has no speeds but they matter', async () => {
    const folder = temporaryFolder('svc-device-choice');
    await play({ folder, setting: 'gpu', findings: {} }).choose();
    const unmeasured = play({ folder });
    await unmeasured.choose();
    await writeFile(join(folder, 'device.json'), '{');
    const damaged = play({ folder });
    await damaged.choose();
    expect([unmeasured.trials, damaged.trials]).toEqual([['speed'], ['speed']]);
  });

  it('is chosen anew if someone ended the trial', async () => {
    const [folder, problem] = [temporaryFolder('svc-device-choice'), 'The trial of the GPU was ended.'];
    const ended = Promise.resolve({ findings: {}, problem, wasEnded: true });
    const first = play({ folder, probe: () => ({ ended, kill() {} }) });
    expect(await first.choose()).toEqual({ type: 'cpu', reason: problem });
    const next = play({ folder });
    expect(await next.choose()).toEqual(GPU);
    expect(next.trials).toEqual(['speed']);
  });

  it('is required to be a GPU only where it is asked for', async () => {
    const problem = 'The GPU cannot be used: No supported adapters.';
    await play({ problem }).require();
    await play({ setting: 'gpu' }).require();
    const error = await play({ setting: 'gpu', gpu: null, problem })
      .require()
      .catch((error: unknown) => error as Error);
    expect(isCloudError(error, 'device')).toBe(true);
    expect((error as Error).message).toBe(`${problem} Start with --device auto or cpu.`);
  });

  it('stays open if the cloud stops during the trial, which it ends', async () => {
    let kill!: (probe: DeviceProbe) => void;
    const ended = new Promise<DeviceProbe>(resolve => {
      kill = resolve;
    });
    const choice = play({ probe: () => ({ ended, kill: () => kill({ findings: {}, problem: WRONG }) }) });
    const chosen = choice.choose();
    await expect.poll(() => choice.waits).toHaveLength(1);
    choice.close();
    await expect(chosen).rejects.toThrow();
    expect(await choice.read()).toEqual({ setting: 'auto', used: null, answers: UNKNOWN });
  });
});

describe('the device of chats', () => {
  const { own, answers } = FAST;

  it.each<[string, Played, object]>([
    ['the CPU with cpu', { setting: 'cpu' }, { type: 'cpu' }],
    ['the GPU where it is faster for one and for many', {}, GPU],
    ['the GPU with gpu, even if it is not faster', { setting: 'gpu', findings: { answering: RIGHT } }, GPU],
    [
      'the CPU where one chat gains nothing',
      { findings: { ...FAST, answers: { ...answers!, one: { cpu: 10, gpu: 10.4 } } } },
      { type: 'cpu', reason: SLOW_CHATS },
    ],
    [
      'the CPU where many gain nothing',
      { findings: { ...FAST, answers: { ...answers!, many: { cpu: 10, gpu: 5 } } } },
      { type: 'cpu', reason: SLOW_CHATS },
    ],
    [
      'the CPU where answers were not measured',
      { findings: { own: own!, answering: RIGHT } },
      { type: 'cpu', reason: SLOW_CHATS },
    ],
    [
      'the CPU where the GPU answers differently, whatever is asked for',
      { setting: 'gpu', findings: { ...FAST, answering: { difference: 0.2, isRight: false } } },
      { type: 'cpu', reason: 'The GPU answers differently from the CPU.' },
    ],
  ])('is %s', async (_, played, device) => {
    const choice = play(played);
    await choice.choose();
    expect(await choice.answering.choose()).toEqual(device);
  });

  it('is the CPU before there was a trial, for which no chat waits', async () => {
    const choice = play();
    expect(await choice.answering.choose()).toEqual({ type: 'cpu' });
    expect(choice.trials).toEqual([]);
    await choice.choose();
    expect(await choice.answering.choose()).toEqual(GPU);
  });

  it('is the CPU after the GPU has failed, which says why; runs still use the GPU', async () => {
    const choice = play();
    await choice.choose();
    const reason = 'The GPU failed: device lost.';
    choice.answering.leaveGpu(reason);
    expect(await choice.answering.choose()).toEqual({ type: 'cpu', reason });
    expect(await choice.read()).toMatchObject({ used: 'gpu', answers: { used: 'cpu', reason } });
    expect(await choice.choose()).toEqual(GPU);
  });
});
