import { describe, expect, it } from 'vitest';
import * as calendar from '../../corpus/families/facts/calendar.js';
import { capitals, countries } from '../../corpus/families/facts/capitals.js';
import { counts, parts } from '../../corpus/families/facts/counts.js';
import * as grammar from '../../corpus/families/facts/grammar.js';
import { GROUPS, groups } from '../../corpus/families/facts/groups.js';
import * as nature from '../../corpus/families/facts/nature.js';
import { opposites } from '../../corpus/families/facts/opposites.js';
import type { Topic } from '../../corpus/families/facts/topic.js';
import { facts } from '../../corpus/families/facts.js';
import { converse, expectFamily, expectFilled, toAnswers } from './family-checks.js';

const topics: Topic[] = [
  ...Object.values(calendar),
  ...Object.values(grammar),
  ...Object.values(nature),
  ...[capitals, countries, counts, parts, groups, opposites],
];
const pairsOf = ({ facts: all }: Topic) => all.map(({ thing, right }) => [thing!, right] as const);
const answers = converse(facts, 'train', 1500).flatMap(toAnswers);

/** 1 January 2024 was a Monday. */
const nameOf = (date: Date, field: 'weekday' | 'month') =>
  new Intl.DateTimeFormat('en', { [field]: 'long', timeZone: 'UTC' }).format(date);
const day = (number: number) => nameOf(new Date(Date.UTC(2024, 0, 1 + number)), 'weekday');
const month = (number: number) => nameOf(new Date(Date.UTC(2024, number, 1)), 'month');

describe('facts', () => {
  it('makes well-formed conversations and keeps the held-out side apart', () => {
    expectFilled(expectFamily(facts));
  });

  it('has one right answer to each question', () => {
    for (const { facts: all, sentence } of topics) {
      const asked = new Map<string, string>();
      for (const { right, ...rest } of all) {
        const key = JSON.stringify(rest);
        expect(asked.get(key) ?? right, `${sentence} ${key}`).toBe(right);
        asked.set(key, right);
      }
    }
  });

  it('says yes to true statements, and no to false ones', () => {
    const checked = answers.filter(({ answer }) => /^(Yes|No)\. /.test(answer));
    expect(checked.length).toBeGreaterThan(100);
    for (const { asked, answer } of checked) {
      const [verdict, truth] = [answer.slice(0, answer.indexOf('.')), answer.slice(answer.indexOf(' ') + 1)];
      expect(asked.includes(truth.slice(0, -1)), `${asked} ${answer}`).toBe(verdict === 'Yes');
    }
  });

  it('answers a choice with one of its two sides', () => {
    const chosen = answers.filter(({ asked }) => /(?:either|must be|Pick one:) .+ or /.test(asked));
    expect(chosen.length).toBeGreaterThan(20);
    for (const { asked, answer } of chosen) {
      const sides = /(?:either|must be|Pick one:) (.+) or ([^.]+)/.exec(asked)!.slice(1);
      expect(
        sides.filter(side => answer.toLowerCase().includes(side.toLowerCase())),
        asked,
      ).not.toEqual([]);
    }
  });
});

describe('the calendar', () => {
  it('has days and months in their order', () => {
    const days = Array.from({ length: 7 }, (_, i) => [day(i), day(i + 1)]);
    const months = Array.from({ length: 12 }, (_, i) => [month(i), month(i + 1)]);
    expect(pairsOf(calendar.tomorrow)).toEqual(days);
    expect(pairsOf(calendar.yesterday)).toEqual(days.map(([a, b]) => [b, a]));
    expect(pairsOf(calendar.next)).toEqual([...days, ...months]);
    expect(pairsOf(calendar.monthNumbers).map(([, right]) => right)).toEqual(months.map(([name]) => name));
  });

  it('knows how long a month is', () => {
    for (const [name, length] of pairsOf(calendar.monthLengths)) {
      const number = Array.from({ length: 12 }, (_, i) => month(i)).indexOf(name);
      expect(Number(length), name).toBe(new Date(Date.UTC(2023, number + 1, 0)).getUTCDate());
    }
  });

  it('knows the alphabet', () => {
    expect(calendar.nextLetters.facts).toHaveLength(25);
    for (const [letter, next] of pairsOf(calendar.nextLetters))
      expect(next.charCodeAt(0)).toBe(letter.charCodeAt(0) + 1);
  });
});

