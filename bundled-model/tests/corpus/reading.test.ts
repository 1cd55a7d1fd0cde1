import { describe, expect, it } from 'vitest';
import * as lists from '../../corpus/families/reading/questions.js';
import { reading } from '../../corpus/families/reading.js';
import { expectFamily, expectFilled, toAnswers } from './family-checks.js';
import { createFinder, isAbout, readStories } from './read-stories.js';

const conversations = expectFamily(reading);
const answers = conversations.flatMap(toAnswers);
const unknowns = [...lists.UNKNOWNS, lists.NOT_SAID];
const findQuestion = createFinder(({ questions }) => questions.map(({ text }) => text));

describe('reading', () => {
  it('makes well-formed conversations and keeps the held-out side apart', () => {
    expectFilled(conversations);
    for (const list of [lists.WHO_WROTE, lists.BY_PHRASE, lists.UNANSWERED, lists.UNKNOWN_NOTES])
      expect(list.length).toBeGreaterThanOrEqual(8);
    for (const list of Object.values(lists.BY_KIND)) expect(list.length).toBeGreaterThanOrEqual(8);
  });

  it('answers with words from the text, or says that the text does not say', () => {
    const unsaid = answers.filter(
      ({ before, answer }) => !before.includes(answer) || unknowns.includes(answer),
    );
    for (const { answer } of unsaid) expect(unknowns).toContain(answer);
    expect(unsaid.length / answers.length).toBeGreaterThan(0.1);
    expect(unsaid.length / answers.length).toBeLessThan(0.35);
  });

  it("uses the prompt's words when the text does not say", () => {
    const other = answers.filter(({ answer }) => unknowns.includes(answer) && answer !== lists.NOT_SAID);
    expect(other.length).toBeGreaterThan(10);
    for (const { before, answer } of other) expect(before).toContain(`"${answer}"`);
  });

  it('finds what the text says about the person in the question', () => {
    let told = 0;
    let untold = 0;
    for (const { before, asked, answer } of answers) {
      const found = findQuestion(asked);
      if (!found) continue;
      const { question, stories } = found;
      const right = readStories(before, stories).flatMap(told =>
        told.story.questions
          .filter(({ text }) => isAbout(question, text, told))
          .map(({ kind }) => told.facts[kind]!),
      );
      if (right.length > 0) expect(right, before).toContain(answer);
      else expect(unknowns, before).toContain(answer);
      if (right.length > 0) told++;
      else untold++;
    }
    expect(told).toBeGreaterThan(60);
    expect(untold).toBeGreaterThan(10);
  });
});
