// The backend on vLLM, against a server that speaks its protocol. `seams/backend.test.ts` has what all backends do.

import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createVllmBackend } from '../../../lib/cloud/backends/vllm.js';
import type { Question } from '../../../lib/cloud/seams/backend.js';
import type { Piece } from '../../../lib/engine/index.js';
import { readAdapter } from '../../../lib/engine/weights/index.js';
import { openWeightsFile } from '../../../lib/engine/weights/open-weights.js';
import { openGoldenModel } from '../../support/golden-models.js';
import { listening } from '../../support/listening.js';
import { makeAdapterFolder } from '../../support/sample-adapter.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { makeVisionBase } from '../../support/vision-base.js';
import { end, text as say, saying, scriptedBackend } from './scripted-backend.js';

const SHA = 'a'.repeat(64);
const NAME = `svc-${SHA}`;
const messages = [{ role: 'user' as const, content: 'hi' }];
const chat: Question<'chat'> = { messages, adapter: null, maxTokens: 5, stop: ['x'], seed: 3 };
const never = new AbortController().signal;

/** A server that speaks vLLM's protocol, as far as a test lets it. */
async function startVllm(isMute: boolean) {
  const vllm = {
    url: '',
    asked: [] as { path: string; body: Record<string, unknown> }[],
    adapters: new Set<string>(),
    canLoad: true,
    isSilent: false,
    /** Deltas before the answer. */
    thoughts: [] as object[],
    /** How many callers did not wait for the end. */
    left: 0,
    /** How often it was asked for its models, which it refuses while it is away, and does not answer while it is mute. */
    looks: 0,
    isAway: false,
    isMute,
  };
  const server = createServer(async (request, response) => {
    const body = JSON.parse((await text(request)) || '{}') as Record<string, unknown>;
    const path = request.url!;
    const send = (status: number, value: unknown) => response.writeHead(status).end(JSON.stringify(value));
    if (path === '/v1/models') {
      vllm.looks++;
      if (vllm.isMute) return;
      const data = [
        { id: 'svc-x', parent: 'base' },
        { id: 'base', parent: null },
      ];
      return send(vllm.isAway ? 503 : 200, { data });
    }
    vllm.asked.push({ path, body });
    const name = String(body.lora_name);
    if (path === '/v1/load_lora_adapter') {
      if (!vllm.canLoad) return send(404, { detail: 'Not Found' });
      if (vllm.adapters.has(name)) return send(400, { error: { message: 'It has already been loaded.' } });
      vllm.adapters.add(name);
      return response.end('Success');
    }
    if (path === '/v1/unload_lora_adapter') return response.end(String(vllm.adapters.delete(name)));
    const model = String(body.model);
    if (model !== 'base' && !vllm.adapters.has(model))
      return send(404, { error: { message: 'The model does not exist.' } });
    response.on('close', () => {
      if (!response.writableEnded) vllm.left++;
    });
    const say = (value: object) => response.write(`data: ${JSON.stringify(value)}\n\n`);
    const counted = (tokens: number) => ({ usage: { prompt_tokens: 4, completion_tokens: tokens } });
    say({ choices: [{ delta: { content: '' } }], ...counted(0) });
    for (const thought of vllm.thoughts) say({ choices: [{ delta: thought }], ...counted(1) });
    say({ choices: [{ delta: { content: model } }], ...counted(1) });
    if (vllm.isSilent) return;
    const stop_reason = Array.isArray(body.stop) ? body.stop[0] : null;
    say({ choices: [{ delta: {}, finish_reason: 'stop', stop_reason }], ...counted(2) });
    say({ choices: [], ...counted(2) });
    response.end('data: [DONE]\n\n');
  });
  vllm.url = await listening(server);
  return vllm;
}

async function openBackend({ isMute = false, modelFolder = '' } = {}) {
  const vllm = await startVllm(isMute);
  const clock = createVirtualClock();
  const local = scriptedBackend(saying(say('here'), end(1, 1)));
  const logged: string[] = [];
  const log = ({ message }: { message: string }) => logged.push(message);
  const base = modelFolder || (await openGoldenModel('llama')).folder;
  const copies = join(temporaryFolder('svc-vllm'), 'vllm');
  const backend = createVllmBackend({ url: vllm.url, modelFolder: base, copies, local, log, clock });
  onTestFinished(() => backend.close());
  const ask = async (asked = chat) => {
    const all: Piece[] = [];
    for await (const piece of backend.ask('chat', asked, never)) all.push(piece);
    return all;
  };
  return { vllm, clock, backend, copies, logged, ask };
}

