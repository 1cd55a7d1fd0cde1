import { describe, expect, it } from 'vitest';
import { createDraw } from '../../corpus/draw.js';
import * as wordings from '../../corpus/families/redaction/wordings.js';
import { draftRedaction, redact, redaction } from '../../corpus/families/redaction.js';
import { type Facts, type Kind, slotsOf } from '../../corpus/families/texts/kinds.js';
import { countOf, type Passage } from '../../corpus/families/texts/passage.js';
import { fill } from '../../corpus/fill.js';
import { createValues } from '../../corpus/values/index.js';
import { expectFamily, toAnswers } from './family-checks.js';

const drafts = Array.from({ length: 400 }, (_, number) => {
  const draw = createDraw('train', 10, number);
  return { ...draftRedaction(draw, createValues(draw)), number };
});

const rounds = drafts.flatMap(draft =>
  draft.passages.map(passage => {
    const replaced = draft.replace(passage);
    const asked = fill(draft.ask, { noun: 'text', ...draft.slots });
    return { draft, passage, replaced, asked, answer: redact(passage, replaced) };
  }),
);

const isIn = (list: readonly string[], ask: string) => list.includes(ask);

/** Replaces each sign, in the order of the text, with the value it stands for. */
function undo(answer: string, { template, facts }: Passage, replaced: Facts): string {
  let done = '';
  let rest = answer;
  for (const part of template.split(/(\{\w+\})/)) {
    const kind = part.slice(1, -1) as Kind;
    const isSlot = part.startsWith('{');
    const written = isSlot ? (replaced[kind] ?? facts[kind]!) : part;
    // A sign that ends in a full stop also ends the sentence.
    const isShared = !isSlot && part.startsWith('.') && !rest.startsWith(part) && answer.includes(`.${rest}`);
    const expected = isShared ? part.slice(1) : written;
    if (!rest.startsWith(expected)) return `No ${expected} in ${rest}`;
    done += isSlot ? facts[kind]! : part;
    rest = rest.slice(expected.length);
  }
  return done + rest;
}

describe('redaction', () => {
  const conversations = expectFamily(redaction);

  it('makes well-formed conversations and keeps the held-out side apart', () => {
    for (const list of Object.values(wordings)) expect(list.length).toBeGreaterThanOrEqual(8);
    for (const { ask } of drafts) expect(Object.values(wordings).some(list => isIn(list, ask))).toBe(true);
    for (const conversation of conversations)
      for (const { asked } of toAnswers(conversation))
        expect(asked).not.toMatch(/\{(noun|sign|targets|pairs|swaps)\}/);
  });

  it('leaves none of the values that must be hidden', () => {
    const changed = rounds.filter(({ replaced }) => Object.keys(replaced).length > 0);
    expect(changed.length).toBeGreaterThan(rounds.length * 0.6);
    for (const { passage, replaced, answer, draft } of changed)
      for (const kind of Object.keys(replaced) as Kind[])
        if (!isIn(wordings.BY_VALUE, draft.ask))
          expect(countOf(answer, passage.facts[kind]!), answer).toBe(0);
  });

  it('changes nothing else: with the values put back, it is the original text', () => {
    for (const { passage, replaced, answer } of rounds)
      expect(undo(answer, passage, replaced)).toBe(passage.text);
  });

  it('uses signs that the prompt names, and many of them', () => {
    const signs = new Set<string>();
    for (const { replaced, asked, draft } of rounds) {
      if (isIn(wordings.BY_INITIALS, draft.ask)) continue;
      for (const sign of Object.values(replaced)) {
        expect(asked).toContain(sign);
        signs.add(sign);
      }
    }
    expect(signs.size).toBeGreaterThan(300);
  });

  it('replaces all kinds that the prompt names, and no others', () => {
    const isNamed: readonly (readonly [RegExp, readonly Kind[]])[] = [
      [
        /names of people|personal names|all names|names of persons|(?<!-)\bnames\b(?! of cities)/,
        ['name', 'other'],
      ],
      [/\bmail|email/, ['email']],
      [/phone/, ['phone']],
      [/\bdates/, ['date']],
      [/\btimes/, ['time']],
    ];
    let checked = 0;
    for (const { asked, passage, replaced, draft } of rounds) {
      if (!isIn([...wordings.ONE_SIGN, ...wordings.MANY_SIGNS], draft.ask)) continue;
      const named = String(draft.slots.targets ?? draft.slots.pairs).replaceAll(
        /(company|product|city) names/g,
        '',
      );
      for (const [pattern, kinds] of isNamed)
        for (const kind of kinds)
          if (slotsOf(passage.template).includes(kind) && !/names of cities/.test(named)) {
            const isSign = Object.values(replaced).some(sign => pattern.test(sign));
            if (!isSign)
              expect(replaced[kind] !== undefined, `${asked}\n${passage.text}`).toBe(pattern.test(named));
            checked++;
          }
    }
    expect(checked).toBeGreaterThan(300);
  });

  it('shortens names to initials, and numbers values in order', () => {
    const shortened = rounds.filter(({ draft }) => isIn(wordings.BY_INITIALS, draft.ask));
    for (const { passage, replaced } of shortened)
      for (const kind of Object.keys(replaced) as Kind[]) {
        const letters = passage.facts[kind]!.split(' ').map(word => word[0]);
        expect(replaced[kind]!.replaceAll(/[. ]/g, '')).toBe(letters.join(''));
      }
    const numbered = rounds.filter(({ draft }) => isIn(wordings.BY_NUMBER, draft.ask));
    for (const { draft, replaced, answer } of numbered) {
      const { one, two } = draft.slots as { one: string; two: string };
      expect(
        [one, two].slice(0, Object.keys(replaced).length).filter(sign => !answer.includes(sign)),
      ).toEqual([]);
      if (Object.keys(replaced).length === 2) expect(answer.indexOf(one)).toBeLessThan(answer.indexOf(two));
    }
    expect(Math.min(shortened.length, numbered.length)).toBeGreaterThan(20);
  });

  it('puts drafts into conversations unchanged', () => {
    for (const { number, passages, replace } of drafts.slice(0, 60)) {
      const draw = createDraw('train', 10, number);
      const turns = redaction.make(draw, createValues(draw));
      const first = turns.findIndex(({ role }) => role === 'assistant');
      expect(turns[first]!.content).toBe(redact(passages[0]!, replace(passages[0]!)));
      expect(turns[first - 1]!.content).toContain(passages[0]!.text);
    }
  });
});
