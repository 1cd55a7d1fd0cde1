// Lists to count: the count of each is right, and the sides share no item.
import { expect, it } from 'vitest';
import { countingPrompts, type Side } from '../../practice/index.js';

const sides = ['train', 'held-out'] as const;
const promptsOf = (side: Side) => countingPrompts(side, 200, 1);
const itemsOf = (content: string) => content.split('? ')[1]!.split(', ');

it.each(sides)('says how many items each list of the side %s has', side => {
  const prompts = promptsOf(side);
  for (const { messages, count } of prompts) {
    const items = itemsOf(messages[0]!.content);
    expect(items).toHaveLength(count);
    expect(new Set(items).size).toBe(count);
  }
  expect(new Set(prompts.map(({ count }) => count))).toEqual(new Set([1, 2, 3, 4, 5]));
  expect(new Set(prompts.map(({ messages }) => messages[0]!.content)).size).toBe(200);
});

it('keeps the items of the sides apart', () => {
  const [train, heldOut] = sides.map(
    side => new Set(promptsOf(side).flatMap(({ messages }) => itemsOf(messages[0]!.content))),
  );
  expect([...heldOut!].filter(item => train!.has(item))).toEqual([]);
});
