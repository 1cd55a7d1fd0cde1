// Serving what was judged: in place of what it was compared with, and of nothing else.
import { describe, expect, it } from 'vitest';
import type { CloudClient } from '../../lib/client/index.js';
import type { Deployment, Target } from '../../lib/contract/index.js';
import { publish } from '../../lib/sdk/index.js';
import { sampleDeployment } from '../support/samples.js';

const before: Target = { kind: 'base_model', baseModel: 'svc/tiny' };
const target: Target = { kind: 'adapter', adapter: { kind: 'final', jobId: 'aaaa1111' } };
const candidate = { subject: { target, endpoint: null }, task: null };
const served = sampleDeployment({ slug: 'bot', target: before }) as Deployment;

/** A cloud whose endpoint serves this now; and what it was asked to change. */
function open(now: Target, canary: Deployment['canary'] = null) {
  const changes: unknown[] = [];
  const cloud = {
    getDeployment: async () => ({ deployment: { ...served, target: now, canary } }),
    updateDeployment: async (id: string, change: object) => {
      changes.push({ id, ...change });
      return { deployment: served };
    },
  } as unknown as CloudClient;
  return { cloud, changes };
}

describe('what has passed', () => {
  it('gets all requests, also those of a canary from before, or a share', async () => {
    const { cloud, changes } = open(before);
    await publish(cloud, { slug: 'bot', served, candidate }, null);
    await publish(cloud, { slug: 'bot', served, candidate }, 0.1);
    const { id } = served;
    expect(changes).toEqual([
      { id, target, canary: null, replaces: before },
      { id, canary: { target, share: 0.1 }, replaces: before },
    ]);
  });

  it('changes nothing where the endpoint has followed to it already', async () => {
    const { cloud, changes } = open(target);
    expect((await publish(cloud, { slug: 'bot', served, candidate }, null)).target).toEqual(target);
    expect(changes).toEqual([]);
  });

  it('gets all requests where the endpoint has followed to it beside a canary from before', async () => {
    const { cloud, changes } = open(target, { target: before, share: 0.1, since: served.createdAt });
    await publish(cloud, { slug: 'bot', served, candidate }, null);
    expect(changes).toEqual([{ id: served.id, canary: null }]);
  });
});
