// Who may read kept requests, and what they make of the answers.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BASE_MODEL } from '../deployments/sample-cloud.js';
import { bearer } from '../edge/sample-edge.js';
import { end, saying, scriptedBackend, text } from '../inference/scripted-backend.js';
import { type KeptCloud, openKeptCloud } from './sample-kept-cloud.js';

let cloud: KeptCloud;
let id: string;
beforeEach(async () => {
  cloud = await openKeptCloud(scriptedBackend(saying(text('Hello'), end(5, 1))));
  await cloud.sample.chat('demo', {}, bearer(cloud.key));
  id = (await cloud.list()).requests[0]!.id;
});
afterEach(() => cloud.close());

const path = (requestId = id) => `/${cloud.deployment.id}/requests/${requestId}`;
const get = async () => ((await (await cloud.call('GET', path())).json()) as { request: object }).request;
const patch = (body: object) => cloud.call('PATCH', path(), body);

describe('an answer', () => {
  it('is marked, and the mark taken back', async () => {
    expect(await (await patch({ mark: 'good' })).json()).toMatchObject({ request: { id, mark: 'good' } });
    expect(await cloud.list('mark=good')).toMatchObject({ requests: [{ id }], counts: { all: 1, good: 1 } });
    expect(await cloud.list('mark=none')).toMatchObject({ requests: [] });
    await patch({ mark: 'bad' });
    expect(await cloud.list()).toMatchObject({ counts: { all: 1, good: 0, bad: 1 } });
    await patch({ mark: 'none' });
    expect(await get()).toMatchObject({ mark: null });
  });

  it('is corrected, and a mark discards the correction', async () => {
    const correction = { content: 'Hello, Ada.' };
    await patch({ correction });
    expect(await get()).toMatchObject({ mark: 'corrected', answer: { content: 'Hello' }, correction });
    expect(await cloud.list('mark=corrected')).toMatchObject({
      counts: { corrected: 1 },
      requests: [{ id }],
    });
    await patch({ mark: 'good' });
    expect(await get()).toMatchObject({ mark: 'good', correction: null });
  });

  it('cannot be corrected to nothing, or marked and corrected at once', async () => {
    for (const body of [
      { correction: { content: ' ' } },
      { correction: { content: null } },
      { mark: 'corrected' },
      { mark: 'good', correction: { content: 'x' } },
      {},
    ])
      expect([body, (await patch(body)).status]).toEqual([body, 400]);
  });
});

it('is deleted, and no word of it stays in the data folder', async () => {
  const correction = { content: 'a secret nobody else says' };
  await patch({ correction });
  const remove = () => cloud.call('DELETE', path());
  expect(await (await remove()).json()).toMatchObject({ request: { id, correction } });
  expect(await cloud.list()).toMatchObject({ requests: [], counts: { all: 0 } });
  expect((await remove()).status).toBe(404);
  const { folder } = cloud;
  const files = (await readdir(folder)).filter(name => name.startsWith('requests.db'));
  expect(files.length).toBeGreaterThan(0);
  for (const name of files)
    expect((await readFile(join(folder, name))).includes(correction.content)).toBe(false);
});

describe('kept requests', () => {
  it('are found in their own project alone', async () => {
    for (const place of ['alpha/two', 'beta/one'])
      for (const [method, where, body] of [
        ['GET', `/${cloud.deployment.id}/requests`, undefined],
        ['GET', path(), undefined],
        ['PATCH', path(), { mark: 'good' }],
      ] as const) {
        const response = await cloud.call(method, where, body, place);
        expect(await response.json()).toMatchObject({ error: { code: 'deployment_not_found' } });
      }
    expect(await get()).toMatchObject({ mark: null });
  });

  it('belong to their endpoint: another one of the project does not know them', async () => {
    const other = await cloud.publish({
      slug: 'other',
      target: { kind: 'base_model', baseModel: BASE_MODEL },
      keepRequests: true,
    });
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { mark: 'bad' }],
    ] as const) {
      const response = await cloud.call(method, `/${other.id}/requests/${id}`, body);
      expect(await response.json()).toMatchObject({ error: { code: 'request_not_found' } });
    }
  });

  it('are not at the endpoint’s own address, whatever the key', async () => {
    for (const where of ['requests', 'v1/requests', `v1/endpoints/${cloud.deployment.id}/requests`]) {
      const response = await cloud.sample.fetch(`/d/demo/${where}`, {
        method: 'GET',
        headers: bearer(cloud.key),
      });
      expect([where, response.status]).toEqual([where, 404]);
    }
  });
});
