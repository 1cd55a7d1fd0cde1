// What goes on in a project, asked of a whole cloud.
import { afterEach, describe, expect, it } from 'vitest';
import { end, saying, scriptedBackend, text } from '../inference/scripted-backend.js';
import { type MemoryCloud, openMemoryCloud } from '../serve/memory-cloud.js';

let cloud: MemoryCloud;
afterEach(() => cloud.close());

const CONFIG = { model: 'test/model', datasetSource: { type: 'huggingface', name: 'some/rows' } } as const;

/** Of a user of its own. */
async function addProject(slug: string) {
  const { token, personalOrg } = await cloud.signUp();
  await cloud.client(token).createProject(personalOrg.slug, { name: slug, slug });
  return cloud.client(token, { orgSlug: personalOrg.slug, projectSlug: slug });
}

async function openProject() {
  cloud = await openMemoryCloud({ backend: scriptedBackend(saying(text('Hello'), end(3, 1))) });
  return addProject('one');
}

describe('the overview of a project', () => {
  it('has what runs or waits, in the order of the queue, and what ended last, five each at most', async () => {
    const client = await openProject();
    for (let number = 1; number <= 13; number++) {
      const { job } = await client.createJob({ name: `job ${number}`, config: CONFIG });
      if (number > 6) await client.cancelJob(job.id);
    }
    const { running, recent } = await client.getOverview();
    expect(running.map(({ name, status }) => [name, status])).toEqual(
      [1, 2, 3, 4, 5].map(number => [`job ${number}`, 'queued']),
    );
    expect(recent.map(({ name }) => name)).toEqual([13, 12, 11, 10, 9].map(number => `job ${number}`));
    expect(recent[0]).not.toHaveProperty('config');
  });

  it('counts the requests of each endpoint, and those that were not answered', async () => {
    const client = await openProject();
    const target = { kind: 'base_model', baseModel: 'test/model' } as const;
    await client.createDeployment({ slug: 'open', target, authMode: 'none' });
    await client.createDeployment({ slug: 'guarded', target });
    const ask = (slug: string, json: object) =>
      cloud.call(`/d/${slug}/v1/chat/completions`, { method: 'POST', json });
    await ask('open', { messages: [{ role: 'user', content: 'hi' }] });
    await ask('open', {});
    // Without a key it is not let in, so it does not count.
    await ask('guarded', { messages: [{ role: 'user', content: 'hi' }] });
    const { endpoints } = await client.getOverview();
    expect(endpoints.map(({ slug, enabled, requests, failed }) => [slug, enabled, requests, failed])).toEqual(
      [
        ['guarded', true, 0, 0],
        ['open', true, 2, 1],
      ],
    );
  });

  it('shows nothing of another project', async () => {
    const client = await openProject();
    await client.createJob({ name: 'mine', config: CONFIG });
    expect(await (await addProject('two')).getOverview()).toEqual({ running: [], recent: [], endpoints: [] });
  });
});
