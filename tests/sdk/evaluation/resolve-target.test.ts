// What is asked: the base model, what an endpoint serves, or an adapter of a job.
import { beforeEach, describe, expect, it } from 'vitest';
import { resolveTarget, type Session } from '../../../lib/sdk/index.js';
import type { FakeCloud } from '../../support/fake-cloud.js';
import { sampleDeployment, sampleJob } from '../../support/samples.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { openFakeCloud, sessionIn } from '../support.js';

let cloud: FakeCloud;
let session: Session;
beforeEach(async () => {
  cloud = await openFakeCloud();
  session = sessionIn(temporaryFolder('svc-target'), cloud);
  await session.ensureProject();
});

describe('what is asked', () => {
  const job = (id: string, fields: object = {}, adapters = ['final']) => {
    const made = sampleJob({ id, status: 'completed', artifactCount: adapters.length, ...fields });
    const archives = Object.fromEntries(adapters.map(name => [name, new Uint8Array()]));
    cloud.jobs.push({ job: made, events: [], archives });
    return made;
  };

  it('is the base model', async () => {
    expect(await resolveTarget(session, 'base')).toEqual({
      subject: { target: { kind: 'base_model', baseModel: 'svc/tiny' }, endpoint: null },
      task: null,
    });
  });

  it('is what an endpoint serves, with its slug', async () => {
    const target = { kind: 'base_model', baseModel: 'svc/tiny' } as const;
    cloud.deployments.push(sampleDeployment({ slug: 'bot', target }));
    expect((await resolveTarget(session, 'bot')).subject).toEqual({ target, endpoint: 'bot' });
  });

  it('is a checkpoint that is named', async () => {
    const { id } = job('aaaa1111-0000-4000-8000-000000000001');
    expect((await resolveTarget(session, 'aaaa:checkpoint:20')).subject.target).toEqual({
      kind: 'adapter',
      adapter: { kind: 'checkpoint', jobId: id, step: 20 },
    });
  });

  it('is the newest completed job that has an adapter, of all or of a name', async () => {
    const { id } = job('bbbb1111-0000-4000-8000-000000000001', { name: 'Support: v2' });
    const { id: newest } = job('aaaa1111-0000-4000-8000-000000000001', { name: 'triage' });
    job('cccc1111-0000-4000-8000-000000000001', { name: 'triage' }, []);
    cloud.jobs.reverse();
    const found = async (word: string) =>
      (await resolveTarget(session, word).catch(error => error)) as object;
    const final = (jobId: string) => ({ subject: { target: { adapter: { kind: 'final', jobId } } } });
    expect(await found('latest')).toMatchObject(final(newest));
    expect(await found('latest:Support: v2')).toMatchObject(final(id));
    const named = await resolveTarget(session, 'latest:Support: v2:checkpoint:20');
    expect(named.subject.target).toMatchObject({ adapter: { jobId: id, step: 20 } });
    const { subject } = await resolveTarget(session, 'latest:checkpoint:10');
    expect(subject.target).toMatchObject({
      adapter: { jobId: expect.stringMatching(/^aaaa1111/), step: 10 },
    });
    expect(await found('latest:support')).toMatchObject({
      code: 'target_not_found',
      message: 'No job named "support" of this project has completed with an adapter yet.',
    });
  });

  it('is neither unknown nor one of several', async () => {
    job('aaaa1111-0000-4000-8000-000000000001');
    job('aaaa2222-0000-4000-8000-000000000001');
    for (const word of ['aaaa', 'zzz', 'bbbb:final'])
      await expect(resolveTarget(session, word)).rejects.toMatchObject({ code: 'target_not_found' });
  });
});