describe('a chat by vLLM', () => {
  it('thinks as its template is told to, under both names of thoughts', async () => {
    const { vllm, ask } = await openBackend();
    vllm.thoughts = [{ reasoning: 'Let ' }, { reasoning_content: 'me see.', content: null }];
    const variables = { enable_thinking: true };
    expect((await ask({ ...chat, variables })).slice(0, -1)).toEqual([
      { text: '', tokenIds: [], thought: 'Let ', promptUsage: { promptTokens: 4 } },
      { text: '', tokenIds: [], thought: 'me see.' },
      { text: 'base', tokenIds: [] },
    ]);
    expect(vllm.asked[0]!.body).toMatchObject({ chat_template_kwargs: variables });
  });

  it('may be about the end of an event stream', async () => {
    const { vllm, ask } = await openBackend();
    vllm.thoughts = [{ content: 'It ends with data: [DONE], ' }, { content: '[DONE]' }];
    expect((await ask()).map(piece => piece.text)).toEqual([
      'It ends with data: [DONE], ',
      '[DONE]',
      'base',
      '',
    ]);
  });

  it('is asked in its words, and comes as pieces', async () => {
    const { vllm, ask } = await openBackend();
    expect(await ask()).toEqual([
      { text: 'base', tokenIds: [], promptUsage: { promptTokens: 4 } },
      {
        text: '',
        tokenIds: [],
        finishReason: 'stop',
        stopSequence: 'x',
        usage: { promptTokens: 4, completionTokens: 2 },
      },
    ]);
    const settings = { max_tokens: 5, stop: ['x'], seed: 3 };
    const streaming = { stream: true, stream_options: { include_usage: true, continuous_usage_stats: true } };
    expect(vllm.asked[0]!.body).toEqual({ model: 'base', messages, ...streaming, ...settings });
  });

  it('is by an adapter that is loaded once, under its digest', async () => {
    const { vllm, backend, ask } = await openBackend();
    for (let i = 0; i < 2; i++) {
      await backend.load({ sha256: SHA, folder: '/adapters/a' });
      expect(await ask({ ...chat, adapter: SHA })).toMatchObject([{ text: NAME }, {}]);
    }
    const loads = vllm.asked.filter(({ path }) => path === '/v1/load_lora_adapter');
    expect(loads.map(({ body }) => body)).toEqual([{ lora_name: NAME, lora_path: '/adapters/a' }]);
    await backend.unload(SHA);
    expect(vllm.adapters).toEqual(new Set());
  });

  it('loads an adapter again after vLLM was started again, and one that is there counts as loaded', async () => {
    const { vllm, backend, ask } = await openBackend();
    vllm.adapters.add(NAME);
    await backend.load({ sha256: SHA, folder: '/adapters/a' });
    vllm.adapters.clear();
    expect(await ask({ ...chat, adapter: SHA })).toMatchObject([{ text: NAME }, {}]);
  });

  it('is by an adapter with the names that vLLM has in a base model that also sees', async () => {
    const home = temporaryFolder('svc-vision');
    const modelFolder = join(home, 'base');
    await makeVisionBase(modelFolder);
    const folder = await makeAdapterFolder(join(home, 'adapter'), modelFolder);
    const { vllm, backend, copies } = await openBackend({ modelFolder });
    await backend.load({ sha256: SHA, folder });
    const copy = join(copies, SHA);
    expect(vllm.asked[0]!.body).toEqual({ lora_name: NAME, lora_path: copy });
    const { tensors, ...settings } = await readAdapter(copy);
    expect({ tensors, ...settings }).toEqual(await readAdapter(folder));
    const stored = await openWeightsFile(join(copy, 'adapter_model.safetensors'));
    const names = stored.names().map(name => stored.describe(name).name);
    expect(names).toHaveLength(2 * tensors.length);
    for (const name of names) expect(name).toMatch(/^base_model\.model\.model\.language_model\.layers\./);
    await backend.unload(SHA);
    expect(existsSync(copy)).toBe(false);
  });

  it('says that an adapter cannot be loaded which cannot be read', async () => {
    const modelFolder = join(temporaryFolder('svc-vision'), 'base');
    await makeVisionBase(modelFolder);
    const { backend, logged } = await openBackend({ modelFolder });
    await expect(backend.load({ sha256: SHA, folder: '/a' })).rejects.toThrow('cannot load this adapter');
    expect(logged).toContain(`The adapter ${SHA} cannot be copied for vLLM.`);
  });

  it('says what to do where adapters cannot be loaded', async () => {
    const { vllm, backend } = await openBackend();
    vllm.canLoad = false;
    const loaded = backend.load({ sha256: SHA, folder: '/a' });
    await expect(loaded).rejects.toThrow(/VLLM_ALLOW_RUNTIME_LORA_UPDATING/);
  });

  it('ends there when its caller leaves', async () => {
    const { vllm, backend } = await openBackend();
    vllm.isSilent = true;
    for await (const _ of backend.ask('chat', chat, never)) break;
    await until(() => vllm.left).toBe(1);
  });
});

describe('a vLLM', () => {
  it('that goes away is reported once, and so is its return, with the next look after 10 s', async () => {
    const { vllm, clock, backend, logged } = await openBackend();
    await until(() => backend.state).toBe('ready');
    vllm.isAway = true;
    await until(() => clock.nextMs).toBe(10_000);
    await clock.pass(9999);
    expect(vllm.looks).toBe(1);
    await clock.pass(1);
    await until(() => [backend.state, vllm.looks]).toEqual(['failed', 2]);
    await clock.pass(10_000);
    await until(() => vllm.looks).toBe(3);
    expect(logged).toEqual([`The vLLM at ${vllm.url} refused to list its models (503).`]);
    vllm.isAway = false;
    await until(async () => {
      await clock.pass(10_000);
      return backend.state;
    }).toBe('ready');
  });

  it('that does not answer for 15 s is away', async () => {
    const { vllm, clock, backend, logged } = await openBackend({ isMute: true });
    await until(() => vllm.looks).toBe(1);
    await clock.pass(14_999);
    expect(backend.state).toBe('starting');
    await clock.pass(1);
    await until(() => backend.state).toBe('failed');
    expect(logged).toEqual([`The vLLM at ${vllm.url} does not answer.`]);
    vllm.isMute = false;
    await until(() => clock.nextMs).toBe(10_000);
    await clock.pass(10_000);
    await until(() => backend.state).toBe('ready');
  });
});
