import { describe, expect, it } from 'vitest';
import { RULES } from '../../corpus/families/support/setting.js';
import { support } from '../../corpus/families/support.js';
import { converse, expectFamily, expectFilled, toAnswers } from './family-checks.js';

const conversations = converse(support, 'train', 900);

describe('support', () => {
  it('makes well-formed conversations and keeps the held-out side apart', () => {
    const made = expectFamily(support);
    expectFilled(made);
    const withSystem = made.filter(({ turns }) => turns[0]!.role === 'system').length;
    expect(withSystem).toBeGreaterThan(200);
    expect(withSystem).toBeLessThan(350);
  });

  it('answers from the system prompt, and otherwise says that it does not know', () => {
    const seen = { stated: 0, unstated: 0 };
    for (const conversation of conversations) {
      const system = conversation.turns[0]!.role === 'system' ? conversation.turns[0]!.content : '';
      const asked = RULES.filter(({ asks }) => conversation.wordings.some(wording => asks.includes(wording)));
      if (asked.length !== 1) continue;
      const [{ states, unknown }] = asked as [(typeof RULES)[number]];
      const isStated = conversation.wordings.some(wording => states.includes(wording));
      const given = conversation.values.filter(value => system.includes(value));
      const answers = toAnswers(conversation).map(({ answer }) => answer);
      seen[isStated ? 'stated' : 'unstated']++;
      if (isStated)
        expect(
          answers.some(answer => given.some(value => answer.includes(value))),
          system,
        ).toBe(true);
      else expect(answers.some(answer => answer.endsWith(unknown))).toBe(true);
    }
    expect(seen.stated).toBeGreaterThan(150);
    expect(seen.unstated).toBeGreaterThan(50);
  });

  it('names nothing in an answer that the conversation has not named', () => {
    let named = 0;
    for (const conversation of conversations)
      for (const { before, answer } of toAnswers(conversation))
        for (const value of conversation.values.filter(each => answer.includes(each))) {
          expect(before).toContain(value);
          named++;
        }
    expect(named).toBeGreaterThan(400);
  });

  it('asks for an order number only if none was given', () => {
    const wanting = conversations
      .flatMap(toAnswers)
      .filter(({ answer }) => answer.includes('send me your order number'));
    expect(wanting.length).toBeGreaterThan(40);
    for (const { asked } of wanting) expect(asked).not.toMatch(/\border [#A-Z\d][\dA-Z-]*\d/);
  });

  it('greets users by name if they give it', () => {
    const greeted = conversations.flatMap(toAnswers).flatMap(({ asked, answer }) => {
      const name = /^Hello ([^.!]+)\. /.exec(answer)?.[1];
      return name ? [{ asked, name }] : [];
    });
    expect(greeted.length).toBeGreaterThan(100);
    for (const { asked, name } of greeted) expect(asked).toContain(name);
  });
});
