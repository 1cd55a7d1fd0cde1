import { describe, expect, it } from 'vitest';
import { CHANGES } from '../../corpus/families/rewriting/grammar.js';
import { MANNERS } from '../../corpus/families/rewriting/requests.js';
import { change, toThird, VERBS } from '../../corpus/families/rewriting/verbs.js';
import { rewriting } from '../../corpus/families/rewriting.js';
import { converse, expectFamily, expectFilled, findList, toBareCases } from './family-checks.js';

const cases = toBareCases(converse(rewriting, 'train', 900));

/** The subject of the request, taken from the answer. */
const forms: Record<string, RegExp> = {
  polite: /^Could you please (.+)\?$/,
  short: /^(.+)\.$/,
  formal: /^I would be grateful if you could (.+)\.$/,
  friendly: /^Hi! Could you (.+)\? Thank you so much!$/,
  question: /^Can you (.+)\?$/,
  wish: /^I would like you to (.+)\.$/,
};

const verbOf = (base: string) => VERBS.find(verb => verb.base === base)!;

describe('rewriting', () => {
  it('makes well-formed conversations and keeps the held-out side apart', () => {
    expectFilled(expectFamily(rewriting));
  });

  it('asks for the same thing in the requested manner', () => {
    const seen = new Set<string>();
    for (const { wordings, input, answer } of cases) {
      const manner = findList(MANNERS, wordings);
      if (!manner) continue;
      const wish = answer.match(forms[manner]!)?.[1];
      expect(wish, answer).toBeDefined();
      expect(input.toLowerCase()).toContain(wish!.toLowerCase());
      expect(input).not.toBe(answer);
      seen.add(manner);
    }
    expect([...seen].sort()).toEqual(Object.keys(forms).sort());
  });

  it('changes the form of the sentence and keeps the rest', () => {
    const marks: Record<string, RegExp> = {
      future: / will /,
      running: / (?:am|is|are) \w+ing /,
      negative: / do(?:es)? not /,
      question: /^Do(?:es)? .+\?$/,
      passive: / (?:was|were) .+ by (?:me|us|them|\p{Lu}\S*)\.$/u,
    };
    const seen = new Set<string>();
    for (const { wordings, input, answer } of cases) {
      const wanted = findList(CHANGES, wordings);
      if (!wanted) continue;
      expect(answer).not.toBe(input);
      if (marks[wanted]) expect(answer).toMatch(marks[wanted]);
      if (wanted !== 'passive') expect(answer.slice(-8, -1)).toBe(input.slice(-8, -1));
      seen.add(wanted);
    }
    expect([...seen].sort()).toEqual(Object.keys(CHANGES).sort());
  });

  it('knows its verbs', () => {
    expect(['carry', 'watch', 'buy', 'push', 'take'].map(toThird)).toEqual([
      'carries',
      'watches',
      'buys',
      'pushes',
      'takes',
    ]);
    const clause = { subject: 'We', verb: verbOf('break'), object: 'the cup' };
    expect(change(clause, 'past', '')).toBe('We broke the cup.');
    expect(change(clause, 'passive', '')).toBe('The cup was broken by us.');
    expect(change(clause, 'question', '')).toBe('Do we break the cup?');
    expect(change({ ...clause, subject: 'Mara' }, 'negative', '')).toBe('Mara does not break the cup.');
    expect(change({ ...clause, subject: 'I' }, 'running', '')).toBe('I am breaking the cup.');
    expect(change({ ...clause, subject: 'I' }, 'person', 'Otto')).toBe('Otto breaks the cup.');
    for (const { base, ing, participle } of VERBS) {
      expect(ing).toMatch(/ing$/);
      expect(ing[0]).toBe(base[0]);
      expect(participle[0]).toBe(base[0]);
    }
  });
});
