// The numbered conversations of the corpus. The same number gives the same conversation in every process.
import { createDraw, type Draw } from './draw.js';
import { families } from './families/index.js';
import type { Family, Turn } from './family.js';
import type { Part } from './partition.js';
import { createValues } from './values/index.js';

export interface Conversation {
  /** The family of its last answer. */
  family: string;
  messages: Turn[];
}

/** Percentage of conversations that continue with another subject. */
const SEQUELS = 6;
const GENERAL_PROMPTS = 12;

const generalPrompts: readonly string[] = [
  'You are a helpful assistant.',
  'You are a friendly assistant. Keep answers short.',
  'Answer briefly.',
  'You are svc/tiny-instruct, a small assistant.',
  'Be polite and short.',
  'You are an assistant. Follow the instructions of the user exactly.',
  'Help the user.',
  'Answer in one sentence where you can.',
];

/** One conversation of any family. */
export function makeConversation(part: Part, seed: number, number: number): Conversation {
  const draw = createDraw(part, seed, number);
  const first = draw.weighted(families);
  const conversation = begin(draw, first);
  while (draw.chance(SEQUELS / 100)) append(draw, conversation);
  return conversation;
}

/** One conversation of a family, with nothing added. */
export function makeOfFamily(family: Family, part: Part, seed: number, number: number): Conversation {
  const draw = createDraw(part, seed, number);
  return { family: family.name, messages: family.make(draw, createValues(draw)) };
}

function begin(draw: Draw, family: Family): Conversation {
  const messages = family.make(draw, createValues(draw));
  const isBare = messages[0]?.role !== 'system';
  if (isBare && draw.chance(GENERAL_PROMPTS / 100))
    messages.unshift({ role: 'system', content: draw.pick(generalPrompts) });
  return { family: family.name, messages };
}

/** Only the first turn can be a system prompt, so a sequel that has one is dropped. */
function append(draw: Draw, conversation: Conversation): void {
  const family = draw.weighted(families);
  const turns = family.make(draw, createValues(draw));
  if (turns[0]?.role === 'system') return;
  conversation.messages.push(...turns);
  conversation.family = family.name;
}
