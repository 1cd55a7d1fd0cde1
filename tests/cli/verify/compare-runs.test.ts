import { describe, expect, it } from 'vitest';
import {
  findChangedInputs,
  findDifferences,
  isSameKind,
  lastStepOf,
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

const log = (step: number, loss: number, evalLoss?: number): JobEvent =>
  ({ type: 'training.log', step, loss, ...(evalLoss !== undefined && { evalLoss }) }) as JobEvent;

it('the last step is found also in a run with more steps than a call has arguments', () => {
  const logs = Array.from({ length: 150_000 }, (_, index) => log(index + 1, 1));
  expect([lastStepOf(lossesOf(logs)), lastStepOf(lossesOf([]))]).toEqual([150_000, 0]);
});

describe('two machines', () => {
  const on = (part: object) => ({ ...environment!, machine: { ...environment!.machine, ...part } });

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
  ])('are of different kinds with %j', part => {
    expect(isSameKind(manifest, changed({ environments: [on(part)] }))).toBe(false);
  });

  it('are of different kinds if a part of the run was somewhere else', () => {
    const elsewhere = { ...on({ cpu: 'Another' }), fromStep: 5 };
    const resumed = changed({ environments: [environment!, elsewhere] });
    expect(isSameKind(manifest, resumed)).toBe(false);
    expect(isSameKind(resumed, manifest)).toBe(false);
  });
});

it('what changed is named with its value before and after; between a run and itself, nothing', () => {
  expect(findChangedInputs(manifest, manifest)).toEqual([]);
  const data = { training: { digest: 'other', rows: 12 }, evaluation: null };
  expect(findChangedInputs(manifest, { ...changed({ data, options: { loraR: 8 } }), seed: 43 })).toEqual([
    { input: 'data', before: 'd'.repeat(64), after: 'other' },
    { input: 'seed', before: 42, after: 43 },
    { input: 'option loraR', before: 16, after: 8 },
  ]);
  const on = (sha256: string) => ({ ...manifest, config: { from: { kind: 'final', jobId: 'j', sha256 } } });
  expect(findChangedInputs(on('a'), on('b'))).toEqual([
    { input: 'adapter that it continues from', before: 'a', after: 'b' },
  ]);
});

describe('losses', () => {
  const before = lossesOf([log(1, 2), log(2, 1.5, 1.7), log(3, 1)]);
  const evalLoss = (after: number | null) => ({ step: 2, what: 'evalLoss', before: 1.7, after });

  it.each([
    ['are the same bit for bit on a machine of the same kind', [log(1, 2), log(2, 1.5, 1.7), log(3, 1)], []],
    ['may not differ at all there', [log(1, 2), log(2, 1.5, 1.7000001), log(3, 1)], [evalLoss(1.7000001)]],
    ['must be there', [log(2, 1.5)], [evalLoss(null)]],
  ])('%s', (_, after, differences) => {
    const compared = findDifferences(before, lossesOf(after), { isExact: true, upTo: 3 });
    expect(compared.differences).toEqual(differences);
  });

  it('may differ a little elsewhere, and not more', () => {
    const compare = (...after: JobEvent[]) =>
      findDifferences(before, lossesOf(after), { isExact: false, upTo: 3 }).differences;
    expect(compare(log(1, 2.01), log(2, 1.49, 1.71), log(3, 1.005))).toEqual([]);
    expect(compare(log(1, 2.03), log(2, 1.5, 1.7), log(3, 1))).toMatchObject([{ step: 1 }]);
  });

  it('are compared up to a step, where both have one', () => {
    const up = (upTo: number) =>
      findDifferences(before, lossesOf([log(1, 2), log(3, 9)]), { isExact: true, upTo });
    expect(up(2)).toEqual({ compared: 1, differences: [] });
    expect(up(3)).toMatchObject({ compared: 2, differences: [{ step: 3 }] });
  });
});
