// A real cloud and a real client; the connection drops after the cloud handles a request, before it responds.
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type CloudClient, createCloudClient } from '../../../lib/client/index.js';
import { type Listening, listen } from '../../../lib/http/index.js';
import { type MemoryCloud, openMemoryCloud, SECRET } from '../serve/memory-cloud.js';

let memory: MemoryCloud;
let server: Listening;
let client: CloudClient;
/** How many of the next responses to drop. */
let losses: number;
beforeEach(async () => {
  losses = 0;
  memory = await openMemoryCloud();
  server = await listen({ fetch: answerOrLose }, { ports: [0] });
  const baseUrl = `http://127.0.0.1:${server.port}`;
  losses = 1;
  const { token, personalOrg } = await createCloudClient({ baseUrl }).signUpAnonymously(SECRET);
  const scope = { orgSlug: personalOrg.slug, projectSlug: 'app' };
  client = createCloudClient({ baseUrl, token, scope });
});
afterEach(async () => {
  await server.close();
  await memory.close();
});

async function answerOrLose(request: Request): Promise<Response> {
  const response = await memory.cloud.fetch(request);
  if (losses-- > 0)
    (request as Request & { runtime: { node: { res: ServerResponse } } }).runtime.node.res.destroy();
  return response;
}

const target = { kind: 'base_model', baseModel: 'test/model' } as const;
const datasetSource = { type: 'huggingface', name: 'some/rows' } as const;

it('the client retries a lost response, and everything is created once', async () => {
  const { orgs } = await client.getMe();
  losses = 2;
  const { project } = await client.createProject(orgs[0]!.slug, { name: 'App', slug: 'app' });
  expect((await client.listProjects(orgs[0]!.slug)).projects).toEqual([project]);

  losses = 2;
  const { job } = await client.createJob({ name: 'a', config: { model: 'test/model', datasetSource } });
  expect((await client.listJobs()).jobs.map(({ id }) => id)).toEqual([job.id]);

  losses = 2;
  const { deployment } = await client.createDeployment({ slug: 'bot', target });
  expect((await client.listDeployments()).deployments).toEqual([deployment]);

  losses = 2;
  const { key } = await client.issueDeploymentKey(deployment.id, 'ci');
  const { keys } = await client.listDeploymentKeys(deployment.id);
  expect(keys.filter(({ enabled }) => enabled)).toEqual([{ ...keys.at(-1)!, id: key.id }]);
});
