// The backend on vLLM, against a server that speaks vLLM's protocol.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Question } from '../../../lib/cloud/seams/backend.js';
import { createVllmBackend } from '../../../lib/cloud/vllm/backend.js';
import { until } from '../../support/until.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { end, saying, scriptedBackend, text } from '../inference/scripted-backend.js';

const SHA = 'a'.repeat(64);
const chat: Question<'chat'> = {
  messages: [{ role: 'user', content: 'hi' }],
  adapter: null,
  maxTokens: 5,
  stop: ['x'],
  seed: 3,
};
const never = new AbortController().signal;

interface Vllm {
  url: string;
  asked: { path: string; body: Record<string, unknown>; key: string | undefined }[];
  adapters: Set<string>;
  loads: boolean;
  silent: boolean;
  left: number;
  /** How often it was asked for its models, which it refuses while it is away, and does not answer while it is mute. */
  looks: number;
  away: boolean;
  mute: boolean;
}

async function startVllm(): Promise<Vllm> {
  const vllm: Vllm = {
    url: '',
    asked: [],
    adapters: new Set(),
    loads: true,
    silent: false,
    left: 0,
    looks: 0,
    away: false,
    mute: false,
  };
  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    const path = request.url!;
    const send = (status: number, value: unknown) => response.writeHead(status).end(JSON.stringify(value));
    if (path === '/v1/models') {
      vllm.looks++;
      if (vllm.mute) return;
      const data = [
        { id: 'svc-x', parent: 'base' },
        { id: 'base', parent: null },
      ];
      return send(vllm.away ? 503 : 200, { data });
    }
    vllm.asked.push({ path, body, key: request.headers.authorization });
    const name = String(body.lora_name);
    if (path === '/v1/load_lora_adapter') {
      if (!vllm.loads) return send(404, { detail: 'Not Found' });
      if (vllm.adapters.has(name)) return send(400, { error: { message: 'It has already been loaded.' } });
      vllm.adapters.add(name);
      return response.end('Success');
    }
    if (path === '/v1/unload_lora_adapter') return response.end(String(vllm.adapters.delete(name)));
    const model = String(body.model);
    if (model !== 'base' && !vllm.adapters.has(model))
      return send(404, { error: { message: 'The model does not exist.' } });
    if (body.max_tokens === 9999)
      return send(400, { error: { message: "This model's maximum context length is 10 tokens." } });
    response.on('close', () => {
      if (!response.writableEnded) vllm.left++;
    });
    const say = (value: object) => response.write(`data: ${JSON.stringify(value)}\n\n`);
    say(
      path.includes('chat') ? { choices: [{ delta: { content: model } }] } : { choices: [{ text: model }] },
    );
    if (vllm.silent) return;
    say({ choices: [{ delta: {}, finish_reason: 'length' }] });
    say({ choices: [], usage: { prompt_tokens: 4, completion_tokens: 2 } });
    response.end('data: [DONE]\n\n');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  vllm.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return vllm;
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString() || '{}');
}

function openBackend(url: string, clock = createVirtualClock()) {
  const local = scriptedBackend(saying(text('here'), end(1, 1)));
  const logged: string[] = [];
  const log = ({ message }: { message: string }) => logged.push(message);
  const backend = createVllmBackend({ url, local, log, clock });
  onTestFinished(() => backend.close());
  return { backend, local, logged };
}

