import { describe, expect, it } from 'vitest';
import { NOTATIONS } from '../../corpus/families/glossary/notation.js';
import * as lists from '../../corpus/families/glossary/wordings.js';
import { glossary } from '../../corpus/families/glossary.js';
import { converse, expectFamily, expectFilled, findList, toBareCases } from './family-checks.js';

/** Read from the prompt as a person would: the text on both sides of the last sign of each entry. */
function readGlossary(system: string): Map<string, string> {
  const entries = system
    .split(/\n|; |, /)
    .map(entry => entry.match(/^(.*\S)(?: => | -> | = |: | means | is )(.+)$/))
    .filter(match => match !== null);
  return new Map(
    entries.map(([, left, right]) => [
      left!.match(/(?:post |swimming )?\S+$/)![0],
      right!.replace(/\.$/, ''),
    ]),
  );
}

const { RULES: _, ...instructions } = lists;
const cases = toBareCases(converse(glossary, 'train', 1200));
const of = (...names: string[]) =>
  cases.filter(({ wordings }) => names.includes(findList(instructions, wordings)!));

describe('glossary', () => {
  it('makes well-formed conversations and keeps the held-out side apart', () => {
    expectFilled(expectFamily(glossary));
  });

  it('replaces the words that the prompt lists, and no others', () => {
    const found = of('TERMS', 'WORD_BY_WORD');
    expect(found.length).toBeGreaterThan(50);
    for (const { system, input, answer } of found) {
      const words = readGlossary(system);
      const replaced = input.replace(
        /post office|swimming pool|[\p{L}\p{N}'-]+/gu,
        word => words.get(word) ?? word,
      );
      expect(answer, system).toBe(replaced);
    }
  });

  it('reads codes both ways', () => {
    const [codes, words] = [of('CODES'), of('ENCODE')];
    expect(codes.length).toBeGreaterThan(5);
    expect(words.length).toBeGreaterThan(5);
    for (const { system, input, answer } of codes)
      expect(readGlossary(system).get(input), system).toBe(answer);
    for (const { system, input, answer } of words)
      expect(readGlossary(system).get(answer), system).toBe(input);
  });

  it('replaces one word with another', () => {
    const found = of('INSTEAD');
    expect(found.length).toBeGreaterThan(5);
    for (const { system, input, answer } of found) {
      const changed = input.split(' ').filter(word => !answer.split(' ').includes(word));
      expect(changed.length, `${input} | ${answer}`).toBeGreaterThan(0);
      for (const word of changed) expect(system).toContain(word.replace(/[.,?]/g, ''));
    }
  });

  it('writes times, dates and similar values as the rule shows', () => {
    const found = of('BY_RULES');
    expect(found.length).toBeGreaterThan(30);
    for (const { input, answer } of found) expect(answer).not.toBe(input);
    const write = (kind: string, value: string) => NOTATIONS[kind]!.forms.map(form => form(value));
    expect(write('time', '09:05')).toContain('09h05');
    expect(write('date', '2024-07-03')).toEqual([
      '03.07.2024',
      '03/07/2024',
      '07/03/2024',
      '20240703',
      '2024/07/03',
      '3 July 2024',
    ]);
    expect(write('order', '#77')).toEqual(['Nr. 77', 'No. 77', '[77]', 'ORD-77', 'N77', '(77)', '77']);
    expect(write('amount', '$9')).toEqual(['9 dollars', '9 USD', 'USD 9', '$9.00', '9 $', 'US$9']);
    expect(write('person', 'Ada Byron')).toEqual([
      'Byron, Ada',
      'A. Byron',
      'Byron Ada',
      'Ada BYRON',
      'BYRON, Ada',
    ]);
    expect(write('phone', '555-0142')).toEqual(['555 0142', '555.0142', '555/0142', '5550142', '(555) 0142']);
  });

  it('shows in each rule the notation that the answer uses', () => {
    const PATTERNS = { time: /\b\d\d:\d\d\b/, date: /\b\d{4}-\d\d-\d\d\b/, order: /#\d{4}\b/ };
    let compared = 0;
    for (const { system, input, answer } of of('BY_RULES'))
      for (const [kind, pattern] of Object.entries(PATTERNS)) {
        const { example, forms } = NOTATIONS[kind]!;
        const shown = forms.filter(form => system.includes(form(example)));
        // `14:30 Uhr` also contains `14:30`.
        const form = shown.sort((a, b) => b(example).length - a(example).length)[0];
        const [value] = input.match(pattern) ?? [];
        if (!form || value === undefined) continue;
        expect(answer).toContain(form(value));
        compared++;
      }
    expect(compared).toBeGreaterThan(30);
  });
});
