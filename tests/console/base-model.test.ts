// The facts of a base model as text.
import { expect, it } from 'vitest';
import {
  memoryText,
  modelFactLine,
  modelFactRows,
  parametersText,
  trainerRows,
} from '../../lib/console/index.js';
import type { ServedModelFacts } from '../../lib/contract/index.js';
import { sampleModelFacts as facts } from '../support/sample-overview.js';

const NOTHING: ServedModelFacts = {
  ...{ architecture: null, parameters: null, context: null, weightFormat: null, license: null },
  ...{ bytes: 0, memory: null, speed: null },
};

it.each([
  [5_480_000, '5.48 M'],
  [134_515_008, '135 M'],
  [1_235_814_400, '1.24 B'],
  [137_664, '138 k'],
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

it('are rows and a line of what is known', () => {
  expect(modelFactRows(facts).map(({ label, value }) => `${label}: ${value}`)).toEqual([
    'Architecture: llama',
    'Parameters: 135 M',
    'Weights: BF16',
    'Size: 272.6 MB',
    'Context: 8,192 tokens',
    'License: apache-2.0',
    'Memory to train: about 1.4 to 2.2 GB',
    'Memory to chat: about 520 to 930 MB',
    'Training speed: 512 tokens/s',
  ]);
  const line =
    '135 M parameters · BF16 · 8,192 tokens · apache-2.0 · trains in about 1.4 to 2.2 GB · 512 tokens/s';
  expect(modelFactLine(facts)).toBe(line);
  expect(modelFactRows(NOTHING)).toEqual([{ label: 'Size', value: '0 B' }]);
  expect(modelFactLine(NOTHING)).toBe('');
});

it('are a row of the overview in the terminal, if there is room', () => {
  const state = {
    ...{ action: null, trainer: null, isReading: false, isSlow: false, status: null, problem: null },
    ...{ busy: false, followed: 0, output: { lines: [] } },
  } as unknown as Parameters<typeof trainerRows>[0];
  const signs = { status: {}, spark: '' } as unknown as Parameters<typeof trainerRows>[1]['signs'];
  const rows = (height: number) =>
    trainerRows(state, { identity: null, baseModel: facts, width: 40, height, signs }).flat();
  expect(rows(30).map(({ text }) => text)).toContain('135 M parameters · BF16 · 8,192 tokens…');
  expect(rows(10).some(({ text }) => text.includes('135 M'))).toBe(false);
});
