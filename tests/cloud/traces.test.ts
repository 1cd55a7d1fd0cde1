// The spans that a real cloud sends of its requests, answers and steps, and that it serves as ever while no one collects them.
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { BASE_MODEL_NAME, baseModelFolder } from '../../lib/base-model/index.js';
import { openBaseModel, runCloud } from '../../lib/cloud/index.js';
import type { Backend } from '../../lib/cloud/seams/backend.js';
import type { JobRunner } from '../../lib/cloud/seams/runner.js';
import { openSession } from '../../lib/sdk/index.js';
import { readTraceSettings } from '../../lib/telemetry/index.js';
import packageJson from '../../package.json' with { type: 'json' };
import { findFreePort } from '../support/free-port.js';
import { askRaw, refusedWith } from '../support/raw-answer.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

// biome-ignore lint/suspicious/noExplicitAny: what OTLP nests.
type Json = any;

interface SeenSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  status?: { message: string };
  attributes: Record<string, unknown>;
}

async function openCollector() {
  const spans: SeenSpan[] = [];
  const read = (value: Json): unknown =>
    'arrayValue' in value ? value.arrayValue.values.map(read) : Object.values(value)[0];
  const server = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as { resourceSpans: Json[] };
    for (const { attributes, ...span } of resourceSpans[0].scopeSpans[0].spans)
      spans.push({
        ...span,
        attributes: Object.fromEntries(attributes.map(({ key, value }: Json) => [key, read(value)])),
      });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  });
  return { spans, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Writes an adapter after two steps. */
const runner: JobRunner = {
  start(run, desk) {
    const tell = (type: string, fields: object) =>
      desk.record({ type, jobId: run.jobId, timestamp: new Date().toISOString(), ...fields } as never);
    const train = async () => {
      await tell('training.started', {
        model: 'm',
        dataset: 'd',
        totalSteps: 2,
        trainableParameters: 1,
        trainTokens: 1,
      });
      await tell('training.log', { step: 1, loss: 0.5 });
      await tell('training.log', { step: 2, loss: 0.25, tokens: 7 });
      const final = join(desk.locate(run).request.folder, 'final');
      await mkdir(final, { recursive: true });
      for (const name of ['adapter_config.json', 'adapter_model.safetensors'])
        await writeFile(join(final, name), '{}');
      const about = { name: 'final', kind: 'final', step: 2, bytes: 9, sha256: 'a'.repeat(64) };
      await tell('training.completed', { artifacts: [about], metrics: {} });
      return { status: 'completed' as const, exitCode: 0, signal: null };
    };
    return { ended: train(), cancel() {}, pause() {}, kill() {} };
  },
};

const backend: Backend = {
  state: 'ready',
  abilities: { adapters: true, logprobs: false, structure: false, embeddings: true, ownTemplate: false },
  load: async () => {},
  unload: async () => {},
  async *ask(kind, task) {
    if (JSON.stringify(task).includes('break')) throw new Error('The engine broke.');
    if (kind === 'embed') {
      yield { values: new Float32Array([0.6, 0.8, 0]), promptTokens: 3 } as never;
      return;
    }
    yield { text: 'a secret answer', tokenIds: [1] } as never;
    const usage = { promptTokens: 5, completionTokens: 2 };
    yield { text: '', tokenIds: [], finishReason: 'stop', usage } as never;
  },
  close: async () => {},
};

async function startTraced(endpoint: string) {
  const home = temporaryFolder('svc-traces');
  const served = await runCloud({
    folder: join(home, 'cloud'),
    version: packageJson.version,
    port: await findFreePort(),
    baseModel: openBaseModel(baseModelFolder(), BASE_MODEL_NAME),
    parts: { runner, backend },
    traces: readTraceSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })!,
  });
  const close = async () => {
    served.stop();
    await served.ended;
  };
  onTestFinished(close);
  const session = openSession({ folder: home, env: { SVC_HOME: home }, isLocal: true });
  return { client: await session.projectClient(), port: served.port, close };
}

const ask = (content: string) => ({
  baseModel: BASE_MODEL_NAME,
  messages: [{ role: 'user' as const, content }],
});

