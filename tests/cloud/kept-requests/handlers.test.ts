// Who may read kept requests, and what they make of the answers.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { end, saying, scriptedBackend, text } from '../backends/scripted-backend.js';
import { baseTarget, bearer } from '../edge/sample-edge.js';
import { type KeptCloud, openKeptCloud } from './sample-kept-cloud.js';

let cloud: KeptCloud;
let id: string;
beforeEach(async () => {
  cloud = await openKeptCloud(scriptedBackend(saying(text('Hello'), end(5, 1))));
  await cloud.sample.chat('demo', {}, bearer(cloud.key));
  id = (await cloud.list()).requests[0]!.id;
});
afterEach(() => cloud.close());

const path = () => `/${cloud.deployment.id}/requests/${id}`;
const get = async () => ((await (await cloud.call('GET', path())).json()) as { request: object }).request;
const patch = (body: object) => cloud.call('PATCH', path(), body);

it('an answer is marked, and the mark taken back', async () => {
  expect(await (await patch({ mark: 'good' })).json()).toMatchObject({ request: { id, mark: 'good' } });
  expect(await cloud.list('mark=good')).toMatchObject({ requests: [{ id }], counts: { all: 1, good: 1 } });
  expect(await cloud.list('mark=none')).toMatchObject({ requests: [] });
  await patch({ mark: 'bad' });
  expect(await cloud.list()).toMatchObject({ counts: { all: 1, good: 0, bad: 1 } });
  await patch({ mark: 'none' });
  expect(await get()).toMatchObject({ mark: null });
});

it('an answer is corrected, and a mark discards the correction', async () => {
  const correction = { content: 'Hello, Ada.' };
  await patch({ correction });
  expect(await get()).toMatchObject({ mark: 'corrected', answer: { content: 'Hello' }, correction });
  const corrected = { counts: { corrected: 1 }, requests: [{ id }] };
  expect(await cloud.list('mark=corrected')).toMatchObject(corrected);
  await patch({ mark: 'good' });
  expect(await get()).toMatchObject({ mark: 'good', correction: null });
});

it.each([
  { correction: { content: ' ' } },
  { correction: { content: null } },
  { mark: 'corrected' },
  { mark: 'good', correction: { content: 'x' } },
  {},
])('an answer cannot be corrected to nothing, or marked and corrected at once: %j', async body => {
  expect((await patch(body)).status).toBe(400);
});

it('a request is deleted with what was made of it', async () => {
  const correction = { content: 'Hello, Ada.' };
  await patch({ correction });
  const remove = () => cloud.call('DELETE', path());
  expect(await (await remove()).json()).toMatchObject({ request: { id, correction } });
  expect(await cloud.list()).toMatchObject({ requests: [], counts: { all: 0 } });
  expect((await remove()).status).toBe(404);
});

it('requests are found in their own project and endpoint alone', async () => {
  const other = await cloud.publish({ slug: 'other', target: baseTarget, keepRequests: true });
  const one = path();
  const ofOther = one.replace(cloud.deployment.id, other.id);
  const all = `/${cloud.deployment.id}/requests`;
  for (const [place, code, paths] of [
    ['alpha/two', 'deployment_not_found', [all, one]],
    ['beta/one', 'deployment_not_found', [all, one]],
    ['alpha/one', 'request_not_found', [ofOther]],
  ] as const) {
    const marking = cloud.call('PATCH', paths.at(-1)!, { mark: 'good' }, place);
    const calls = [...paths.map(where => cloud.call('GET', where, undefined, place)), marking];
    for (const call of calls) expect(await (await call).json()).toMatchObject({ error: { code } });
  }
  expect(await get()).toMatchObject({ mark: null });
});

it('requests are not at the endpoint’s own address, whatever the key', async () => {
  const init = { method: 'GET', headers: bearer(cloud.key) };
  for (const where of ['requests', 'v1/requests', `v1/endpoints/${cloud.deployment.id}/requests`])
    expect([where, (await cloud.sample.fetch(`/d/demo/${where}`, init)).status]).toEqual([where, 404]);
});
