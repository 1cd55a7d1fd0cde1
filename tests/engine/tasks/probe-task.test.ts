// What a trial of the GPU measures, and what of it decides whether runs use the GPU. The GPU is played.
import { beforeEach, expect, it, vi } from 'vitest';
import type { FromWorker, ProbeTask } from '../../../lib/engine/process/messages.js';
import type * as runtime from '../../../lib/engine/runtime/index.js';
import { runProbe } from '../../../lib/engine/tasks/probe-task.js';
import type * as training from '../../../lib/engine/train/index.js';
import { tinyModel } from '../tiny-model.js';

const RIGHT = { difference: 0, isRight: true };
const OPERATORS = [{ name: 'Add', cases: 1, ...RIGHT }];
const SPEED = { cpu: 10, gpu: 20 };

const played = vi.hoisted(() => ({
  operators: [{}],
  training: {},
  half: async () => ({}),
  answering: {},
  answeredIn: undefined as string | undefined,
  buffers: [0],
}));

vi.mock('../../../lib/engine/runtime/index.js', async importOriginal => ({
  ...(await importOriginal<typeof runtime>()),
  createSession: async () => ({ close: async () => {} }),
}));

vi.mock('../../../lib/engine/train/index.js', async importOriginal => ({
  ...(await importOriginal<typeof training>()),
  compareOperators: async () => played.operators,
  compareTraining: async (_: string, weights?: string) =>
    weights === 'f16' ? played.half() : played.training,
  compareAnswers: async (_model: unknown, _provider: string, weights?: string) => {
    played.answeredIn = weights;
    return played.answering;
  },
  measureAnswers: async (_: unknown, provider: 'cpu' | 'webgpu') =>
    provider === 'cpu' ? { one: 10, many: 30 } : { one: 20, many: 90 },
  measureSpeed: async (_: unknown, provider: 'cpu' | 'webgpu') => (provider === 'cpu' ? 10 : 20),
  findLargestBuffer: async (_: unknown, _enough: number, tell: (bytes: number) => Promise<void>) => {
    for (const bytes of played.buffers) await tell(bytes);
    throw new Error('The device is lost.');
  },
}));

const HALF = { difference: 1e-5, isRight: true };

beforeEach(() => {
  const right = { training: RIGHT, answering: RIGHT, half: async () => HALF };
  Object.assign(played, { operators: OPERATORS, buffers: [128], ...right });
});

/** What it sends, in order. */
async function tell(measures: ProbeTask['measures'], weights: ProbeTask['weights'] = 'f32') {
  const sent: FromWorker[] = [];
  const task: ProbeTask = { modelFolder: await tinyModel(), weights, measures };
  await runProbe(task, async message => void sent.push(message));
  return sent.flatMap(message => {
    if (message.type === 'found') return message.findings;
    return message.type === 'probed' ? { problem: message.problem } : [];
  });
}

const compared = [{ operators: OPERATORS }, { training: RIGHT }, { answering: RIGHT }];
const answers = { answers: { one: SPEED, many: { cpu: 30, gpu: 90 } } };
const fine = { problem: null };

it.each<[ProbeTask['measures'], object[]]>([
  ['nothing', [...compared, fine]],
  ['speed', [...compared, { own: SPEED }, fine, answers]],
  [
    'all',
    [...compared, { own: SPEED }, fine, answers, { half: HALF }, { usual: SPEED }, { largestBuffer: 128 }],
  ],
])('decides by what runs need, before it measures what else is shown: %s', async (measures, expected) => {
  expect(await tell(measures)).toEqual(expected);
});

const wrong = { difference: 0.5, isRight: false };

it.each<[string, object, string]>([
  [
    'an operator',
    { operators: [{ name: 'Add', cases: 1, ...wrong }] },
    'The GPU computes Add differently from the CPU.',
  ],
  [
    'an operator that fails',
    { operators: [{ name: 'Add', cases: 1, ...wrong, difference: null, error: 'no kernel' }] },
    'The GPU cannot compute Add: no kernel',
  ],
  ['training', { training: wrong }, 'The GPU trains differently from the CPU.'],
])('ends with the reason at %s', async (_, device, problem) => {
  Object.assign(played, device);
  expect((await tell('all')).at(-1)).toEqual({ problem });
});

it('decides by weights in f16 if runs and chats have them', async () => {
  const inHalf = [{ operators: OPERATORS }, { training: RIGHT }, { half: HALF }, { answering: RIGHT }];
  expect(await tell('nothing', 'f16')).toEqual([...inHalf, fine]);
  expect(played.answeredIn).toBe('f16');
  expect(await tell('all', 'f16')).toEqual([
    ...inHalf,
    { own: SPEED },
    fine,
    answers,
    { usual: SPEED },
    { largestBuffer: 128 },
  ]);
  played.half = async () => wrong;
  const problem = 'The GPU trains differently from the CPU with weights in f16.';
  expect(await tell('nothing', 'f16')).toEqual([
    { operators: OPERATORS },
    { training: RIGHT },
    { half: wrong },
    { problem },
  ]);
  played.half = async () => {
    throw new Error('The GPU failed: it has no f16.');
  };
  expect((await tell('nothing', 'f16')).at(-1)).toEqual({ problem: 'The GPU failed: it has no f16.' });
  expect(await tell('nothing')).toEqual([...compared, fine]);
  expect(played.answeredIn).toBe('f32');
});