it('has a span for each request and each answer, without their texts, in the trace of the caller', async () => {
  const { spans, url } = await openCollector();
  const { client, close } = await startTraced(url);
  await client.chat({ ...ask('a secret question'), temperature: 0.5, maxTokens: 9 });
  for await (const _ of client.chat({ ...ask('hi'), stream: true }));
  await client.chat(ask('break')).catch(() => {});
  const { deployment } = await client.createDeployment({
    slug: 'traced',
    target: { kind: 'base_model', baseModel: BASE_MODEL_NAME },
    authMode: 'none',
  });
  const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
  const response = await fetch(`${deployment.pathUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent: `00-${traceId}-${spanId}-01` },
    body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'hi' }] }),
  });
  await response.json();
  await close();

  const chats = spans.filter(({ name }) => name === 'POST /v1/inference/chat');
  expect(chats.map(({ attributes }) => attributes['http.response.status_code'])).toEqual([
    '200',
    '200',
    '500',
  ]);
  const answers = spans.filter(({ name }) => name === `chat ${BASE_MODEL_NAME}`);
  expect(answers).toHaveLength(4);
  expect(answers[0]).toMatchObject({ traceId: chats[0]!.traceId, parentSpanId: chats[0]!.spanId });
  expect(answers[0]!.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'svc',
    'gen_ai.request.temperature': 0.5,
    'gen_ai.request.max_tokens': '9',
    'gen_ai.response.model': BASE_MODEL_NAME,
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.usage.input_tokens': '5',
    'gen_ai.usage.output_tokens': '2',
    'svc.request_id': chats[0]!.attributes['svc.request_id'],
  });
  expect(answers[1]).toMatchObject({ parentSpanId: chats[1]!.spanId });
  expect(answers[1]!.attributes['gen_ai.usage.output_tokens']).toBe('2');
  expect(answers[2]!.attributes['error.type']).toBe('Error');
  const called = spans.find(({ name }) => name === 'POST /v1/chat/completions')!;
  expect(called).toMatchObject({ traceId, parentSpanId: spanId });
  expect(called.attributes['svc.endpoint']).toBe('traced');
  expect(answers[3]).toMatchObject({ traceId, parentSpanId: called.spanId });
  expect(answers[3]!.attributes['gen_ai.request.model']).toBe('any');
  expect(JSON.stringify(spans)).not.toContain('secret');
  expect(spans.some(({ name }) => name.includes('/healthz') || name.endsWith('/v1/cloud'))).toBe(false);
});

it('has a span for each request for embeddings, without their texts', async () => {
  const { spans, url } = await openCollector();
  const { client, close } = await startTraced(url);
  const { deployment } = await client.createDeployment({
    slug: 'traced',
    target: { kind: 'base_model', baseModel: BASE_MODEL_NAME },
    authMode: 'none',
    operations: ['embeddings'],
  });
  const embed = async (body: object) => {
    const response = await fetch(`${deployment.pathUrl}/v1/embeddings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'any', ...body }),
    });
    await response.text();
    return response.status;
  };
  expect(await embed({ input: ['a secret', 'another secret'] })).toBe(200);
  expect(await embed({ input: 'a secret', dimensions: 2, encoding_format: 'base64' })).toBe(200);
  expect(await embed({ input: 'break' })).toBe(500);
  await close();

  const requests = spans.filter(({ name }) => name === 'POST /v1/embeddings');
  const embeddings = spans.filter(({ name }) => name === `embeddings ${BASE_MODEL_NAME}`);
  expect(embeddings.map(({ parentSpanId }) => parentSpanId)).toEqual(requests.map(({ spanId }) => spanId));
  expect(embeddings[0]!.status?.message).toBeUndefined();
  expect(embeddings[0]!.attributes).toEqual({
    'gen_ai.operation.name': 'embeddings',
    'gen_ai.provider.name': 'svc',
    'gen_ai.request.model': 'any',
    'gen_ai.response.model': BASE_MODEL_NAME,
    'gen_ai.embeddings.dimension.count': '3',
    'gen_ai.usage.input_tokens': '6',
    'svc.request_id': requests[0]!.attributes['svc.request_id'],
  });
  expect(embeddings[1]!.attributes).toMatchObject({
    'gen_ai.request.encoding_formats': ['base64'],
    'gen_ai.embeddings.dimension.count': '2',
    'gen_ai.usage.input_tokens': '3',
  });
  expect(embeddings[2]).toMatchObject({
    attributes: { 'error.type': 'Error' },
    status: { message: 'The engine broke.' },
  });
  expect(JSON.stringify(spans)).not.toContain('secret');
});

it('has a span for each attempt at a job, and in it for its steps', async () => {
  const { spans, url } = await openCollector();
  const { client, close } = await startTraced(url);
  const { dataset } = await client.uploadDataset('rows.jsonl', '{"text":"a row"}\n');
  const config = {
    model: BASE_MODEL_NAME,
    datasetSource: { type: 'upload' as const, datasetId: dataset.id },
  };
  const { job } = await client.createJob({ name: 'traced', config });
  await until(async () => (await client.getJob(job.id)).job.status).toBe('completed');
  await close();
  const attempt = spans.find(({ name }) => name === 'training')!;
  expect(attempt.parentSpanId).toBeUndefined();
  expect(attempt.attributes).toMatchObject({
    'svc.job.id': job.id,
    'svc.job.attempt': '1',
    'svc.job.model': BASE_MODEL_NAME,
    'svc.job.status': 'completed',
    'svc.training.steps': '2',
  });
  const parts = spans.filter(({ parentSpanId }) => parentSpanId === attempt.spanId);
  expect(parts.map(({ name }) => name)).toEqual(['training prepare', 'training step', 'training step']);
  expect(parts.map(({ attributes }) => attributes['svc.training.loss'])).toEqual([undefined, 0.5, 0.25]);
  expect(parts[2]!.attributes['svc.training.tokens']).toBe('7');
});

it.each(['256.256.256.256', 'localhost:99999', 'xn--a'])(
  'refuses a request for a host that there cannot be, %s, and serves as ever',
  async host => {
    const { client, port } = await startTraced(`http://127.0.0.1:${await findFreePort()}`);
    const answer = await askRaw(port, `GET /v1/jobs HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(refusedWith(answer)).toEqual([400, 'invalid_value']);
    expect(await client.listJobs()).toMatchObject({ jobs: [] });
  },
);

it('serves as ever, and ends, while there is no collector', async () => {
  const { client, close } = await startTraced(`http://127.0.0.1:${await findFreePort()}`);
  for (let i = 0; i < 20; i++) {
    const { choices } = await client.chat(ask('hi'));
    expect(choices[0]!.message.content).toBe('a secret answer');
  }
  await close();
});
