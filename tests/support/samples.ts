// Values in the shapes of the contract, for tests that need one and do not care which.
import {
  type CloudCredentials,
  type Deployment,
  type Job,
  jobSummary,
  type Key,
} from '../../lib/contract/index.js';

export const JOB_ID = '1a2b3c4d-0000-4000-8000-000000000001';
const CREATED_AT = '2026-03-01T10:00:00.000Z';

export function sampleJob(fields: Partial<Job> = {}): Job {
  const owner = { orgId: 'org-1', projectId: 'project-1' };
  const times = { createdAt: CREATED_AT, startedAt: CREATED_AT };
  const names = { name: 'triage', trainer: fields.name ?? 'triage' };
  const known = jobSummary.parse({ id: JOB_ID, status: 'running', ...names, ...times, ...owner });
  const saved = fields.status === 'completed' && { artifactCount: 1 };
  return { ...known, config: {}, ...saved, ...fields };
}

export function sampleDeployment(fields: Partial<Deployment> = {}): Deployment {
  return {
    id: '2a2b3c4d-0000-4000-8000-000000000002',
    slug: 'demo',
    orgId: 'org-1',
    projectId: 'project-1',
    target: { kind: 'adapter', adapter: { kind: 'final', jobId: JOB_ID } },
    authMode: 'fixed_api_key',
    enabled: true,
    operations: ['chat'],
    corsOrigins: [],
    urlFormat: 'openai_compat',
    customDomain: null,
    runRetentionMode: 'days',
    runRetentionDays: 7,
    url: 'https://demo.d.example.com',
    pathUrl: null,
    createdAt: CREATED_AT,
    updatedAt: CREATED_AT,
    ...fields,
  };
}

export function sampleKey(fields: Partial<Key> = {}): Key {
  return {
    id: '3a2b3c4d-0000-4000-8000-000000000003',
    label: 'ci',
    prefix: 'svc_live_abc',
    enabled: true,
    createdAt: CREATED_AT,
    lastUsedAt: null,
    ...fields,
  };
}

type Credentials<Mode extends CloudCredentials['mode']> = Extract<CloudCredentials, { mode: Mode }>;

const SERVED = { deploymentDomain: 'd.example.com', baseModel: 'svc/tiny' };

export function sampleAnonymous(fields: Partial<Credentials<'anonymous'>> = {}): Credentials<'anonymous'> {
  return {
    mode: 'anonymous',
    token: 'known',
    anonymousId: 'a',
    orgSlug: 'anon-0',
    ...SERVED,
    ...fields,
  };
}

/** Of somebody who signed in at an identity provider that nobody has to ask. */
export function sampleSignedIn(fields: Partial<Credentials<'oauth'>> = {}): Credentials<'oauth'> {
  return {
    mode: 'oauth',
    accessToken: 'access',
    refreshToken: null,
    expiresAt: '2999-01-01T00:00:00Z',
    issuer: 'https://id.test',
    clientId: 'svc',
    ...SERVED,
    ...fields,
  };
}
