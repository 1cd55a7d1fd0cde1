// The backend on Ray Serve: what it asks replicas, what it tries again, and how it keeps its application there.
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRayBackend } from '../../../../lib/cloud/ray/serving/backend.js';
import type { Question } from '../../../../lib/cloud/seams/backend.js';
import { createTickets } from '../../../../lib/cloud/serving/tickets.js';
import type { Piece } from '../../../../lib/engine/index.js';
import { passUntil } from '../../../support/pass-until.js';
import { until } from '../../../support/until.js';
import { createVirtualClock } from '../../../support/virtual-clock.js';
import {
  cutAfter,
  gone,
  lines,
  refusing,
  type ScriptedReplicas,
  scriptedServe,
  silentAfter,
  startReplicas,
} from './scripted-serve.js';

const SHA = 'a'.repeat(64);
const HELLO = [
  'output {"text":"Hello","tokenIds":[1]}',
  'output {"text":"","tokenIds":[],"finishReason":"stop"}',
];
const chat: Question<'chat'> = { messages: [{ role: 'user', content: 'hi' }], adapter: null };
const never = new AbortController().signal;
/** A server that never answers is never asked here. */
const NOWHERE = { url: 'http://127.0.0.1:8000' };
const tickets = createTickets('secret');

function openBackend(replicas: Pick<ScriptedReplicas, 'url'>, { serve, client } = scriptedServe()) {
  const clock = createVirtualClock();
  const logged: string[] = [];
  const backend = createRayBackend({
    client,
    url: replicas.url,
    cloudUrl: 'https://cloud',
    tickets,
    readPackage: async () => ({ sha256: 'f00', bytes: new Uint8Array() }),
    replicas: { min: 1, max: 2 },
    cpus: 1,
    weights: 'auto',
    log: ({ message }) => logged.push(message),
    clock,
  });
  onTestFinished(() => passUntil(clock, backend.close()));
  return { backend, serve, logged, clock };
}

async function collect(pieces: AsyncIterable<Piece>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece.text;
  return text;
}

describe('a question to replicas', () => {
  it('names the adapter that Serve shall find, and has a ticket for it alone', async () => {
    const replicas = await startReplicas(lines(...HELLO, 'ended {}'));
    const { backend } = openBackend(replicas);
    await backend.load({ sha256: SHA, folder: '/adapters/a' });
    expect(await collect(backend.ask('chat', { ...chat, adapter: SHA }, never))).toBe('Hello');
    const [{ headers, body }] = replicas.asked as [ScriptedReplicas['asked'][0]];
    expect(headers).toMatchObject({
      serve_multiplexed_model_id: SHA,
      authorization: `Bearer ${tickets.callerToken}`,
    });
    expect(body).toEqual({ kind: 'chat', task: { ...chat, adapter: SHA } });
    const ticket = String(headers['x-svc-ticket']);
    expect(backend.door.findAdapter(ticket, SHA)).toBe('/adapters/a');
    expect(backend.door.findAdapter(ticket, 'b'.repeat(64))).toBeNull();
    expect(backend.door.findAdapter(tickets.forModel(), SHA)).toBeNull();
    expect(backend.door.opensModel(ticket)).toBe(false);
    await backend.unload(SHA);
    expect(backend.door.findAdapter(ticket, SHA)).toBeNull();
    expect(backend.counts).toEqual({ loaded: 1, fetched: 0, repeated: 0 });
  });

  it('for the base model names none', async () => {
    const replicas = await startReplicas(lines(...HELLO, 'ended {}'));
    const { backend } = openBackend(replicas);
    await collect(backend.ask('chat', chat, never));
    expect(replicas.asked[0]!.headers).not.toHaveProperty('serve_multiplexed_model_id');
    expect(replicas.asked[0]!.headers).not.toHaveProperty('x-svc-ticket');
  });

  it('is asked again until an answer begins', async () => {
    const replicas = await startReplicas(
      gone,
      refusing(500),
      refusing(404),
      cutAfter(''),
      lines(...HELLO, 'ended {}'),
    );
    const { backend, clock } = openBackend(replicas);
    const answer = collect(backend.ask('chat', chat, never));
    for (const ms of [50, 100, 200, 400]) {
      await until(() => clock.nextMs).toBe(ms);
      await clock.pass(ms);
    }
    expect(await answer).toBe('Hello');
    expect(replicas.asked).toHaveLength(5);
    expect(backend.counts.repeated).toBe(4);
  });

  it('is not asked again once its answer has begun', async () => {
    const replicas = await startReplicas(cutAfter(HELLO[0]!), lines(...HELLO, 'ended {}'));
    const { backend } = openBackend(replicas);
    const seen: string[] = [];
    const answer = (async () => {
      for await (const { text } of backend.ask('chat', chat, never)) seen.push(text);
    })();
    await expect(answer).rejects.toMatchObject({ code: 'engine_unavailable' });
    expect(seen).toEqual(['Hello']);
    expect(replicas.asked).toHaveLength(1);
  });

  it('that nobody answers fails in the end', async () => {
    const { backend, clock } = openBackend(await startReplicas(refusing(503)));
    await clock.pass(1000);
    expect(backend.state).toBe('ready');
    const answer = collect(backend.ask('chat', chat, never));
    await expect(passUntil(clock, answer)).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: expect.stringContaining('HTTP 503'),
    });
  });

  it('is asked again for 30 s, and then says that the replicas are starting, if they are', async () => {
    const scripted = scriptedServe();
    scripted.client.putServe = () => new Promise(() => {});
    const replicas = await startReplicas(refusing(404));
    const { backend, clock } = openBackend(replicas, scripted);
    const answer = collect(backend.ask('chat', chat, never));
    await expect(passUntil(clock, answer)).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: expect.stringContaining('are starting'),
    });
    // The pauses grow up to a second.
    expect(clock.elapsed()).toBe(50 + 100 + 200 + 400 + 800 + 29 * 1000);
    expect(replicas.asked).toHaveLength(35);
  });

  it('that the engine refuses is refused with its words, once', async () => {
    const refusal = 'failed {"code":"invalid_value","message":"No.","part":"json"}';
    const replicas = await startReplicas(lines(refusal));
    const { backend } = openBackend(replicas);
    await expect(collect(backend.ask('chat', chat, never))).rejects.toMatchObject({
      code: 'invalid_value',
      message: 'No.',
      part: 'json',
    });
    expect(replicas.asked).toHaveLength(1);
  });

  it('ends on the cluster when its caller leaves or aborts', async () => {
    const replicas = await startReplicas(silentAfter(HELLO[0]!));
    const { backend } = openBackend(replicas);
    for await (const _ of backend.ask('chat', chat, never)) break;
    await until(async () => replicas.left).toBe(1);
    const caller = new AbortController();
    const pieces = backend.ask('chat', chat, caller.signal)[Symbol.asyncIterator]();
    await pieces.next();
    const next = pieces.next();
    caller.abort(new Error('gone'));
    await expect(next).rejects.toThrow();
    await until(async () => replicas.left).toBe(2);
  });
});

