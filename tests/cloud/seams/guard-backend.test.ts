import { expect, it } from 'vitest';
import {
  ALL_ABILITIES,
  type BackendAbilities,
  guardBackend,
  type Question,
} from '../../../lib/cloud/seams/backend.js';
import { NO_CHAT_TEMPLATE } from '../../../lib/contract/index.js';
import { type AskKind, EngineError } from '../../../lib/engine/index.js';
import { end, faultAfter, saying, scriptedBackend } from '../backends/scripted-backend.js';

const chat: Question<'chat'> = { messages: [], adapter: null };

async function ask(missing: keyof BackendAbilities, kind: AskKind, task: object) {
  const inner = { ...scriptedBackend(saying(end(1, 1))), abilities: { ...ALL_ABILITIES, [missing]: false } };
  const never = new AbortController().signal;
  for await (const _ of guardBackend(inner).ask(kind, task as Question<'chat'>, never));
  return inner.tasks.length;
}

it.each([
  ['adapters', 'chat', { ...chat, adapter: 'a' }, { code: 'model_not_supported' }],
  ['logprobs', 'chat', { ...chat, logprobs: 0 }, { code: 'unsupported_parameter', param: 'logprobs' }],
  ['structure', 'chat', { ...chat, json: true }, { code: 'invalid_value', part: 'json' }],
  ['structure', 'chat', { ...chat, tools: { all: [] } }, { code: 'invalid_value', part: 'tools' }],
  ['embeddings', 'embed', { prompt: 'a', adapter: null }, { code: 'model_not_supported' }],
] as const)(
  'a backend without %s is asked for a plain chat, but not for %s of %o',
  async (missing, kind, task, refusal) => {
    expect(await ask(missing, 'chat', chat)).toBe(1);
    await expect(ask(missing, kind, task)).rejects.toMatchObject(refusal);
  },
);

it('a backend is asked for all that it can do', async () => {
  expect(await ask('embeddings', 'chat', { ...chat, adapter: 'a', logprobs: 2, json: true })).toBe(1);
});

it('tells callers without a place when to return, each after the other', async () => {
  const busy = scriptedBackend(faultAfter(new EngineError('engine_busy', 'Busy.')));
  const guarded = guardBackend({ ...busy, places: 40 }, { elapsed: () => 0 });
  const never = new AbortController().signal;
  const refused = async (asked = chat) => {
    const error = await guarded
      .ask('chat', asked, never)
      [Symbol.asyncIterator]()
      .next()
      .catch(fault => fault);
    return (error as EngineError).retryMs;
  };
  // They give way to all others, so no place is promised to them.
  expect(await refused({ ...chat, isLowPriority: true })).toBeUndefined();
  expect([await refused(), await refused(), guarded.activeCount]).toEqual([5250, 5500, 0]);
});

it('renders chats that the base model has no template for only with a template of its own', async () => {
  const task = { ...chat, messages: [{ role: 'user', content: 'hi' }] };
  const asked = async (ownTemplate: boolean) => {
    const inner = { ...scriptedBackend(saying(end(1, 1))), abilities: { ...ALL_ABILITIES, ownTemplate } };
    const guarded = guardBackend(inner, { elapsed: () => 0 }, { hasChatTemplate: false });
    for await (const _ of guarded.ask('chat', task, new AbortController().signal));
    return inner.tasks.length;
  };
  expect(await asked(true)).toBe(1);
  await expect(asked(false)).rejects.toMatchObject({ code: 'invalid_value', message: NO_CHAT_TEMPLATE });
});
