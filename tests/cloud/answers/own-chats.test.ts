import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAnswer } from '../../../lib/cloud/answers/answer.js';
import { createModelResolver } from '../../../lib/cloud/answers/models.js';
import { chatHandlers, fromInferenceRequest } from '../../../lib/cloud/answers/own-chats.js';
import { chatCompletion, errorEnvelope } from '../../../lib/contract/index.js';
import type { App } from '../../../lib/http/app.js';
import { createApp } from '../../../lib/http/index.js';
import {
  end,
  type Script,
  type ScriptedBackend,
  saying,
  scriptedBackend,
  text,
  untilAborted,
} from '../backends/scripted-backend.js';
import { access, BASE_MODEL, jobs, openSampleCloud, type SampleCloud } from '../deployments/sample-cloud.js';
import { routesOf } from '../routes-of.js';

let cloud: SampleCloud;
let script: Script;
let backend: ScriptedBackend;
let app: App;
beforeEach(async () => {
  cloud = await openSampleCloud();
  script = saying(text('Hello'), end(3, 1));
  backend = scriptedBackend((task, signal) => script(task, signal));
  const answer = createAnswer({ backend, clock: cloud.clock, log: () => {} });
  const { findAdapter } = cloud;
  const models = createModelResolver({ baseModel: { name: BASE_MODEL }, findAdapter, load: backend.load });
  const handlers = chatHandlers({ access, models, answer });
  app = createApp({ log: () => {} }).mount(routesOf(handlers), handlers);
});
afterEach(() => cloud.close());

const ask = (body: object, signal?: AbortSignal) =>
  app.fetch(
    new Request(`http://localhost/v1/inference/chat?orgSlug=alpha&projectSlug=one`, {
      method: 'POST',
      ...(signal && { signal }),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'hi' }], ...body }),
    }),
  );

describe('a chat in the Playground', () => {
  it("takes the base model or an adapter and the Playground's option names, streamed or not", async () => {
    const settings = { temperature: 0.5, topP: 0.9, maxTokens: 4, stop: ['x'], seed: 1 };
    const answer = chatCompletion.parse(await (await ask({ baseModel: BASE_MODEL, ...settings })).json());
    expect(answer).toMatchObject({ model: BASE_MODEL, choices: [{ message: { content: 'Hello' } }] });
    const adapter = { kind: 'checkpoint', jobId: jobs.running, step: 10 };
    const streamed = await ask({ adapter, stream: true });
    expect((await streamed.text()).endsWith('data: [DONE]\n\n')).toBe(true);
    expect(backend.tasks).toMatchObject([{ ...settings, adapter: null }, { adapter: `${jobs.running}-10` }]);
  });

  it('ignores unknown keys in messages, as endpoints do', async () => {
    const messages = [{ role: 'user', content: 'hi', id: 'm1', metadata: { a: 1 } }];
    expect((await ask({ baseModel: BASE_MODEL, messages })).status).toBe(200);
    expect(backend.tasks.at(-1)!.messages).toEqual([{ role: 'user', content: 'hi' }]);
  });

  it.each([
    [{ baseModel: 'big' }, 'model_not_supported', 'baseModel'],
    [{ adapter: { kind: 'final', jobId: jobs.foreign } }, 'target_not_found', null],
    [{ adapter: { kind: 'final', jobId: jobs.running } }, 'target_not_found', null],
    [{}, 'invalid_value', 'adapter'],
    [{ baseModel: BASE_MODEL, n: 2 }, 'unknown_field', 'n'],
  ])('is refused: %j', async (body, code, param) => {
    const response = await ask(body);
    expect(response.status).toBe(400);
    expect(errorEnvelope.parse(await response.json())).toMatchObject({ error: { code, param } });
    expect(backend.tasks).toHaveLength(0);
  });

  it('stops when the client disconnects', async () => {
    const caller = new AbortController();
    script = async function* leave(_, signal) {
      yield text('x');
      caller.abort();
      await untilAborted(signal);
    };
    await ask({ baseModel: BASE_MODEL }, caller.signal);
    expect(backend.open).toBe(0);
  });
});

it("converts the Playground's option names to OpenAI's", () => {
  const same = {
    messages: [{ role: 'user' as const, content: 'hi' }],
    stream: true,
    temperature: 0.5,
    stop: 'x',
    seed: 1,
  };
  const own = { baseModel: 'm', topP: 0.9, maxTokens: 4, enableThinking: false };
  const asked = fromInferenceRequest({ ...same, ...own });
  const chat_template_kwargs = { enable_thinking: false };
  expect(asked).toEqual({ ...same, top_p: 0.9, max_tokens: 4, chat_template_kwargs });
});
