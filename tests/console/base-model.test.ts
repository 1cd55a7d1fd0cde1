// The facts of a base model as text.
import { expect, it } from 'vitest';
import {
  chatSampling,
  memoryText,
  modelFactRows,
  modelSummaryRows,
  modelWarning,
  parametersText,
  samplingText,
  speedText,
  trainerRows,
  watchPreparing,
} from '../../lib/console/index.js';
import { NO_CHAT_TEMPLATE, type ServedModelFacts } from '../../lib/contract/index.js';
import { sampleModelFacts as facts } from '../support/sample-overview.js';
import { createVirtualClock } from '../support/virtual-clock.js';

const NOTHING: ServedModelFacts = {
  ...{ architecture: null, parameters: null, context: null, weightFormat: null, license: null },
  ...{ bytes: 0, memory: null, speed: null, hasChatTemplate: null, sampling: {} },
};

it.each([
  [5_480_000, '5.48 M'],
  [134_515_008, '135 M'],
  [1_235_814_400, '1.24 B'],
  [137_664, '138 k'],
  [999_600_000, '1 B'],
  [999_400, '999 k'],
  [null, null],
])('%s parameters are %s', (parameters, text) => {
  expect(parametersText(parameters)).toBe(text);
});

it.each([
  [{ int8: 1.37e9, f32: 2.24e9 }, '1.4 to 2.2 GB'],
  [{ int8: 520e6, f32: 1.2e9 }, '520 MB to 1.2 GB'],
  [{ int8: 181e6, f32: 182e6 }, '180 MB'],
])('needs %o of memory: %s', (need, text) => {
  expect(memoryText(need)).toBe(text);
});

const shown = (rows: readonly { label: string; value: string }[]) =>
  rows.map(({ label, value }) => `${label}: ${value}`);

it('are rows of what is known', () => {
  expect(shown(modelFactRows(facts))).toEqual([
    'Architecture: llama',
    'Parameters: 135 M',
    'Weights: BF16',
    'Size: 272.6 MB',
    'Context: 8,192 tokens',
    'License: apache-2.0',
    'Chat: temperature 0.7',
    'Memory to train: about 1.4 GB with 8-bit weights, 2.2 GB with 32-bit',
    'Memory to chat: about 520 MB with 8-bit weights, 930 MB with 32-bit',
    'Training speed: 512 tokens/s (median step of the fastest run)',
  ]);
  expect(shown(modelFactRows(NOTHING))).toEqual(['Size: 0 B', 'Chat: temperature 0.7']);
});

it.each([
  [0.42, '0.42 tokens/s'],
  [9.96, '10 tokens/s'],
  [61.2, '61 tokens/s'],
  [12_345.6, '12,346 tokens/s'],
])('%d a second are %s', (speed, text) => {
  expect(speedText(speed)).toBe(text);
});

it('are fewer rows where there is less room, with the same in them', () => {
  expect(shown(modelSummaryRows({ ...facts, speed: { training: 512.4, answering: 61.2 } }))).toEqual([
    'Model: llama · 135 M parameters · BF16 · 272.6 MB · apache-2.0',
    'Context: 8,192 tokens',
    'Chat: temperature 0.7',
    'Memory to train: about 1.4 GB with 8-bit weights, 2.2 GB with 32-bit',
    'Memory to chat: about 520 MB with 8-bit weights, 930 MB with 32-bit',
    'Speed: 512 tokens/s (training, median step of the fastest run) · 61 tokens/s (chat, fastest answer)',
  ]);
});

it('say what a model without a chat template cannot do', () => {
  const silent = { ...facts, hasChatTemplate: false };
  expect(shown(modelFactRows(silent))).toContain('Chat: none: it has no chat template');
  expect([silent, facts, NOTHING, null].map(modelWarning)).toEqual([NO_CHAT_TEMPLATE, null, null, null]);
});

it('name how chats sample: as the model recommends, or at 0.7', () => {
  expect(chatSampling(null)).toEqual({ temperature: 0.7 });
  expect(chatSampling({ sampling: { topP: 0.9 } })).toEqual({ temperature: 0.7, topP: 0.9 });
  const sampling = { temperature: 0, topP: 0.95, topK: 20 };
  expect(chatSampling({ sampling })).toEqual(sampling);
  expect(samplingText(sampling)).toBe('temperature 0, top-p 0.95, top-k 20');
});

it('are a paragraph of the overview in the terminal, as far as there is room', () => {
  const state = {
    ...{ action: null, trainer: null, isReading: false, isSlow: false, status: null, problem: null },
    ...{ busy: false, followed: 0, output: { lines: [] } },
  } as unknown as Parameters<typeof trainerRows>[0];
  const signs = { status: {}, spark: '' } as unknown as Parameters<typeof trainerRows>[1]['signs'];
  const rows = (height: number, width = 76) =>
    trainerRows(state, { identity: null, modelFacts: facts, width, height, signs })
      .slice(1)
      .map(([span]) => span!.text);
  expect(rows(22).join(' ')).toBe(
    'llama · 135 M parameters · BF16 · 272.6 MB · apache-2.0 · context: 8,192 tokens · chat: temperature 0.7 · memory to train: about 1.4 GB with 8-bit weights, 2.2 GB with 32-bit · memory to chat: about 520 MB with 8-bit weights, 930 MB with 32-bit · speed: 512 tokens/s (training, median step of the fastest run)',
  );
  expect(rows(14, 56)).toHaveLength(4);
  expect(rows(14, 56).at(-1)).toMatch(/…$/);
  expect(rows(10)).toEqual([]);
});

it('a chat that is silent for a second is told what the model does first, until the answer begins', async () => {
  const clock = createVirtualClock();
  const begun = new AbortController();
  const answers = ['Comparing.', 'Comparing.', null, 'Loading.'];
  const told: (string | null)[] = [];
  let asked = 0;
  const watching = watchPreparing({
    async readBaseModel() {
      if (asked++ === 0) throw new Error('The cloud does not say.');
      return { baseModel: { preparing: answers.shift() ?? null } };
    },
    onPreparing: what => told.push(what),
    signal: begun.signal,
    clock,
  });
  await clock.pass(900);
  expect(asked).toBe(0);
  await clock.pass(4000);
  expect(told).toEqual(['Comparing.', null]);
  begun.abort();
  await watching;
  await clock.pass(9000);
  expect(told).toEqual(['Comparing.', null]);
});