describe('the application of a backend', () => {
  it('is put once, beside others, and removed alone when the cloud stops', async () => {
    const shop = { name: 'shop', import_path: 'shop:app' };
    const scripted = scriptedServe({
      shop: { status: 'RUNNING', deployed_app_config: shop, deployments: {} },
    });
    const { backend, serve, clock } = openBackend(NOWHERE, scripted);
    await clock.pass(999);
    expect(backend.state).toBe('starting');
    await clock.pass(1);
    expect(backend.state).toBe('ready');
    expect(serve.puts).toHaveLength(1);
    expect(serve.puts[0]!.applications.map(({ name }) => name)).toEqual(['shop', 'svc']);
    const text = JSON.stringify(serve.puts[0]);
    for (const token of [tickets.callerToken, 'secret']) expect(text).not.toContain(token);
    await backend.close();
    expect(serve.puts[1]!.applications.map(({ name }) => name)).toEqual(['shop']);
  });

  it('is put again when the cluster has forgotten it', async () => {
    const { serve, clock } = openBackend(NOWHERE);
    await clock.pass(1000);
    serve.details = { applications: {} };
    await clock.pass(14_999);
    expect(serve.puts).toHaveLength(1);
    await clock.pass(1);
    expect(serve.puts).toHaveLength(2);
  });

  it('of another cloud is left alone', async () => {
    const foreign = { name: 'svc', args: { owner: 'other' } };
    const scripted = scriptedServe({
      svc: { status: 'RUNNING', deployed_app_config: foreign, deployments: {} },
    });
    const { backend, serve, logged, clock } = openBackend(NOWHERE, scripted);
    await clock.pass(60_000);
    expect([backend.state, logged]).toEqual(['failed', [expect.any(String)]]);
    expect(logged[0]).toMatch(/Another cloud answers/);
    await backend.close();
    expect(serve.puts).toEqual([]);
  });

  it('is reported as failed while the cluster is away or cannot run it', async () => {
    const { backend, serve, logged, clock } = openBackend(NOWHERE);
    const states: string[] = [];
    const look = async (ms: number) => {
      await clock.pass(ms);
      states.push(backend.state);
    };
    await look(1000);
    serve.away = true;
    await look(15_000);
    serve.away = false;
    await look(1000);
    serve.details.applications.svc!.status = 'DEPLOY_FAILED';
    serve.details.applications.svc!.message = 'No module.';
    await look(15_000);
    expect(states).toEqual(['ready', 'failed', 'ready', 'failed']);
    expect(logged.at(-1)).toBe('Chats on Ray: The application svc is DEPLOY_FAILED. No module.');
  });

  it('keeps a cloud that stops waiting for 5 s at most', async () => {
    const scripted = scriptedServe();
    scripted.client.readServe = () => new Promise(() => {});
    const { backend, clock } = openBackend(NOWHERE, scripted);
    let isClosed = false;
    void backend.close().then(() => {
      isClosed = true;
    });
    await clock.pass(4999);
    expect(isClosed).toBe(false);
    await clock.pass(1);
    expect(isClosed).toBe(true);
  });
});
