import { expect, it } from 'vitest';
import { FailuresAtOnce } from './failures-at-once.js';
import { createVirtualClock } from './virtual-clock.js';

type Told = Parameters<FailuresAtOnce['onTestCaseResult']>[0];

const told = (fullName: string, result: object = { state: 'pending' }) =>
  ({
    id: fullName,
    module: { relativeModuleId: 'tests/a.test.ts' },
    fullName,
    options: { timeout: 20_000 },
    result: () => result,
  }) as unknown as Told;

function open() {
  const printed: string[] = [];
  const clock = createVirtualClock();
  return { printed, clock, reporter: new FailuresAtOnce({ print: text => printed.push(text), clock }) };
}

it('a test that fails is told with its name and its error, and others are not', () => {
  const { printed, reporter } = open();
  reporter.onTestCaseResult(told('passes', { state: 'passed', errors: [] }));
  reporter.onTestCaseResult(told('is skipped', { state: 'skipped', errors: undefined }));
  reporter.onTestCaseResult(told('a job > ends', { state: 'failed', errors: [{ message: 'Waited 15 s' }] }));
  expect(printed).toEqual(['\nFAILED tests/a.test.ts > a job > ends\nWaited 15 s\n']);
});

it('a test that does not end is told once its time is over, and one that ended is not', async () => {
  const { printed, clock, reporter } = open();
  reporter.onTestCaseReady(told('ends'));
  reporter.onTestCaseReady(told('hangs'));
  reporter.onTestCaseReady(told('has ended before', { state: 'passed', errors: [] }));
  await clock.pass(19_000);
  reporter.onTestCaseResult(told('ends', { state: 'passed', errors: [] }));
  await clock.pass(1999);
  expect(printed).toEqual([]);
  await clock.pass(100_000);
  expect(printed).toEqual([expect.stringMatching(/^\nHANGS {2}tests\/a\.test\.ts > hangs\n/)]);
});
