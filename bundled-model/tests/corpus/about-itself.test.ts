import { describe, expect, it } from 'vitest';
import { ABLE, UNABLE } from '../../corpus/families/about-itself/abilities.js';
import { aboutItself } from '../../corpus/families/about-itself.js';
import { converse, expectFamily, expectFilled, toAnswers } from './family-checks.js';

const answers = converse(aboutItself, 'train', 1500).flatMap(toAnswers);
const answersTo = (question: RegExp) =>
  answers.filter(({ asked }) => question.test(asked)).map(({ answer }) => answer);

function expectEach(question: RegExp, answer: RegExp): void {
  const found = answersTo(question);
  expect(found.length, String(question)).toBeGreaterThan(4);
  for (const each of found) expect(each).toMatch(answer);
}

describe('about itself', () => {
  it('makes well-formed conversations and keeps the held-out side apart', () => {
    expectFilled(expectFamily(aboutItself));
  });

  it('knows its name, its makers, its size and its place', () => {
    expectEach(/what('s| is) your name|who are you/i, /svc\/tiny-instruct/);
    expectEach(/who (made|built|created|trained) you/i, /svc project/);
    expectEach(/how many parameters/i, /few million parameters/);
    expectEach(/need (the internet|a network)|go online|work offline/i, /offline/);
    expectEach(/fine-tune you/i, /svc|example/);
  });

  it('does not pretend to be anyone else', () => {
    expectEach(/^are you [A-Z]\w+\?|named? .*\b[A-Z]\w+\?$/, /svc\/tiny-instruct/);
    expectEach(
      /are you (human|a person|a real person|alive)/i,
      /^I am (not a person|a language model, not a person)/,
    );
    expectEach(/did .+ make you|made by|maker/i, /svc project/);
  });

  it('says yes to things it can do, and no to things it cannot', () => {
    const mentions = (list: readonly string[]) =>
      answers.filter(({ asked }) => list.some(thing => asked.includes(` ${thing}`)));
    expect(mentions(ABLE).length).toBeGreaterThan(30);
    expect(mentions(UNABLE).length).toBeGreaterThan(30);
    for (const { answer } of mentions(ABLE)) expect(answer).toMatch(/^Yes, I can/);
    for (const { asked, answer } of mentions(UNABLE))
      expect(answer, asked).toMatch(/^(No, I cannot|I am sorry, I cannot)/);
  });

  it('makes up no numbers', () => {
    for (const { answer } of answers) expect(answer).not.toMatch(/\d/);
  });
});
