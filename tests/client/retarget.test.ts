// What `updateDeployment` takes as a target, and what it then sends.
import { describe, expect, it } from 'vitest';
import { createCloudClient, type DeploymentChange } from '../../lib/client/index.js';
import type { Target } from '../../lib/contract/index.js';
import { sampleDeployment } from '../support/samples.js';

const JOB = '1a2b3c4d-0000-4000-8000-000000000001';
const OTHER = '2a2b3c4d-0000-4000-8000-000000000002';
const SERVED: Target = { kind: 'adapter', adapter: { kind: 'checkpoint', jobId: JOB, step: 20 } };

/** The calls that a change costs, and the body of the last one. */
async function update(change: DeploymentChange, target: Target = SERVED) {
  const calls: string[] = [];
  let body: unknown;
  const fetch: typeof globalThis.fetch = async (_, init) => {
    calls.push(init?.method ?? 'GET');
    if (typeof init?.body === 'string') body = JSON.parse(init.body);
    return Response.json({ deployment: { ...sampleDeployment(), target } });
  };
  await createCloudClient({ baseUrl: 'https://cloud.test', fetch }).updateDeployment('d-1', change);
  return { calls, body };
}

const adapter = (jobId: string, step?: number) => ({
  kind: 'adapter',
  adapter: step === undefined ? { kind: 'final', jobId } : { kind: 'checkpoint', jobId, step },
});
const BASE: Target = { kind: 'base_model', baseModel: 'm' };

describe('re-targeting', () => {
  it.each<[what: string, change: DeploymentChange, calls: string[], body: object]>([
    ['final, of the job that it serves', { target: 'final' }, ['GET', 'PATCH'], { target: adapter(JOB) }],
    [
      'checkpoint:<step>, of the job that it serves',
      { target: 'checkpoint:40', enabled: true },
      ['GET', 'PATCH'],
      { enabled: true, target: adapter(JOB, 40) },
    ],
    [
      'another job: nothing is asked first',
      { target: `${OTHER}:final` },
      ['PATCH'],
      { target: adapter(OTHER) },
    ],
    [
      "another job's checkpoint",
      { target: `${OTHER}:checkpoint:0` },
      ['PATCH'],
      { target: adapter(OTHER, 0) },
    ],
    ['a target in full, sent as it is', { target: BASE }, ['PATCH'], { target: BASE }],
    ['no target', { enabled: false }, ['PATCH'], { enabled: false }],
  ])('takes %s', async (_, change, calls, body) => expect(await update(change)).toEqual({ calls, body }));

  it('a notation without a job needs an adapter to be served', () =>
    expect(update({ target: 'final' }, BASE)).rejects.toMatchObject({
      code: 'invalid_value',
      param: 'target',
    }));

  it.each(['', 'latest', 'checkpoint:', 'checkpoint:-1', 'checkpoint:1.5', `${JOB}:`, `${JOB}:final:final`])(
    'refuses %j before anything is sent',
    target => expect(update({ target: target as 'final' })).rejects.toThrow('`target` must be `final`'),
  );
});
