import { afterEach, expect, it } from 'vitest';
import { onStudioGone, reportJob } from '../../lib/sdk/index.js';
import { JOB_ID } from '../support/samples.js';

const own = process.send;
afterEach(() => {
  if (own) process.send = own;
  else delete process.send;
});

it('sends the job id to the parent process, and does nothing without one', () => {
  const sent: unknown[] = [];
  process.send = (message: unknown) => sent.push(message) > 0;
  reportJob(JOB_ID);
  expect(sent).toEqual([{ type: 'svc.job', jobId: JOB_ID }]);
  delete process.send;
  expect(() => reportJob(JOB_ID)).not.toThrow();
});

it('leaves the channel to the parent process as it was', () => {
  const before = process.getActiveResourcesInfo();
  onStudioGone(() => {})();
  expect(process.getActiveResourcesInfo()).toEqual(before);
});
