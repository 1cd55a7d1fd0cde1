import { describe, expect, it } from 'vitest';
import { MEMORIES } from '../../corpus/families/small-talk/memories.js';
import { smallTalk } from '../../corpus/families/small-talk.js';
import { converse, expectFamily, expectFilled, toAnswers } from './family-checks.js';

const isAny = (wordings: string[], asks: readonly string[]) =>
  wordings.some(wording => asks.includes(wording));

describe('small talk', () => {
  it('makes well-formed conversations and keeps the held-out side apart', () => {
    expectFilled(expectFamily(smallTalk));
  });

  it('repeats what the user said, and admits what it was never told', () => {
    const seen = { told: 0, untold: 0 };
    for (const conversation of converse(smallTalk, 'train', 800)) {
      const memory = MEMORIES.find(({ recalled }) => isAny(conversation.wordings, recalled.asks));
      if (!memory) continue;
      const { answer } = toAnswers(conversation).at(-1)!;
      const first = conversation.turns.find(({ role }) => role === 'user')!.content;
      const isTold = isAny(conversation.wordings, memory.told.asks);
      seen[isTold ? 'told' : 'untold']++;
      const told = answer.match(/(?:is called|is|live in|are) ([^.]+)\.$/)?.[1];
      if (isTold) expect(first, answer).toContain(told);
      else expect(answer).toBe(memory.unknown);
    }
    expect(seen.told).toBeGreaterThan(200);
    expect(seen.untold).toBeGreaterThan(20);
  });

  it('names nothing in an answer that the conversation has not named', () => {
    let compared = 0;
    for (const conversation of converse(smallTalk, 'train', 300))
      for (const { before, answer } of toAnswers(conversation))
        for (const value of conversation.values)
          if (answer.includes(value)) {
            expect(before).toContain(value);
            compared++;
          }
    expect(compared).toBeGreaterThan(0);
  });
});
