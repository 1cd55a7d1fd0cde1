import { describe, expect, it } from 'vitest';
import {
  completeDraft,
  type DeploymentDraft,
  draftField,
  draftFields,
  draftProblems,
  emptyDraft,
  JOB_ID_RULE,
  toDeploymentInput,
} from '../../lib/console/index.js';
import { deploymentInput } from '../../lib/contract/index.js';
import { JOB_ID } from '../support/samples.js';

const draft = (fields: Partial<DeploymentDraft> = {}): DeploymentDraft => ({
  ...emptyDraft,
  slug: 'demo',
  jobId: JOB_ID,
  ...fields,
});

const problems = (fields: Partial<DeploymentDraft>, baseModel: string | null = 'svc/tiny') =>
  Object.keys(draftProblems(draft(fields), baseModel));

describe('the form of an endpoint', () => {
  it('begins with a final adapter and with keys', () => {
    expect(emptyDraft).toMatchObject({ kind: 'final', authMode: 'fixed_api_key' });
  });

  it.each<[Partial<DeploymentDraft>, string[], string]>([
    [{}, ['slug', 'kind', 'jobId', 'authMode'], 'Final adapter of a job'],
    [{ kind: 'checkpoint' }, ['slug', 'kind', 'jobId', 'step', 'authMode'], 'Checkpoint of a job'],
    [{ kind: 'base_model' }, ['slug', 'kind', 'authMode'], 'Base model: svc/tiny'],
  ])('%j is entered in the fields %j', (fields, names, target) => {
    const shown = draftFields(draft(fields), 'svc/tiny');
    expect(shown.map(({ name }) => name)).toEqual(names);
    expect(shown.find(({ name }) => name === 'kind')).toMatchObject({ chosen: target, about: 'baseModel' });
    expect(draftFields(draft({ kind: 'base_model' }), null)[1]!.chosen).toBe('Base model: not known yet');
  });

  it.each<[Partial<DeploymentDraft>, object]>([
    [{}, { kind: 'adapter', adapter: { kind: 'final', jobId: JOB_ID } }],
    [
      { kind: 'checkpoint', step: '40' },
      { kind: 'adapter', adapter: { kind: 'checkpoint', jobId: JOB_ID, step: 40 } },
    ],
    [
      { kind: 'base_model', jobId: 'left over' },
      { kind: 'base_model', baseModel: 'svc/tiny' },
    ],
  ])('%j makes the target %j', (fields, target) => {
    expect(problems(fields)).toEqual([]);
    const input = toDeploymentInput(draft(fields), 'svc/tiny');
    expect(input).toEqual({ slug: 'demo', target, authMode: 'fixed_api_key' });
    expect(deploymentInput.parse(input)).toEqual(input);
  });

  it('takes no notice of blanks around what was typed', () => {
    const fields = { kind: 'checkpoint', slug: ' demo ', jobId: ` ${JOB_ID}\n`, step: ' 7 ' } as const;
    expect(problems(fields)).toEqual([]);
    expect(toDeploymentInput(draft(fields), null)).toMatchObject({
      slug: 'demo',
      target: { adapter: { jobId: JOB_ID, step: 7 } },
    });
  });

  it.each<[Partial<DeploymentDraft>, string[]]>([
    [{ slug: '' }, ['slug']],
    [{ slug: 'Not a slug' }, ['slug']],
    [{ slug: 'x'.repeat(51) }, ['slug']],
    [{ jobId: ' ' }, ['jobId']],
    [{ jobId: JOB_ID.slice(0, 8) }, []],
    [{ jobId: `${JOB_ID.slice(0, 8)}x` }, ['jobId']],
    [{ jobId: `${JOB_ID}0` }, ['jobId']],
    [{ jobId: `${JOB_ID.replace('-', '')}00` }, ['jobId']],
    [{ kind: 'checkpoint', step: '' }, ['step']],
    [{ kind: 'checkpoint', step: '1.5' }, ['step']],
    [{ kind: 'checkpoint', step: '-1', jobId: '', slug: '-' }, ['slug', 'jobId', 'step']],
  ])('%j is not sent, because of %j', (fields, fieldsWithProblems) => {
    expect(problems(fields)).toEqual(fieldsWithProblems);
  });

  it('says in words of a person what the ID of a job is', () => {
    expect(draftProblems(draft({ jobId: '' }), null)).toEqual({ jobId: 'Enter a job ID.' });
    expect(draftProblems(draft({ jobId: 'zebra' }), null)).toEqual({
      jobId: `Not a valid job ID. ${JOB_ID_RULE}`,
    });
  });

  it('takes the start of the ID of one job, and asks for the jobs only then', async () => {
    const others = [{ id: JOB_ID }, { id: JOB_ID.replace(/^./, 'f') }];
    const complete = (jobId: string, jobs = others) => completeDraft(draft({ jobId }), async () => jobs);
    expect((await complete(` ${JOB_ID.slice(0, 8).toUpperCase()} `)).jobId).toBe(JOB_ID);
    const none = async () => {
      throw new Error('The jobs were asked for.');
    };
    expect(await completeDraft(draft({ jobId: JOB_ID }), none)).toEqual(draft({ jobId: JOB_ID }));
    expect(await completeDraft(draft({ kind: 'base_model', jobId: 'a' }), none)).toEqual(
      draft({ kind: 'base_model', jobId: 'a' }),
    );
    await expect(complete('0')).rejects.toMatchObject({ param: 'jobId' });
    const twins = [{ id: JOB_ID }, { id: JOB_ID.replace(/.$/, 'f') }];
    await expect(complete(JOB_ID.slice(0, 8), twins)).rejects.toThrow('2 jobs have IDs that start so.');
  });

  it('does not judge whether a label is reserved', () => {
    expect(problems({ slug: 'www' })).toEqual([]);
  });

  it('cannot name a base model that is not known', () => {
    expect(problems({ kind: 'base_model' }, null)).toEqual(['baseModel']);
  });

  it('finds the field that an error speaks of', () => {
    expect(
      ['slug', 'target.adapter.jobId', 'target.adapter.step', 'target.baseModel'].map(draftField),
    ).toEqual(['slug', 'jobId', 'step', 'baseModel']);
    expect([draftField(null), draftField('target')]).toEqual([null, null]);
  });
});
