// Under which names OpenAI's clients know the adapters of a project.
import { describe, expect, it } from 'vitest';
import { readModelId, toModelId } from '../../lib/contract/index.js';

const jobId = '1a2b3c4d-5e6f-4000-8000-000000000000';
const base = { baseModel: 'svc/tiny', orgSlug: 'acme' };
const suffixOf = (jobName: string) =>
  toModelId({ ...base, jobName, adapter: { kind: 'final', jobId } }).split(':')[3];

describe('the ID of a model', () => {
  it('names the job and the step of an adapter, which are read from it again', () => {
    const last = toModelId({ ...base, jobName: 'Triage', adapter: { kind: 'final', jobId } });
    expect(last).toBe(`ft:svc/tiny:acme:triage:${jobId}`);
    expect(readModelId(last)).toEqual({ kind: 'final', jobId });
    const adapter = { kind: 'checkpoint', jobId, step: 40 } as const;
    const early = toModelId({ ...base, jobName: 'Triage', adapter });
    expect(early).toBe(`${last}:ckpt-step-40`);
    expect(readModelId(early)).toEqual(adapter);
    expect(readModelId('svc/tiny')).toBe(null);
    expect(readModelId(`${early}x`)).toBe(null);
  });

  it("has a job's name as a short word without other signs than single hyphens", () => {
    expect(suffixOf('Über  Triage: v2!')).toBe('ber-triage-v2');
    expect(suffixOf(`${'a'.repeat(63)} b`)).toBe('a'.repeat(63));
    expect(suffixOf('a'.repeat(90))).toBe('a'.repeat(64));
  });
});
