import { beforeEach, describe, expect, it } from 'vitest';
import { createModelResolver } from '../../../lib/cloud/answers/models.js';
import type { FoundAdapter } from '../../../lib/cloud/artifacts/find-adapter.js';
import type { StoredAdapter } from '../../../lib/cloud/seams/backend.js';
import { ApiError, type Target } from '../../../lib/contract/index.js';

const jobId = '1a2b3c4d-0000-4000-8000-000000000001';
const adapters = [
  { kind: 'final', jobId },
  { kind: 'checkpoint', jobId, step: 10 },
] as const;
const [final, checkpoint] = adapters.map((adapter): Target => ({ kind: 'adapter', adapter })) as [
  Target,
  Target,
];
const base = { kind: 'base_model', baseModel: 'svc/tiny' } as const;
const big = { ...base, baseModel: 'big' };

const asked: unknown[] = [];
const loaded: StoredAdapter[] = [];
beforeEach(() => {
  for (const noted of [asked, loaded]) noted.splice(0);
});

/** Models of a cloud whose adapters are all found so. */
const modelsWith = ({ name = 'svc/tiny', ...found }: Partial<FoundAdapter> & { name?: string } = {}) =>
  createModelResolver({
    baseModel: { name, digest: 'd1' },
    load: async adapter => void loaded.push(adapter),
    findAdapter: async (orgId, ref): Promise<FoundAdapter> => {
      asked.push([orgId, ref]);
      const trainedOn = { model: name, digest: 'd1' };
      const health = { damage: null, noteDamage: async () => {}, verify: async () => true };
      return {
        folder: `/adapters/${ref.kind}`,
        sha256: 'a',
        jobId,
        step: 20,
        trainedOn,
        ...health,
        ...found,
      };
    },
  });

describe('a target', () => {
  it('that is a base model is served without an adapter', async () => {
    const fingerprint = expect.stringMatching(/^fp_[0-9a-f]{16}$/);
    expect(await modelsWith().resolve('org', base)).toEqual({ name: 'svc/tiny', adapter: null, fingerprint });
  });

  it('that is an adapter is looked up in the organization and named as on the command line', async () => {
    const models = modelsWith();
    const served = [await models.resolve('org', final), await models.resolve('org', checkpoint)];
    expect(served).toMatchObject([
      { name: `svc/tiny:${jobId}:final`, adapter: 'a' },
      { name: `svc/tiny:${jobId}:checkpoint:10`, adapter: 'a' },
    ]);
    expect(loaded.map(({ folder }) => folder)).toEqual(['/adapters/final', '/adapters/checkpoint']);
    expect(asked).toEqual(adapters.map(adapter => ['org', adapter]));
  });

  it('has a fingerprint that depends on both base model and adapter', async () => {
    const printOf = async (models: ReturnType<typeof modelsWith>, target: Target) =>
      (await models.resolve('org', target)).fingerprint;
    const print = await printOf(modelsWith(), final);
    const others = [
      await printOf(modelsWith(), base),
      await printOf(modelsWith({ sha256: 'b' }), final),
      await printOf(modelsWith({ name: 'other' }), final),
    ];
    expect(new Set([print, ...others]).size).toBe(4);
    expect(await printOf(modelsWith(), checkpoint)).toBe(print);
  });

  it.each([
    ['another base model', { model: 'big', digest: 'd0' }, /`svc\/tiny`, but job .* trained on `big`/],
    [
      'a model with the same name but other weights',
      { model: 'svc/tiny', digest: 'd0' },
      /trained on different weights with that name/,
    ],
  ])('that is an adapter trained on %s is refused', async (_, trainedOn, message) => {
    const models = modelsWith({ trainedOn });
    for (const target of [final, checkpoint]) {
      const refused = models.resolve('org', target, { param: 'baseModel' });
      await expect(refused).rejects.toMatchObject({ status: 400, code: 'model_not_supported', param: null });
      await expect(refused).rejects.toThrow(message);
    }
    expect(await models.resolve('org', base)).toMatchObject({ adapter: null });
  });

  it('whose damage was seen reports a problem, and is refused', async () => {
    const models = modelsWith({ damage: 'seen' });
    expect(await models.findProblem('org', final)).toMatch(/damaged or missing/);
    const refused = { status: 503, code: 'adapter_damaged' };
    await expect(models.resolve('org', final)).rejects.toMatchObject(refused);
  });

  it('whose damage only the engine found reports a problem, and is tried again', async () => {
    const models = modelsWith({ damage: 'found' });
    expect(await models.findProblem('org', final)).toMatch(/damaged or missing/);
    expect(await models.resolve('org', final)).toMatchObject({ adapter: 'a' });
  });

  it('reports a problem only if it needs another base model', async () => {
    const models = modelsWith();
    for (const target of [base, final]) expect(await models.findProblem('org', target)).toBeNull();
    expect(await models.findProblem('org', big)).toMatch(/not `big`/);
    const other = modelsWith({ trainedOn: { model: 'big', digest: null } });
    expect(await other.findProblem('org', final)).toMatch(/trained on `big`/);
  });

  it('that is an adapter trained on the same weights under another name is served', async () => {
    const models = modelsWith({ trainedOn: { model: 'big', digest: 'd1' } });
    expect(await models.resolve('org', final)).toMatchObject({ adapter: 'a' });
    expect(await models.findProblem('org', final)).toBeNull();
  });

  it('that is an adapter trained on unknown weights with this name is served', async () => {
    const models = modelsWith({ trainedOn: { model: 'svc/tiny', digest: null } });
    expect(await models.resolve('org', final)).toMatchObject({ adapter: 'a' });
  });

  it('that is another base model is refused with an error that names the available one', async () => {
    const param = 'target.baseModel';
    const refused = modelsWith().resolve('org', big, { param });
    await expect(refused).rejects.toThrow(ApiError);
    const message = expect.stringContaining('svc/tiny');
    await expect(refused).rejects.toMatchObject({ status: 400, code: 'model_not_supported', param, message });
  });
});
