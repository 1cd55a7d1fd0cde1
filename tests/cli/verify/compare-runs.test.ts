import { describe, expect, it } from 'vitest';
import {
  findChangedInputs,
  findDifferences,
  isSameKind,
  lossesOf,
} from '../../../cli/commands/verify/compare-runs.js';
import type { JobEvent, RunManifest } from '../../../lib/contract/index.js';
import { sampleManifest } from '../../support/sample-rows.js';
import { sampleJob } from '../../support/samples.js';

const manifest = sampleManifest(sampleJob({}));
const [environment] = manifest.run!.environments;

function changed(part: Partial<NonNullable<RunManifest['run']>>): RunManifest {
  return { ...manifest, run: { ...manifest.run!, ...part } };
}

const machine = (part: object) =>
  changed({ environments: [{ ...environment!, machine: { ...environment!.machine, ...part } }] });

const log = (step: number, loss: number, evalLoss?: number): JobEvent =>
  ({ type: 'training.log', step, loss, ...(evalLoss !== undefined && { evalLoss }) }) as JobEvent;

describe('two machines', () => {
  it('are of the same kind if they compute alike, whatever else runs there', () => {
    const other = changed({ environments: [{ ...environment!, node: '24.0.0' }] });
    expect(isSameKind(manifest, other)).toBe(true);
  });

  it.each([
    { cpu: 'Another' },
    { features: ['avx2', 'avx512f'] },
    { threads: 1 },
    { cores: 8 },
    { arch: 'arm64' },
  ])('are of different kinds with %j', part => expect(isSameKind(manifest, machine(part))).toBe(false));

  it('are of different kinds if a part of the run was somewhere else', () => {
    const elsewhere = machine({ cpu: 'Another' }).run!.environments[0]!;
    const resumed = changed({ environments: [environment!, { ...elsewhere, fromStep: 5 }] });
    expect(isSameKind(manifest, resumed)).toBe(false);
    expect(isSameKind(resumed, manifest)).toBe(false);
  });
});

describe('what changed', () => {
  it('is nothing between a run and itself', () => expect(findChangedInputs(manifest, manifest)).toEqual([]));

  it('is named, with its value before and after', () => {
    const other = {
      ...changed({
        data: { training: { digest: 'other', rows: 12 }, evaluation: null },
        options: { rank: 8 },
      }),
      seed: 43,
    };
    expect(findChangedInputs(manifest, other)).toEqual([
      { input: 'data', before: 'd'.repeat(64), after: 'other' },
      { input: 'seed', before: 42, after: 43 },
      { input: 'option rank', before: 16, after: 8 },
    ]);
  });
});

describe('losses', () => {
  const before = lossesOf([log(1, 2), log(2, 1.5, 1.7), log(3, 1)]);
  const compare = (after: JobEvent[], isExact: boolean, upTo = 3) =>
    findDifferences(before, lossesOf(after), { isExact, upTo });

  it('must be the same bit for bit on a machine of the same kind', () => {
    expect(compare([log(1, 2), log(2, 1.5, 1.7), log(3, 1)], true)).toEqual({ compared: 3, differences: [] });
    expect(compare([log(1, 2), log(2, 1.5, 1.7000001), log(3, 1)], true).differences).toEqual([
      { step: 2, what: 'evalLoss', before: 1.7, after: 1.7000001 },
    ]);
  });

  it('may differ a little elsewhere, and not more', () => {
    expect(compare([log(1, 2.01), log(2, 1.49, 1.71), log(3, 1.005)], false).differences).toEqual([]);
    expect(compare([log(1, 2.03), log(2, 1.5, 1.7), log(3, 1)], false).differences).toMatchObject([
      { step: 1 },
    ]);
  });

  it('are compared up to a step, where both have one', () => {
    expect(compare([log(1, 2), log(3, 9)], true, 2)).toEqual({ compared: 1, differences: [] });
    expect(compare([log(2, 1.5)], true).differences).toEqual([
      { step: 2, what: 'evalLoss', before: 1.7, after: null },
    ]);
  });
});
