// A trial of the GPU whose process ends before it has said what it found. tests/gpu has one that ends well.
import { expect, it } from 'vitest';
import { startProbe } from '../../../lib/engine/index.js';
import { describeDeath } from '../../../lib/engine/process/start-probe.js';

const TASK = { modelFolder: '/nowhere', weights: 'f32', measures: 'nothing' } as const;

it('ends with the death of its process', async () => {
  const probe = startProbe(TASK);
  probe.kill();
  const problem = 'The trial of the GPU was killed, perhaps for lack of memory (opening it).';
  expect(await probe.ended).toEqual({ findings: {}, problem });
});

it.each([
  [{ signal: 'SIGSEGV' }, false, "The GPU's driver crashed (opening it; SIGSEGV)."],
  [{ signal: null, exitCode: 3 }, false, "The GPU's driver crashed (opening it; exit code 3)."],
  [{ signal: 'SIGTERM' }, false, 'The trial of the GPU was ended (opening it; SIGTERM).'],
  [{ signal: 'SIGKILL' }, true, 'The GPU took too long (opening it).'],
  [{ signal: 'SIGKILL', hung: true }, false, 'The GPU took too long (opening it).'],
] as const)('blames what ended it: %j', (end, isLate, problem) => {
  expect(describeDeath(end, isLate, 'opening it')).toBe(problem);
});
