import { describe, expect, it } from 'vitest';
import { refuseUnable } from '../../../lib/cloud/inference/refuse-unable.js';
import type { BackendAbilities, Question } from '../../../lib/cloud/seams/backend.js';
import { ALL_ABILITIES } from '../../../lib/cloud/seams/backend.js';
import type { AskKind } from '../../../lib/engine/index.js';
import { end, saying, scriptedBackend } from './scripted-backend.js';

const never = new AbortController().signal;
const chat: Question<'chat'> = { messages: [], adapter: null };

async function ask(missing: keyof BackendAbilities, kind: AskKind, task: object) {
  const inner = { ...scriptedBackend(saying(end(1, 1))), abilities: { ...ALL_ABILITIES, [missing]: false } };
  const backend = refuseUnable(inner);
  for await (const _ of backend.ask(kind, task as Question<'chat'>, never));
  return inner.tasks.length;
}

describe('a backend that cannot do everything', () => {
  it.each([
    ['adapters', 'chat', { ...chat, adapter: 'a' }, { code: 'model_not_supported' }],
    ['logprobs', 'chat', { ...chat, logprobs: 0 }, { code: 'unsupported_parameter', param: 'logprobs' }],
    ['structure', 'chat', { ...chat, json: true }, { code: 'invalid_value', part: 'json' }],
    ['structure', 'chat', { ...chat, tools: { all: [] } }, { code: 'invalid_value', part: 'tools' }],
    ['embeddings', 'embed', { prompt: 'a', adapter: null }, { code: 'model_not_supported' }],
  ] as const)('is not asked for what needs %s', async (missing, kind, task, refusal) => {
    await expect(ask(missing, kind, task)).rejects.toMatchObject(refusal);
  });

  it.each(['adapters', 'logprobs', 'structure', 'embeddings'] as const)(
    'is asked for a plain chat without %s',
    async missing => {
      expect(await ask(missing, 'chat', chat)).toBe(1);
    },
  );

  it('is asked for all that it can do', async () => {
    const all = { ...chat, adapter: 'a', logprobs: 2, json: true };
    expect(await ask('embeddings', 'chat', all)).toBe(1);
  });
});
