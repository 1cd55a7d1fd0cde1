import { describe, expect, it } from 'vitest';
import { ROWS } from '../../corpus/families/writing/rows.js';
import { writing } from '../../corpus/families/writing.js';
import { converse, expectFamily, expectFilled, toAnswers } from './family-checks.js';

const conversations = converse(writing, 'train', 1200);

/** The answers in conversations that use one of these templates. */
const answersTo = (template: RegExp) =>
  conversations
    .filter(({ wordings }) => wordings.some(wording => template.test(wording)))
    .map(conversation => ({ ...toAnswers(conversation)[0]!, values: conversation.values }));

describe('writing', () => {
  it('makes well-formed conversations and keeps the held-out side apart', () => {
    expectFilled(expectFamily(writing));
  });

  it('uses the given words', () => {
    const sentences = answersTo(/\{word\}/);
    expect(sentences.length).toBeGreaterThan(100);
    for (const { answer, values } of sentences)
      for (const word of values) expect(answer, answer).toMatch(new RegExp(`\\b${word}\\b`));
  });

  it('writes to the person and about the subject it was given', () => {
    const notes = answersTo(/\{name\}.*\{gift\}/);
    expect(notes.length).toBeGreaterThan(20);
    for (const { answer, asked, values } of notes)
      for (const value of values.filter(each => asked.includes(each))) expect(answer).toContain(value);
  });

  it('names nothing that the conversation has not named', () => {
    let named = 0;
    for (const conversation of conversations)
      for (const { before, answer } of toAnswers(conversation))
        for (const value of conversation.values.filter(each => answer.includes(each))) {
          expect(before).toContain(value);
          named++;
        }
    expect(named).toBeGreaterThan(800);
  });

  it('lists the requested number of things of a kind', () => {
    const numbers = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven'];
    const lists = answersTo(/\{count\} \{kind\}/);
    expect(lists.length).toBeGreaterThan(60);
    for (const { asked, answer } of lists) {
      const kinds = Object.keys(ROWS).filter(kind => asked.includes(` ${kind}`));
      const items = answer
        .split(/, | and |\n/)
        .map(item => item.replace(/^(\d\. |- )|\.$/g, '').toLowerCase());
      const rows = kinds.map(kind => ROWS[kind]!.map(item => item.toLowerCase()));
      expect(
        rows.some(row => items.every(item => row.includes(item))),
        `${asked} ${answer}`,
      ).toBe(true);
      const count = asked.split(/[^\w]+/).find(word => numbers.includes(word) || /^\d$/.test(word))!;
      expect(items).toHaveLength(numbers.includes(count) ? numbers.indexOf(count) : Number(count));
    }
  });

  it('keeps subject lines and poems short', () => {
    const subjects = answersTo(/\{about\}/);
    expect(subjects.length).toBeGreaterThan(60);
    for (const { answer } of subjects) expect(answer).toMatch(/^Subject: [^\n]{3,60}$/);
    const poems = answersTo(/\{theme\}/);
    expect(poems.length).toBeGreaterThan(60);
    for (const { answer } of poems) expect(answer.split('\n')).toHaveLength(2);
  });
});
