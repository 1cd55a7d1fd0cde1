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

describe('re-targeting', () => {
  it('final and checkpoint:<step> are of the job that the deployment serves', async () => {
    expect(await update({ target: 'final' })).toEqual({
      calls: ['GET', 'PATCH'],
      body: { target: adapter(JOB) },
    });
    expect(await update({ target: 'checkpoint:40', enabled: true })).toEqual({
      calls: ['GET', 'PATCH'],
      body: { enabled: true, target: adapter(JOB, 40) },
    });
  });

  it('another job is named before them, and then nothing is asked first', async () => {
    expect(await update({ target: `${OTHER}:final` })).toEqual({
      calls: ['PATCH'],
      body: { target: adapter(OTHER) },
    });
    expect((await update({ target: `${OTHER}:checkpoint:0` })).body).toEqual({ target: adapter(OTHER, 0) });
  });

  it('a target in full is sent as it is, and none stays none', async () => {
    const target: Target = { kind: 'base_model', baseModel: 'm' };
    expect(await update({ target })).toEqual({ calls: ['PATCH'], body: { target } });
    expect(await update({ enabled: false })).toEqual({ calls: ['PATCH'], body: { enabled: false } });
  });

  it('a notation without a job needs an adapter to be served', async () => {
    await expect(update({ target: 'final' }, { kind: 'base_model', baseModel: 'm' })).rejects.toMatchObject({
      code: 'invalid_value',
      param: 'target',
    });
  });

  it.each(['', 'latest', 'checkpoint:', 'checkpoint:-1', 'checkpoint:1.5', `${JOB}:`, `${JOB}:final:final`])(
    'refuses %j before anything is sent',
    async target => {
      await expect(update({ target: target as 'final' })).rejects.toThrow('`target` must be `final`');
    },
  );
});
