// svc endpoints show: times.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { formatLocalTime } from '../../../lib/console/index.js';
import { openRemoteProject, type RemoteProject } from '../../support/remote-project.js';
import { sampleDeployment } from '../../support/samples.js';
import { callCli } from '../support/terminal.js';

let project: RemoteProject;
beforeEach(async () => {
  project = await openRemoteProject();
  await project.link();
});
afterEach(() => project.close());

it('an endpoint shows all times in one format: ISO 8601 for programs, local time on a terminal', async () => {
  const target = { kind: 'base_model', baseModel: 'svc/tiny' } as const;
  const since = '2026-03-01T10:00:00.000Z';
  project.cloud.deployments.push(sampleDeployment({ earlierTargets: [{ target, since }], createdAt: since }));
  const place = { cwd: project.cwd, env: project.env };
  const { stdout } = await callCli(['endpoints', 'show', 'demo'], place);
  expect(stdout).toMatch(/Before +Base model: svc\/tiny since 2026-03-01T10:00:00\.000Z\n/);
  const { stdout: shown } = await callCli(['endpoints', 'show', 'demo'], { ...place, isTTY: true });
  expect(shown).toMatch(new RegExp(`Before .* since ${formatLocalTime(since)}\\n`));
  expect(shown).not.toContain(since);
});
