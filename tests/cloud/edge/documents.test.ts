// What an endpoint says of itself at its own address: its task, and what it offers.
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterEach, beforeEach, expect, it } from 'vitest';
import * as z from 'zod';
import { defineTask } from '../../../lib/index.js';
import { jobs, type SampleCloud } from '../deployments/sample-cloud.js';
import { bearer, openSampleEdge, type SampleEdge, baseTarget as target } from './sample-edge.js';

const node = z.object({
  name: z.string(),
  get next() {
    return node.optional();
  },
});
const { description: task } = defineTask({ name: 'chain', input: node, output: z.enum(['a', 'b']) });

let cloud: SampleCloud;
let sample: SampleEdge;
beforeEach(async () => {
  sample = await openSampleEdge();
  cloud = sample.cloud;
  const stored = JSON.stringify(task);
  await cloud.db.updateTable('jobs').set({ task: stored }).where('id', '=', jobs.done).execute();
});
afterEach(() => cloud.close());

interface Document {
  paths: Record<string, object>;
  servers: object[];
  components: { schemas: Record<string, object> };
}

const publish = (fields: object = {}) =>
  cloud.publish({
    slug: 'chain',
    target: { kind: 'adapter', adapter: { kind: 'final', jobId: jobs.done } },
    authMode: 'none',
    ...fields,
  });
const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await sample.fetch(`/d/chain${path}`, { method: 'GET', headers });
  return { status: response.status, body: (await response.json()) as Document };
};

it('an endpoint says the task of its model', async () => {
  await publish();
  expect(await get('/v1/task')).toEqual({ status: 200, body: task });
});

it('an endpoint describes what it offers, with the types of its task', async () => {
  await publish({ operations: ['models'] });
  const { body } = await get('/v1/openapi.json');
  expect((await new Validator().validate(structuredClone(body) as never)).errors ?? []).toEqual([]);
  expect(Object.keys(body.paths)).toEqual([
    '/v1/task',
    '/v1/chat/completions',
    '/v1/models',
    '/v1/models/{model}',
  ]);
  expect(body.servers).toEqual([{ url: 'http://localhost:4100/d/chain' }]);
  const { TaskInput, TaskOutput } = body.components.schemas;
  expect(TaskOutput).toEqual(task.output);
  expect(TaskInput).toEqual({ $id: 'http://localhost:4100/d/chain/v1/task/input', ...task.input });
});

it('without a task, it has an OpenAPI document alone', async () => {
  await publish({ target });
  expect(await get('/v1/task')).toMatchObject({ status: 404, body: { error: { code: 'unknown_url' } } });
  const { status, body } = await get('/v1/openapi.json');
  expect([status, Object.keys(body.paths)]).toEqual([200, ['/v1/chat/completions']]);
  expect(body.components.schemas).not.toHaveProperty('TaskInput');
});

it('both need the key that calls need, and count as no calls', async () => {
  const deployment = await publish({ authMode: 'fixed_api_key' });
  const key = (await cloud.issue(deployment)).plaintext;
  for (const path of ['/v1/task', '/v1/openapi.json']) {
    expect((await get(path)).status).toBe(401);
    expect((await get(path, bearer(key))).status).toBe(200);
  }
  expect((await sample.fetch('/d/chain/v1/task', { body: '{}' })).status).toBe(404);
});
