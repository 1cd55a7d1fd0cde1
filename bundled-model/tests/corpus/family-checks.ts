// Checks that apply to every family: shape, separate held-out wordings, few repeated conversations.
import { expect } from 'vitest';
import { createDraw } from '../../corpus/draw.js';
import { SYSTEM_FRAMES } from '../../corpus/families/asking/frames.js';
import type { Family, Turn } from '../../corpus/family.js';
import type { Part } from '../../corpus/partition.js';
import { createValues } from '../../corpus/values/index.js';

export interface Conversation {
  turns: Turn[];
  /** The sentence templates that it was made from. */
  wordings: string[];
  /** The values that were drawn for it. */
  values: string[];
}

export function converse(family: Family, part: Part, count: number, seed = 11): Conversation[] {
  return Array.from({ length: count }, (_, number) => {
    const drawn = createDraw(part, seed, number);
    const wordings: string[] = [];
    const values: string[] = [];
    const note = (list: string[], text: string) => {
      list.push(text);
      return text;
    };
    const draw = {
      ...drawn,
      wording: (templates: readonly string[]) => note(wordings, drawn.wording(templates)),
      value: (source: Parameters<typeof drawn.value>[0]) => note(values, drawn.value(source)),
    };
    return { turns: family.make(draw, createValues(draw)), wordings, values };
  });
}

/** Checks that conversations are reproducible and well formed, and that at least 95 % are unique. */
export function expectFamily(family: Family, count = 400): Conversation[] {
  const conversations = converse(family, 'train', count);
  for (const { turns } of conversations) expectShape(turns);
  expect(converse(family, 'train', 40)).toEqual(conversations.slice(0, 40));
  expect(new Set(conversations.map(({ turns }) => JSON.stringify(turns))).size).toBeGreaterThanOrEqual(
    count * 0.95,
  );
  expectApart(family, conversations);
  return conversations;
}

function expectShape(turns: Turn[]): void {
  const spoken = turns[0]!.role === 'system' ? turns.slice(1) : turns;
  expect(spoken.length).toBeGreaterThan(0);
  expect(spoken.length % 2).toBe(0);
  expect(spoken.map(({ role }) => role)).toEqual(spoken.map((_, i) => (i % 2 === 0 ? 'user' : 'assistant')));
  for (const { content } of turns) {
    expect(content).not.toMatch(/undefined|NaN|\[object/);
    expect(content.trim()).not.toBe('');
  }
  for (const { role, content } of turns) if (role === 'assistant') expect(content).toBe(content.trim());
}

function expectApart(family: Family, training: Conversation[]): void {
  const heldOut = converse(family, 'held-out', training.length);
  for (const { turns } of heldOut) expectShape(turns);
  const wordings = new Set(training.flatMap(conversation => conversation.wordings));
  const shared = heldOut
    .flatMap(conversation => conversation.wordings)
    .filter(wording => wordings.has(wording));
  expect([...new Set(shared)]).toEqual([]);
  const values = new Set(
    training.flatMap(conversation => conversation.values.map(value => value.toLowerCase())),
  );
  const seen = heldOut
    .flatMap(conversation => conversation.values)
    .filter(value => values.has(value.toLowerCase()));
  expect(seen).toEqual([]);
  for (const part of ['practice', 'practice-held-out'] as const)
    for (const { turns } of converse(family, part, 20)) expectShape(turns);
}

/** Each answer with everything said before it. */
export function toAnswers({ turns }: Conversation): { before: string; asked: string; answer: string }[] {
  return turns.flatMap(({ role, content }, i) =>
    role === 'assistant'
      ? [
          {
            before: turns
              .slice(0, i)
              .map(turn => turn.content)
              .join('\n'),
            asked: turns[i - 1]!.content,
            answer: content,
          },
        ]
      : [],
  );
}

/** Checks that no slot of a template is left open. */
export function expectFilled(conversations: Conversation[]): void {
  for (const { turns } of conversations)
    for (const { content } of turns) expect(content).not.toMatch(/\{\w+\}/);
}

/** Conversations with the instruction in the system prompt, so that each user turn is only the input. */
export function toBareCases(conversations: Conversation[]) {
  return conversations
    .filter(({ wordings }) => wordings.some(wording => SYSTEM_FRAMES.includes(wording)))
    .flatMap(conversation =>
      toAnswers(conversation).map(({ asked, answer }) => ({
        system: conversation.turns[0]!.content,
        wordings: conversation.wordings,
        input: asked,
        answer,
      })),
    );
}

/** The name of the list that the instruction comes from. */
export function findList(lists: Readonly<Record<string, unknown>>, wordings: string[]): string | undefined {
  return Object.keys(lists).find(
    name =>
      Array.isArray(lists[name]) && wordings.some(wording => (lists[name] as string[]).includes(wording)),
  );
}
