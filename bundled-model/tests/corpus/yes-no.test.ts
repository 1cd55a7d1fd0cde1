import { describe, expect, it } from 'vitest';
import { createDraw, type Draw } from '../../corpus/draw.js';
import { countOf } from '../../corpus/families/texts/passage.js';
import { readList } from '../../corpus/families/yes-no/lists.js';
import * as wordings from '../../corpus/families/yes-no/wordings.js';
import { yesNo } from '../../corpus/families/yes-no.js';
import { createValues, type Values } from '../../corpus/values/index.js';
import { converse, expectFamily, expectFilled, toAnswers } from './family-checks.js';
import { createFinder, isAbout, readStories } from './read-stories.js';

const conversations = expectFamily(yesNo);
const answers = converse(yesNo, 'train', 700).flatMap(toAnswers);
const plain = answers.filter(({ answer }) => /^(Yes|No)\.$/.test(answer));
const findQuestion = createFinder(({ polar }) => polar);

describe('yes-no', () => {
  it('makes well-formed conversations and keeps the held-out side apart', () => {
    expectFilled(conversations);
    const { PAIRS, ...templates } = wordings;
    for (const list of Object.values(templates)) expect(list.length).toBeGreaterThanOrEqual(8);
    for (const { yes, no } of PAIRS) expect(yes).not.toBe(no);
  });

  it('says yes as often as no', () => {
    const share = plain.filter(({ answer }) => answer === 'Yes.').length / plain.length;
    expect(plain.length).toBeGreaterThan(300);
    expect(share).toBeGreaterThan(0.44);
    expect(share).toBeLessThan(0.56);
  });

  it('uses other words only if the prompt names them', () => {
    const other = answers.filter(answer => !plain.includes(answer));
    expect(new Set(other.map(({ answer }) => answer)).size).toBeGreaterThan(40);
    for (const { before, answer } of other) expect(before).toContain(answer);
  });

  it('says yes to what the text tells, and no to the rest', () => {
    const seen = { 'Yes.': 0, 'No.': 0 };
    for (const { before, asked, answer } of plain) {
      const { question, stories } = findQuestion(asked) ?? { question: '', stories: [] };
      const told = readStories(before, stories);
      if (told.length === 0) continue;
      const isTold = told.some(one => one.story.polar.some(template => isAbout(question, template, one)));
      expect(answer, `${before}\n${question}`).toBe(isTold ? 'Yes.' : 'No.');
      seen[answer as keyof typeof seen]++;
    }
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(30);
  });

  it('knows who is on a list, at which place, and how many there are', () => {
    for (let number = 0; number < 300; number++) {
      const drawn = createDraw('train', 3, number);
      let template = '';
      const wording = (templates: readonly string[]) => (template = drawn.wording(templates));
      const draw = { ...drawn, wording };
      const { text, ask } = readList(draw, { ...createValues(draw), ...fewNames(drawn) });
      for (const isYes of [true, false]) {
        const question = ask(isYes);
        const named = nameSlots(template, question);
        expect(isRight(text, template, named), `${text}\n${question}`).toBe(isYes);
      }
    }
  });
});

/** So few that "Mara" and "Mara Holt" both fit the same list. */
function fewNames({ pick }: Draw): Pick<Values, 'firstName' | 'fullName'> {
  const firstName = () => pick(['Mara', 'Tom', 'Ana', 'Lee', 'Ines', 'Karl', 'Rosa', 'Finn', 'Olga', 'Hugo']);
  return { firstName, fullName: () => `${firstName()} ${pick(['Holt', 'Berg', 'Stone', 'Weir'])}` };
}

/** The values in the slots of a question. */
function nameSlots(template: string, question: string): Record<string, string> {
  const escaped = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll(/\{(\w+)\}/g, '(?<$1>.+)')}$`).exec(question)!.groups!;
}

function isRight(text: string, template: string, { one, two, end, count }: Record<string, string>): boolean {
  const isIn = (list: readonly string[]) => list.includes(template);
  const before = text.slice(0, text.indexOf(one!));
  if (isIn(wordings.ON_LIST)) return countOf(text, one!) > 0;
  if (isIn(wordings.BEFORE)) return text.indexOf(one!) < text.indexOf(two!);
  if (isIn(wordings.ENDS) && end === 'last') return text.endsWith(one!);
  if (isIn(wordings.ENDS)) return !/, |; | \| |\n.*\n/.test(before);
  const entries = text.includes('\n') ? text.split('\n').slice(1) : text.split(/, | and |; | \| /);
  return entries.length === Number(count);
}