describe('forms of words', () => {
  it('have regular plurals, with these exceptions', () => {
    const byRule = (word: string) => {
      if (/(s|x|z|ch|sh)$/.test(word)) return `${word}es`;
      return /[^aeiou]y$/.test(word) ? word.replace(/y$/, 'ies') : `${word}s`;
    };
    const others = pairsOf(grammar.plurals).filter(([word, plural]) => plural !== byRule(word));
    expect([...new Set(others.map(([word]) => word))].sort()).toEqual(
      [
        ...[
          'potato',
          'tomato',
          'hero',
          'echo',
          'knife',
          'wife',
          'life',
          'leaf',
          'loaf',
          'shelf',
          'wolf',
          'half',
        ],
        ...[
          'thief',
          'calf',
          'man',
          'woman',
          'child',
          'tooth',
          'foot',
          'goose',
          'mouse',
          'ox',
          'sheep',
          'deer',
        ],
        ...['policeman', 'fireman', 'snowman'],
      ].sort(),
    );
  });

  it('turn back into the original word', () => {
    const plurals = new Map(pairsOf(grammar.plurals));
    for (const [plural, word] of pairsOf(grammar.singulars)) expect(plurals.get(word)).toBe(plural);
    const back = new Map(pairsOf(opposites));
    const oneWay = pairsOf(opposites).filter(([word, other]) => back.get(other) !== word);
    expect(oneWay.map(([word]) => word)).toEqual(['young', 'new', 'tall', 'heavy', 'left', 'soft']);
  });
});

describe('counts', () => {
  const sizes: Record<string, number> = { second: 1, minute: 60, hour: 3600, day: 86400, week: 604800 };
  Object.assign(sizes, { millimetre: 1, centimetre: 10, metre: 1000, kilometre: 1e6 });
  Object.assign(sizes, { gram: 1, kilogram: 1000, tonne: 1e6, millilitre: 1, centilitre: 10, litre: 1000 });
  const factors: Record<string, number> = { a: 1, an: 1, two: 2, half: 0.5 };

  it('agree with the sizes of the units', () => {
    let checked = 0;
    for (const { owner, part, right } of counts.facts) {
      const [, factor, unit] = /^(\w+)(?: an?)? (\w+?)s?$/.exec(owner!) ?? [];
      const [whole, piece] = [sizes[unit!], sizes[part!.replace(/s$/, '')]];
      if (!whole || !piece) continue;
      expect(Number(right), `${owner} ${part}`).toBe((whole * factors[factor!]!) / piece);
      checked++;
    }
    expect(checked).toBeGreaterThan(18);
  });

  it('count the letters of words', () => {
    const words = counts.facts.filter(({ owner }) => owner!.startsWith('the word '));
    for (const { owner, right } of words)
      expect(owner!.slice('the word '.length)).toHaveLength(Number(right));
  });
});

describe('groups', () => {
  const groupOf = (word: string) => Object.keys(GROUPS).filter(name => GROUPS[name]!.includes(word));

  it('share no words', () => {
    for (const word of Object.values(GROUPS).flat()) expect(groupOf(word), word).toHaveLength(1);
  });

  it('leave exactly one odd word', () => {
    const left = answers.filter(({ answer }) => answer.endsWith('does not fit.'));
    expect(left.length).toBeGreaterThan(20);
    for (const { asked, answer } of left) {
      const odd = answer.split(' ')[2]!;
      const words = /\w+(?:, \w+){2,}/.exec(asked)![0].split(', ');
      const rest = new Set(words.filter(word => word !== odd && groupOf(word).length > 0).flatMap(groupOf));
      expect(words).toContain(odd);
      expect([...rest], asked).toHaveLength(1);
      expect(rest).not.toContain(groupOf(odd)[0]);
    }
  });
});
