// The backend on Ray Serve: what it asks replicas, what it tries again, and how it keeps its application there.
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTickets } from '../../../lib/cloud/backends/tickets.js';
import { createRayBackend } from '../../../lib/cloud/ray/backend.js';
import type { Question } from '../../../lib/cloud/seams/backend.js';
import type { Piece } from '../../../lib/engine/index.js';
import { passUntil } from '../../support/pass-until.js';
import { until } from '../../support/until.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
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
    ...{ client, url: replicas.url, cloudUrl: 'https://cloud', tickets, clock },
    ...{ replicas: { min: 1, max: 2 }, cpus: 1, weights: 'auto' },
    readPackage: async () => ({ sha256: 'f00', bytes: new Uint8Array() }),
    log: ({ message }) => logged.push(message),
  });
  onTestFinished(() => passUntil(clock, backend.close()));
  return { backend, serve, logged, clock };
}

async function collect(pieces: AsyncIterable<Piece>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece.text;
  return text;
}

/** A backend whose replicas answer so, a question to it, and how it fails. */
async function openAnswering(replies: Parameters<typeof startReplicas>, scripted = scriptedServe()) {
  const replicas = await startReplicas(...replies);
  const opened = openBackend(replicas, scripted);
  const ask = (task = chat) => collect(opened.backend.ask('chat', task, never));
  const failure = (error: object) => expect(passUntil(opened.clock, ask())).rejects.toMatchObject(error);
  return { ...opened, replicas, ask, failure };
}
const ANSWER = lines(...HELLO, 'ended {}');

describe('a question to replicas', () => {
  it('names the adapter that Serve shall find, and has a ticket for it alone', async () => {
    const { backend, replicas, ask } = await openAnswering([ANSWER]);
    await backend.load({ sha256: SHA, folder: '/adapters/a' });
    expect(await ask({ ...chat, adapter: SHA })).toBe('Hello');
    const [{ headers, body }] = replicas.asked as [ScriptedReplicas['asked'][0]];
    const authorization = `Bearer ${tickets.callerToken}`;
    expect(headers).toMatchObject({ serve_multiplexed_model_id: SHA, authorization });
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
    const { replicas, ask } = await openAnswering([ANSWER]);
    await ask();
    for (const name of ['serve_multiplexed_model_id', 'x-svc-ticket'])
      expect(replicas.asked[0]!.headers).not.toHaveProperty(name);
  });

  it('is asked again until an answer begins', async () => {
    const replies = [gone, refusing(500), refusing(404), cutAfter(''), ANSWER];
    const { backend, replicas, clock, ask } = await openAnswering(replies);
    const answer = ask();
    for (const ms of [50, 100, 200, 400]) {
      await until(() => clock.nextMs).toBe(ms);
      await clock.pass(ms);
    }
    expect(await answer).toBe('Hello');
    expect([replicas.asked.length, backend.counts.repeated]).toEqual([5, 4]);
  });

  it('is not asked again once its answer has begun', async () => {
    const { backend, replicas } = await openAnswering([cutAfter(HELLO[0]!), ANSWER]);
    const seen: string[] = [];
    const answer = (async () => {
      for await (const { text } of backend.ask('chat', chat, never)) seen.push(text);
    })();
    await expect(answer).rejects.toMatchObject({ code: 'engine_unavailable' });
    expect(seen).toEqual(['Hello']);
    expect(replicas.asked).toHaveLength(1);
  });

  it('that nobody answers fails in the end', async () => {
    const { backend, clock, failure } = await openAnswering([refusing(503)]);
    await clock.pass(1000);
    expect(backend.state).toBe('ready');
    await failure({ code: 'engine_unavailable', message: expect.stringContaining('HTTP 503') });
  });

  it('is asked again for 30 s, and then says that the replicas are starting, if they are', async () => {
    const scripted = scriptedServe();
    scripted.client.putServe = () => new Promise(() => {});
    const { replicas, clock, failure } = await openAnswering([refusing(404)], scripted);
    await failure({ code: 'engine_unavailable', message: expect.stringContaining('are starting') });
    // The pauses grow up to a second.
    expect(clock.elapsed()).toBe(50 + 100 + 200 + 400 + 800 + 29 * 1000);
    expect(replicas.asked).toHaveLength(35);
  });

  it('that gives way to others waits for replicas that are starting, until its caller leaves', async () => {
    const scripted = scriptedServe();
    scripted.client.putServe = () => new Promise(() => {});
    const caller = new AbortController();
    const leave: typeof gone = response => {
      caller.abort(new Error('left'));
      gone(response);
    };
    const absent = Array.from({ length: 100 }, () => refusing(404));
    const replies = [...absent, ANSWER, ...absent, leave];
    const { backend, clock, replicas } = await openAnswering(replies, scripted);
    const ask = () => collect(backend.ask('chat', { ...chat, isLowPriority: true }, caller.signal));
    expect(await passUntil(clock, ask())).toBe('Hello');
    await expect(passUntil(clock, ask())).rejects.toThrow('left');
    expect(replicas.asked).toHaveLength(202);
  });

  it('that the engine refuses is refused with its words, once', async () => {
    const refusal = { code: 'invalid_value', message: 'No.', part: 'json' };
    const { replicas, failure } = await openAnswering([lines(`failed ${JSON.stringify(refusal)}`)]);
    await failure(refusal);
    expect(replicas.asked).toHaveLength(1);
  });

  it('ends on the cluster when its caller leaves or aborts', async () => {
    const { backend, replicas } = await openAnswering([silentAfter(HELLO[0]!)]);
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
    const scripted = scriptedServe({ name: 'shop', import_path: 'shop:app' } as { name: string });
    const { backend, serve, clock } = openBackend(NOWHERE, scripted);
    await clock.pass(999);
    expect(backend.state).toBe('starting');
    await clock.pass(1);
    expect(backend.state).toBe('ready');
    const names = () => serve.puts.map(({ applications }) => applications.map(({ name }) => name));
    expect(names()).toEqual([['shop', 'svc']]);
    const text = JSON.stringify(serve.puts[0]);
    for (const token of [tickets.callerToken, 'secret']) expect(text).not.toContain(token);
    await backend.close();
    expect(names()[1]).toEqual(['shop']);
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
    const scripted = scriptedServe({ name: 'svc', args: { owner: 'other' } } as { name: string });
    const { backend, serve, logged, clock } = openBackend(NOWHERE, scripted);
    await clock.pass(60_000);
    expect([backend.state, logged]).toEqual(['failed', [expect.stringMatching(/Another cloud answers/)]]);
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
    Object.assign(serve.details.applications.svc!, { status: 'DEPLOY_FAILED', message: 'No module.' });
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
