// What `svc doctor --device` says of a trial's report.
import { expect, it } from 'vitest';
import { describeReport } from '../../cli/commands/doctor/device.js';

type Report = Parameters<typeof describeReport>[0];

const RIGHT: Report['findings'] = {
  operators: [{ name: 'Add', cases: 2, difference: 2.4e-7, isRight: true }],
  training: { difference: 1e-7, isRight: true },
  answering: { difference: 1e-6, isRight: true },
  own: { cpu: 100, gpu: 1200 },
  answers: { one: { cpu: 10, gpu: 30 }, many: { cpu: 40, gpu: 80 } },
};
const OK = ['gpu', 'gpu-operators', 'gpu-training', 'gpu-answers', 'gpu-speed', 'gpu-speed', 'gpu-speed'].map(
  name => `${name} ok`,
);
const WRONG: Report['findings'] = {
  operators: [{ name: 'Add', cases: 2, difference: 0.5, isRight: false }],
  training: { difference: 0.25, isRight: false },
};

it.each<[string, Partial<Report>, string[]]>([
  [
    'right',
    { findings: { ...RIGHT, half: { difference: 2e-7, isRight: true }, largestBuffer: 2 ** 30 } },
    [...OK, 'gpu-f16 ok', 'gpu-buffer ok'],
  ],
  ['right, but died of large buffers', { findings: RIGHT }, [...OK, 'gpu-buffer warning']],
  [
    'right, but not with weights in f16',
    { findings: { ...RIGHT, half: { difference: null, isRight: false, error: 'no f16' }, largestBuffer: 1 } },
    [...OK, 'gpu-f16 warning', 'gpu-buffer ok'],
  ],
  [
    'wrong',
    { problem: 'The GPU computes Add differently from the CPU.', findings: WRONG },
    ['gpu warning', 'gpu-operators warning', 'gpu-training warning'],
  ],
])('a GPU that is %s', (_, report, expected) => {
  const checks = describeReport(
    { gpu: { name: 'A card', driver: '1' }, problem: null, findings: {}, ...report },
    'tiny',
  );
  const found = checks.map(({ name, status }) => `${name} ${status}`);
  expect(found.toSorted()).toEqual(expected.toSorted());
});
