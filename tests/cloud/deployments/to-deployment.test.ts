import { describe, expect, it } from 'vitest';
import {
  type DeploymentRow,
  isLocalDomain,
  toDeployment,
} from '../../../lib/cloud/deployments/deployment-rows.js';
import { decideRetention } from '../../../lib/cloud/deployments/store-deployment.js';
import { deployment } from '../../../lib/contract/index.js';

const row: DeploymentRow = {
  ...{ id: 'd1', number: 1, org_id: 'o1', project_id: 'p1', slug: 'demo' },
  target: '{"kind":"base_model","baseModel":"m"}',
  ...{ auth_mode: 'none', enabled: 0, retention_mode: 'days', retention_days: 7, keep_requests: 0 },
  ...{ created_at: '2026-03-01T10:00:00.000Z', updated_at: '2026-03-01T11:00:00.000Z' },
  ...{ operations: '["chat","models"]', cors_origins: '["https://app.example.com"]' },
  ...{ follows: null, target_since: null, earlier_targets: '[]', canary: null, require_gate: 0 },
};

const urlsOn = (deploymentDomain: string, url = 'http://localhost:4100') => {
  const { url: own, pathUrl } = toDeployment(row, { url, deploymentDomain, names: [] });
  return [own, pathUrl];
};

describe('a deployment in the API', () => {
  it('has every field of the contract', () => {
    const shown = toDeployment(row, { url: 'https://x', deploymentDomain: 'd.example.com', names: [] });
    expect(shown).toEqual({
      ...{ id: 'd1', slug: 'demo', orgId: 'o1', projectId: 'p1', problem: null, task: null },
      ...{ target: { kind: 'base_model', baseModel: 'm' }, follows: null, earlierTargets: [], canary: null },
      ...{ authMode: 'none', enabled: false, urlFormat: 'openai_compat', customDomain: null },
      ...{ operations: ['chat', 'models'], corsOrigins: ['https://app.example.com'] },
      ...{ runRetentionMode: 'days', runRetentionDays: 7, keepRequests: false, requireGate: false },
      ...{ url: 'https://demo.d.example.com', pathUrl: null },
      ...{ createdAt: row.created_at, updatedAt: row.updated_at },
    });
    expect(deployment.parse(shown)).toEqual(shown);
  });

  it("has an https URL, or on localhost the cloud's protocol plus a path URL", () => {
    expect(urlsOn('d.example.com:8443')).toEqual(['https://demo.d.example.com:8443', null]);
    expect(urlsOn('localhost:4100')).toEqual(['http://demo.localhost:4100', 'http://localhost:4100/d/demo']);
    const secure = ['https://demo.localhost', 'https://localhost/d/demo'];
    expect(urlsOn('localhost', 'https://localhost')).toEqual(secure);
  });

  it('recognizes localhost domains', () => {
    const local = ['localhost', 'localhost:4100', 'a.localhost', 'LOCALHOST:1'];
    const other = ['localhost.example.com', 'notlocalhost', 'example.com', 'localhost:'];
    expect([...local, ...other].filter(isLocalDomain)).toEqual(local);
  });
});

describe('the retention of runs', () => {
  const days = (number: number) => ({ runRetentionMode: 'days' as const, runRetentionDays: number });
  const unlimited = { runRetentionMode: 'unlimited' as const, runRetentionDays: null };
  const disabled = { runRetentionMode: 'disabled' as const, runRetentionDays: null };

  it.each([
    ['defaults to seven days', {}, null, days(7)],
    ['has the given days', { runRetentionDays: 3 }, null, days(3)],
    ['has the given mode and days', { runRetentionMode: 'days', runRetentionDays: 3 }, null, days(3)],
    ['has no days where there is none', { runRetentionMode: 'disabled' }, null, disabled],
    ['may have null days', { runRetentionMode: 'unlimited', runRetentionDays: null }, null, unlimited],
    ['keeps its days unless given', {}, days(3), days(3)],
    ['keeps its mode unless given', {}, unlimited, unlimited],
    ['keeps its days with the same mode', { runRetentionMode: 'days' }, days(3), days(3)],
    ['changes its days alone', { runRetentionDays: 9 }, days(3), days(9)],
    ['drops its days when its mode changes', { runRetentionMode: 'unlimited' }, days(3), unlimited],
  ] as const)('%s', (_, given, current, decided) => {
    expect(decideRetention(given, current)).toEqual(decided);
  });

  it.each([
    [{ runRetentionMode: 'days' }, null],
    [{ runRetentionMode: 'days' }, unlimited],
    [{ runRetentionDays: null }, days(3)],
    [{ runRetentionDays: null }, null],
    [{ runRetentionDays: 3 }, unlimited],
    [{ runRetentionMode: 'disabled', runRetentionDays: 3 }, null],
  ] as const)('is refused when mode and days do not match: %j after %j', (given, current) => {
    expect(() => decideRetention(given, current)).toThrow(
      expect.objectContaining({ status: 400, code: 'invalid_value', param: 'runRetentionDays' }),
    );
  });
});