async function collect<P>(pieces: AsyncIterable<P>): Promise<P[]> {
  const all: P[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

describe('a chat by vLLM', () => {
  it('is asked in its words, and comes as pieces', async () => {
    const vllm = await startVllm();
    const { backend } = openBackend(vllm.url);
    const pieces = await collect(backend.ask('chat', chat, never));
    expect(pieces).toEqual([
      { text: 'base', tokenIds: [] },
      { text: '', tokenIds: [], finishReason: 'length', usage: { promptTokens: 4, completionTokens: 2 } },
    ]);
    expect(vllm.asked[0]!.body).toEqual({
      model: 'base',
      messages: chat.messages,
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 5,
      stop: ['x'],
      seed: 3,
    });
    expect(await collect(backend.ask('complete', { prompt: 'a', adapter: null }, never))).toHaveLength(2);
  });

  it('is by an adapter that is loaded once, under its digest', async () => {
    const vllm = await startVllm();
    const { backend } = openBackend(vllm.url);
    for (let i = 0; i < 2; i++) {
      await backend.load({ sha256: SHA, folder: '/adapters/a' });
      const [first] = await collect(backend.ask('chat', { ...chat, adapter: SHA }, never));
      expect(first!.text).toBe(`svc-${SHA}`);
    }
    const loads = vllm.asked.filter(({ path }) => path === '/v1/load_lora_adapter');
    expect(loads.map(({ body }) => body)).toEqual([{ lora_name: `svc-${SHA}`, lora_path: '/adapters/a' }]);
    await backend.unload(SHA);
    expect(vllm.adapters).toEqual(new Set());
  });

  it('loads an adapter again after vLLM was started again, and one that is there counts as loaded', async () => {
    const vllm = await startVllm();
    const { backend } = openBackend(vllm.url);
    vllm.adapters.add(`svc-${SHA}`);
    await backend.load({ sha256: SHA, folder: '/adapters/a' });
    vllm.adapters.clear();
    const [first] = await collect(backend.ask('chat', { ...chat, adapter: SHA }, never));
    expect(first!.text).toBe(`svc-${SHA}`);
  });

  it('says what to do where adapters cannot be loaded', async () => {
    const vllm = await startVllm();
    vllm.loads = false;
    const { backend } = openBackend(vllm.url);
    await expect(backend.load({ sha256: SHA, folder: '/a' })).rejects.toThrow(
      /VLLM_ALLOW_RUNTIME_LORA_UPDATING/,
    );
  });

  it('that is too long is refused as such', async () => {
    const { backend } = openBackend((await startVllm()).url);
    await expect(collect(backend.ask('chat', { ...chat, maxTokens: 9999 }, never))).rejects.toMatchObject({
      code: 'context_length_exceeded',
      message: expect.stringContaining('maximum context length is 10'),
    });
  });

  it('ends there when its caller leaves', async () => {
    const vllm = await startVllm();
    vllm.silent = true;
    const { backend } = openBackend(vllm.url);
    for await (const _ of backend.ask('chat', chat, never)) break;
    await until(async () => vllm.left).toBe(1);
  });
});

describe('a vLLM', () => {
  it('is not asked about tokens', async () => {
    const vllm = await startVllm();
    const { backend, local } = openBackend(vllm.url);
    for await (const _ of backend.ask('encode', { text: 'a', addSpecialTokens: true }, never));
    expect(local.tasks).toEqual([{ text: 'a', addSpecialTokens: true }]);
    expect(vllm.asked).toEqual([]);
  });

  it('that goes away is reported once, and so is its return, with the next look after 10 s', async () => {
    const vllm = await startVllm();
    const clock = createVirtualClock();
    const { backend, logged } = openBackend(vllm.url, clock);
    await until(() => backend.state).toBe('ready');
    vllm.away = true;
    await until(() => clock.nextMs).toBe(10_000);
    await clock.pass(9999);
    expect(vllm.looks).toBe(1);
    await clock.pass(1);
    await until(() => [backend.state, vllm.looks]).toEqual(['failed', 2]);
    await clock.pass(10_000);
    await until(() => vllm.looks).toBe(3);
    expect(logged).toEqual([`The vLLM at ${vllm.url} refused to list its models (503).`]);
    vllm.away = false;
    await until(async () => {
      await clock.pass(10_000);
      return backend.state;
    }).toBe('ready');
  });

  it('that does not answer for 15 s is away', async () => {
    const vllm = await startVllm();
    vllm.mute = true;
    const clock = createVirtualClock();
    const { backend, logged } = openBackend(vllm.url, clock);
    await until(() => vllm.looks).toBe(1);
    await clock.pass(14_999);
    expect(backend.state).toBe('starting');
    await clock.pass(1);
    await until(() => backend.state).toBe('failed');
    expect(logged).toEqual([`The vLLM at ${vllm.url} does not answer.`]);
    vllm.mute = false;
    await until(() => clock.nextMs).toBe(10_000);
    await clock.pass(10_000);
    await until(() => backend.state).toBe('ready');
  });
});
