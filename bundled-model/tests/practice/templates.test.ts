import { describe, expect, it } from 'vitest';
import { isHeldOutWording } from '../../corpus/partition.js';
import { PRACTICE_NAMES, type PracticeName, practiceRows } from '../../practice/index.js';
import * as redactionOfAny from '../../practice/redaction/sentences-of-any.js';
import * as redactionOfOne from '../../practice/redaction/sentences-of-one.js';
import * as redactionOfTwo from '../../practice/redaction/sentences-of-two.js';
import { GLOSSARY } from '../../practice/translate/glossary.js';
import * as translation from '../../practice/translate/sentences.js';
import * as frames from '../../practice/triage/frames.js';
import { ANY_PROBLEM, PROBLEMS } from '../../practice/triage/problems.js';
import { TOPICS } from '../../practice/triage/topics.js';
import { WHEN, WISHES } from '../../practice/triage/urgency.js';

const lists: Record<PracticeName, Record<string, readonly string[]>> = {
  triage: { ...frames, ...PROBLEMS, ANY_PROBLEM, WISHES },
  redaction: { ...redactionOfAny, ...redactionOfOne, ...redactionOfTwo },
  translate: { ...translation },
};
const every = Object.values(lists).flatMap(set => Object.entries(set));

describe('the sentence templates', () => {
  it.each(every)('of %s have both sides, with at least three held out', (_, templates) => {
    expect(templates.filter(isHeldOutWording).length).toBeGreaterThanOrEqual(3);
    expect(templates.filter(template => !isHeldOutWording(template)).length).toBeGreaterThanOrEqual(10);
  });

  it.each(PRACTICE_NAMES)('of %s are many and all different', set => {
    const all = Object.values(lists[set]).flat();
    expect(all.length).toBeGreaterThan(150);
    expect(new Set(all).size).toBe(all.length);
  });

  it.each(PRACTICE_NAMES)('of %s are all used', set => {
    const rows = [...practiceRows(set, 'train', 8000, 1), ...practiceRows(set, 'held-out', 2000, 1)];
    const used = new Set(rows.flatMap(({ templates }) => templates));
    const unused = Object.values(lists[set])
      .flat()
      .filter(template => !used.has(template));
    expect(unused).toEqual([]);
  });

  it.each(PRACTICE_NAMES)('of %s differ between the sides by more than slots and punctuation', set => {
    const bare = (template: string) =>
      template
        .replace(/\{\w+\}/g, '_')
        .replace(/[^\w ]/g, '')
        .toLowerCase();
    const all = Object.values(lists[set]).flat();
    const training = new Set(all.filter(template => !isHeldOutWording(template)).map(bare));
    expect(all.filter(isHeldOutWording).filter(template => training.has(bare(template)))).toEqual([]);
  });
});

describe('the words that decide', () => {
  const says = (template: string, word: string) =>
    new RegExp(`\\b${word}\\b`, 'i').test(template.replace(/\{\w+\}/g, '_'));

  it('about a topic or an urgency occur in no template of triage', () => {
    const words = [...Object.values(TOPICS), ...Object.values(WHEN)].flat();
    const templates = Object.values(lists.triage).flat();
    expect(templates.filter(template => words.some(word => says(template, word)))).toEqual([]);
  });

  it('of the glossary occur in no template of translate', () => {
    const words = Object.values(GLOSSARY).flatMap(part => Object.keys(part));
    const templates = Object.values(lists.translate).flat();
    expect(templates.filter(template => words.some(word => says(template, word)))).toEqual([]);
  });
});
