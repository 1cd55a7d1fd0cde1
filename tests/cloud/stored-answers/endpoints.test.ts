// What an endpoint stores: for each key by itself, and nothing where there are no keys.
import type OpenAI from 'openai';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Deployment } from '../../../lib/contract/index.js';
import { EngineError } from '../../../lib/engine/index.js';
import { until } from '../../support/until.js';
import { faultAfter, type Script, scriptedBackend } from '../backends/scripted-backend.js';
import {
  createSampleEdge,
  openSampleEdge,
  type SampleEdge,
  baseTarget as target,
} from '../edge/sample-edge.js';
import { refusal } from '../project-api/sample-project-api.js';

let edge: SampleEdge;
let deployment: Deployment;
beforeEach(async () => {
  edge = await openSampleEdge();
  deployment = await edge.cloud.publish({ slug: 'demo', target, operations: ['responses'] });
});
afterEach(() => edge.cloud.close());

const issue = () => edge.cloud.issue(deployment);
const clientOf = (key: string) => edge.clientsOf('demo', key).openai;
const ask = (client: OpenAI, input: string, more = {}) =>
  client.responses.create({
    model: 'any',
    input,
    ...more,
  } as OpenAI.Responses.ResponseCreateParamsNonStreaming);

it('only the key that stored a response can read and continue it', async () => {
  const [own, other] = [clientOf((await issue()).plaintext), clientOf((await issue()).plaintext)];
  const { id } = await ask(own, 'hello');
  expect(await ask(own, 'again', { previous_response_id: id })).toMatchObject({ store: true });
  expect(await own.responses.retrieve(id)).toMatchObject({ id });
  expect(await refusal(other.responses.retrieve(id))).toMatchObject({ code: 'response_not_found' });
  const stolen = await refusal(ask(other, 'again', { previous_response_id: id }));
  expect(stolen).toMatchObject({ code: 'previous_response_not_found' });
  const conversation = await own.conversations.create();
  expect(await refusal(other.conversations.retrieve(conversation.id))).toMatchObject({ status: 404 });
});

it.each(['the key is revoked', 'the endpoint is deleted'] as const)('responses go when %s', async how => {
  const key = await issue();
  const client = clientOf(key.plaintext);
  const { id } = await ask(client, 'hello');
  const path = `/${deployment.id}`;
  await edge.cloud.call('DELETE', how === 'the key is revoked' ? `${path}/keys/${key.id}` : path);
  const storage = edge.cloud.stored.of({ keyId: key.id });
  expect('shelf' in storage && (await storage.shelf.find('response', id))).toBeNull();
});

it('an endpoint without keys stores nothing, and says why', async () => {
  await edge.cloud.call('PATCH', `/${deployment.id}`, { authMode: 'none' });
  const client = clientOf('any');
  const response = await ask(client, 'hello');
  expect(response).toMatchObject({ store: false });
  const message = expect.stringContaining('this endpoint takes requests without a key');
  const continued = await refusal(ask(client, 'again', { previous_response_id: response.id }));
  expect(continued).toMatchObject({ status: 400, param: 'previous_response_id', message });
  expect(await refusal(client.responses.retrieve(response.id))).toMatchObject({ status: 404, message });
});

it('a response that waits in the background is one request, and fails at most once', async () => {
  const busy = new EngineError('engine_busy', 'Busy.');
  const faults = [busy, busy, new Error('Oh.')];
  const { cloud } = edge;
  const script: Script = (task, signal) => faultAfter(faults.shift()!)(task, signal);
  const { clientsOf } = createSampleEdge(cloud, scriptedBackend(script));
  const client = clientsOf('demo', (await issue()).plaintext).openai;
  const { id } = await ask(client, 'hello', { background: true });
  expect(cloud.counts.read(deployment.id)).toEqual({ requests: 1, failed: 0 });
  await until(async () => {
    await cloud.clock.pass(1000);
    return (await client.responses.retrieve(id)).status;
  }).toBe('failed');
  expect(cloud.counts.read(deployment.id)).toMatchObject({ failed: 1 });
});
