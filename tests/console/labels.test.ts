import { describe, expect, it } from 'vitest';
import {
  brokenRunAction,
  deploymentHost,
  enabledLabel,
  identityLine,
  jobLabel,
  keyLabelProblem,
  runAction,
  targetLabel,
  targetWords,
  troubleLabel,
} from '../../lib/console/index.js';
import { ApiError } from '../../lib/contract/index.js';

const jobId = '1a2b3c4d-5e6f-4000-8000-000000000000';

describe('a target', () => {
  it('is named as the specification has it', () => {
    expect(targetWords({ kind: 'adapter', adapter: { kind: 'final', jobId } })).toBe('job 1a2b3c4d');
    expect(targetWords({ kind: 'base_model', baseModel: 'svc/tiny' })).toBe('the base model');
    expect(targetLabel({ kind: 'adapter', adapter: { kind: 'final', jobId } })).toBe(
      'Final adapter (job 1a2b3c4d)',
    );
    expect(targetLabel({ kind: 'adapter', adapter: { kind: 'checkpoint', jobId, step: 40 } })).toBe(
      'Checkpoint step 40 (job 1a2b3c4d)',
    );
    expect(targetLabel({ kind: 'base_model', baseModel: 'svc/tiny-instruct' })).toBe(
      'Base model: svc/tiny-instruct',
    );
  });
});

describe('the identity line', () => {
  const known = { deploymentDomain: 'd.example.com', baseModel: 'm' };

  it.each([
    [
      { mode: 'anonymous', orgSlug: 'anon-1', projectSlug: 'app-1f2e', cloudHost: 'local' },
      'anonymous · anon-1 / app-1f2e · local',
    ],
    [
      { mode: 'anonymous', orgSlug: 'anon-1', projectSlug: null, cloudHost: '127.0.0.1:9' },
      'anonymous · anon-1 · 127.0.0.1:9',
    ],
    [{ mode: 'oauth', orgSlug: 'acme', projectSlug: 'bot', cloudHost: null }, 'oauth · acme / bot'],
    [
      { mode: 'oauth', orgSlug: null, projectSlug: null, cloudHost: 'cloud.example' },
      'oauth · cloud.example',
    ],
  ] as const)('of %j is %s', (identity, line) => {
    expect(identityLine({ ...identity, ...known })).toBe(line);
  });
});

describe('a job among others', () => {
  it('is told from its namesakes by id and time', () => {
    const createdAt = '2026-03-01T10:00:00.000Z';
    expect(jobLabel({ name: 'triage', id: jobId, createdAt })).toBe(
      `\u2068triage\u2069 · 1a2b3c4d · ${new Date(createdAt).toLocaleString()}`,
    );
    const group = { id: jobId, settings: [{ name: 'learningRate', value: 0.001 }] };
    expect(jobLabel({ name: 'lr sweep', id: jobId, createdAt, group })).toContain(
      'lr sweep\u2069 · learningRate=0.001 · 1a2b3c4d',
    );
  });
});

describe('the label of a key', () => {
  it('has 1 to 80 characters, blanks around it not counted', () => {
    expect(['x', ` ${'x'.repeat(80)} `].map(keyLabelProblem)).toEqual([null, null]);
    expect(keyLabelProblem('  ')).toContain('Enter a label');
    expect(keyLabelProblem('x'.repeat(81))).toContain('at most 80 characters; this label has 81');
  });

  it('is counted in characters, whatever they take in UTF-16', () => {
    expect(keyLabelProblem('🚀'.repeat(80))).toBeNull();
    expect(keyLabelProblem('🚀'.repeat(81))).toContain('at most 80 characters; this label has 81');
  });
});

describe('a deployment', () => {
  it('stands in the list as its slug with the deployment host', () => {
    expect(deploymentHost({ url: 'https://demo.d.example.com' })).toBe('demo.d.example.com');
    expect(deploymentHost({ url: 'http://demo.localhost:4100' })).toBe('demo.localhost:4100');
  });

  it('is enabled or disabled in words', () => {
    expect([enabledLabel({ enabled: true }), enabledLabel({ enabled: false })]).toEqual([
      'enabled',
      'disabled',
    ]);
  });

  it('has a second mark while it cannot serve', () => {
    expect(troubleLabel({ problem: 'Its adapter is damaged.' })).toBe('cannot serve');
    expect([troubleLabel({ problem: null }), troubleLabel({})]).toEqual([null, null]);
  });
});

describe('the run action', () => {
  it('names the trainer, says that there is none, or why it could not be read', () => {
    expect(runAction({ trainer: { name: 'triage', model: 'm' } })).toEqual({
      kind: 'ready',
      label: 'Run training: triage',
    });
    expect(runAction({ trainer: null })).toMatchObject({
      kind: 'missing',
      message: expect.stringContaining('createService'),
    });
    expect(brokenRunAction(new Error('x.ts:1: Unexpected ";"'))).toEqual({
      kind: 'broken',
      message: 'Couldn\'t read manifest: x.ts:1: Unexpected ";"',
    });
  });

  it('offers to create a project where there is none', () => {
    const error = new ApiError(
      { status: 404, code: 'project_missing', type: 'invalid_request_error' },
      'None.',
    );
    expect(brokenRunAction(error).kind).toBe('new');
  });
});
