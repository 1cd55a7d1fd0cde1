// Lists to count, as prompts without answers: what a model learns from rewards alone.

import { createDraw, drawDistinct, drawNoun, type Turn } from '../corpus/index.js';
import { FIRST_NUMBERS, PARTS, type Side } from './sides.js';

const MOST_ITEMS = 5;

interface CountingPrompt {
  messages: Turn[];
  /** How many items the list has. */
  count: number;
}

/** The first prompts for this seed, without repeated lists. */
export function countingPrompts(side: Side, count: number, seed: number): CountingPrompt[] {
  const prompts = new Map<string, CountingPrompt>();
  for (let number = FIRST_NUMBERS[side]; prompts.size < count; number++) {
    const draw = createDraw(PARTS[side], seed, number);
    const items = drawDistinct(draw.integer(1, MOST_ITEMS), () => drawNoun(draw));
    const list = items.join(', ');
    const content = `Answer in this format: {"count": <count>}\nHow many items are on the list? ${list}`;
    prompts.set(list, { messages: [{ role: 'user', content }], count: items.length });
  }
  return [...prompts.values()];
}
