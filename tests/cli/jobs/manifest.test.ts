// svc jobs manifest, against a cloud in memory.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../lib/contract/index.js';
import { openRemoteProject, type RemoteProject } from '../../support/remote-project.js';
import { sampleJob } from '../../support/samples.js';
import { callCli } from '../support/terminal.js';

const ID = '1a2b3c4d-0000-4000-8000-000000000001';

let project: RemoteProject;
beforeEach(async () => {
  project = await openRemoteProject();
  await project.link();
});
afterEach(() => project.close());

async function manifestOf(config: Job['config']): Promise<string> {
  project.cloud.jobs.push({ job: sampleJob({ id: ID, config }), events: [], archives: {} });
  const { stdout } = await callCli(['jobs', 'manifest', ID], { cwd: project.cwd, env: project.env });
  return stdout;
}

describe('svc jobs manifest', () => {
  it('says what the results of a job depend on', async () => {
    const text = await manifestOf({ loraR: 8 });
    expect(text).toMatch(/^Job +1a2b3c4d-.*\nModel +svc\/tiny\n/);
    expect(text).toMatch(/\nSeed +42\n/);
    expect(text).toMatch(/\nMachine +linux x64, A processor, 2 cores\n/);
  });

  it('says that an adapter was imported, which has no seed and no data', async () => {
    const text = await manifestOf({ imported: true });
    expect(text).toMatch(/\nOrigin +imported\n$/);
    expect(text).not.toMatch(/Seed|Data|Machine/);
  });
});
