import { beforeEach, describe, expect, it } from 'vitest';
import type { FoundAdapter } from '../../../lib/cloud/artifacts/find-adapter.js';
import { createServedModels } from '../../../lib/cloud/inference/served-model.js';
import type { StoredAdapter } from '../../../lib/cloud/seams/backend.js';
import { ApiError, type Target } from '../../../lib/contract/index.js';

const jobId = '1a2b3c4d-0000-4000-8000-000000000001';
const final: Target = { kind: 'adapter', adapter: { kind: 'final', jobId } };
const checkpoint: Target = { kind: 'adapter', adapter: { kind: 'checkpoint', jobId, step: 10 } };
const base: Target = { kind: 'base_model', baseModel: 'svc/tiny' };

const asked: unknown[] = [];
const loaded: StoredAdapter[] = [];
beforeEach(() => {
  for (const noted of [asked, loaded]) noted.splice(0);
});
const modelsWith = (
  sha256: string,
  name = 'svc/tiny',
  trainedOn?: FoundAdapter['trainedOn'],
  damage: FoundAdapter['damage'] = null,
) =>
  createServedModels({
    baseModel: { name, digest: 'd1' },
    load: async adapter => void loaded.push(adapter),
    findAdapter: async (orgId, ref): Promise<FoundAdapter> => {
      asked.push([orgId, ref]);
      return {
        folder: `/adapters/${ref.kind}`,
        sha256,
        jobId,
        step: 20,
        trainedOn: trainedOn ?? { model: name, digest: 'd1' },
        damage,
        noteDamage: async () => {},
        verify: async () => true,
      };
    },
  });

describe('a target', () => {
  it('that is a base model is served without an adapter', async () => {
    const served = await modelsWith('a').resolve('org', base);
    expect(served).toEqual({
      name: 'svc/tiny',
      adapter: null,
      fingerprint: expect.stringMatching(/^fp_[0-9a-f]{16}$/),
    });
  });

  it('that is an adapter is looked up in the organization and named as on the command line', async () => {
    const models = modelsWith('a');
    expect(await models.resolve('org', final)).toMatchObject({
      name: `svc/tiny:${jobId}:final`,
      adapter: 'a',
    });
    expect(await models.resolve('org', checkpoint)).toMatchObject({
      name: `svc/tiny:${jobId}:checkpoint:10`,
      adapter: 'a',
    });
    expect(loaded.map(({ folder }) => folder)).toEqual(['/adapters/final', '/adapters/checkpoint']);
    expect(asked).toEqual([
      ['org', { kind: 'final', jobId }],
      ['org', { kind: 'checkpoint', jobId, step: 10 }],
    ]);
  });

  it('has a fingerprint that depends on both base model and adapter', async () => {
    const prints = await Promise.all(
      [
        modelsWith('a').resolve('org', base),
        modelsWith('a').resolve('org', final),
        modelsWith('b').resolve('org', final),
        modelsWith('a', 'other').resolve('org', final),
      ].map(async served => (await served).fingerprint),
    );
    expect(new Set(prints).size).toBe(4);
    expect((await modelsWith('a').resolve('org', checkpoint)).fingerprint).toBe(prints[1]);
  });

  it.each([
    ['another base model', { model: 'big', digest: 'd1' }, /`svc\/tiny`, but job .* trained on `big`/],
    [
      'a model with the same name but other weights',
      { model: 'svc/tiny', digest: 'd0' },
      /trained on different weights with that name/,
    ],
  ])('that is an adapter trained on %s is refused', async (_, trainedOn, message) => {
    const models = modelsWith('a', 'svc/tiny', trainedOn);
    for (const target of [final, checkpoint]) {
      const refused = models.resolve('org', target, { param: 'baseModel' });
      await expect(refused).rejects.toMatchObject({ status: 400, code: 'model_not_supported', param: null });
      await expect(refused).rejects.toThrow(message);
    }
    expect(await models.resolve('org', base)).toMatchObject({ adapter: null });
  });

  it.each([
    ['seen', false],
    ['found', true],
  ] as const)('whose damage was %s reports a problem', async (damage, isTried) => {
    const models = modelsWith('a', 'svc/tiny', undefined, damage);
    expect(await models.findProblem('org', final)).toMatch(/damaged or missing/);
    // Damage that only the engine found may have been repaired since.
    if (isTried) expect(await models.resolve('org', final)).toMatchObject({ adapter: 'a' });
    else
      await expect(models.resolve('org', final)).rejects.toMatchObject({
        status: 503,
        code: 'adapter_damaged',
      });
  });

  it('reports a problem only if it needs another base model', async () => {
    for (const target of [base, final]) expect(await modelsWith('a').findProblem('org', target)).toBeNull();
    const other = modelsWith('a', 'svc/tiny', { model: 'big', digest: null });
    expect(await other.findProblem('org', final)).toMatch(/trained on `big`/);
    expect(await modelsWith('a').findProblem('org', { ...base, baseModel: 'big' })).toMatch(/not `big`/);
  });

  it('that is an adapter trained on unknown weights with this name is served', async () => {
    const models = modelsWith('a', 'svc/tiny', { model: 'svc/tiny', digest: null });
    expect(await models.resolve('org', final)).toMatchObject({ adapter: 'a' });
  });

  it('that is another base model is refused with an error that names the available one', async () => {
    const refused = modelsWith('a').resolve(
      'org',
      { ...base, baseModel: 'big' },
      { param: 'target.baseModel' },
    );
    await expect(refused).rejects.toThrow(ApiError);
    await expect(refused).rejects.toMatchObject({
      status: 400,
      code: 'model_not_supported',
      param: 'target.baseModel',
      message: expect.stringContaining('svc/tiny'),
    });
  });
});
