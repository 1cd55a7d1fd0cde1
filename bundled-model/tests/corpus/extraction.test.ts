import { describe, expect, it } from 'vitest';
import { createDraw } from '../../corpus/draw.js';
import { bareNumber, toJson } from '../../corpus/families/extraction/json.js';
import { PLURALS } from '../../corpus/families/extraction/plurals.js';
import { makeRecordTask } from '../../corpus/families/extraction/record.js';
import * as wordings from '../../corpus/families/extraction/wordings.js';
import { extraction } from '../../corpus/families/extraction.js';
import { fill } from '../../corpus/fill.js';
import { createValues } from '../../corpus/values/index.js';
import { expectFamily, expectFilled, findList, toAnswers } from './family-checks.js';

const conversations = expectFamily(extraction);

const records = Array.from({ length: 300 }, (_, number) => {
  const draw = createDraw('train', 9, number);
  return makeRecordTask(draw, createValues(draw));
}).flatMap(task => task.rounds.map(round => ({ ...task, ...round, asked: fill(task.ask, task.slots) })));

const parse = (answer: string) => JSON.parse(answer) as Record<string, unknown>;
const toWord = (key: string) => key.toLowerCase().replace(/[^a-z]/g, '');

/** What values look like under keys that imply it. */
const LOOKS: readonly (readonly [key: RegExp, value: RegExp])[] = [
  [/^(e?mail(address)?|contactemail)$/, /^\S+@\S+$/],
  [/^(phone|telephone)(number)?$|^contactphone$/, /^[+(\d][\d() +./-]+$/],
  [/^(amount|sum)(ofmoney)?$/, /\d/],
  [/^(room|roomnumber)$/, /^[A-G]?[.-]?\d{1,3}$/],
  [/^(clocktime|timeofday)$/, /^\d{1,2}\D/],
  [/^(weekday|dayoftheweek)$/, /day$/],
];

describe('extraction', () => {
  it('makes well-formed conversations and keeps the held-out side apart', () => {
    expectFilled(conversations);
    const lists = [...Object.values(wordings), ...PLURALS.map(({ templates }) => templates)];
    for (const list of lists) expect(list.length).toBeGreaterThanOrEqual(8);
  });

  it("answers with values from the text, or with the prompt's marker for missing ones", () => {
    let missing = 0;
    for (const { text, answer, asked } of records)
      for (const [key, value] of Object.entries(parse(answer))) {
        expect(asked).toContain(key);
        if (value !== null && text.includes(String(value))) continue;
        if (typeof value === 'number' && text.includes(answer.split(`"${key}":`)[1]!.match(/[\d.]+/)![0]))
          continue;
        expect(asked).toContain(JSON.stringify(value));
        missing++;
      }
    expect(missing).toBeGreaterThan(60);
    expect(missing).toBeLessThan(records.flatMap(({ answer }) => Object.keys(parse(answer))).length / 2);
  });

  it('finds the value that a key means, and reports it missing only if it is', () => {
    let checked = 0;
    for (const { text, answer, asked } of records)
      for (const [key, value] of Object.entries(parse(answer))) {
        const looks = LOOKS.find(([pattern]) => pattern.test(toWord(key)))?.[1];
        if (!looks) continue;
        checked++;
        if (value !== null && String(value).length > 1 && text.includes(String(value)))
          expect(String(value), asked).toMatch(looks);
        if (value === null && looks.source.includes('@')) expect(text).not.toContain('@');
      }
    expect(checked).toBeGreaterThan(100);
  });

  it('keeps the order of the keys and the layout of the sample', () => {
    for (const { ask, slots, answer } of records) {
      const keys = Object.keys(parse(answer));
      if (ask.includes('{shape}')) {
        expect(Object.keys(parse(slots.shape!))).toEqual(keys);
        expect(answer.split('\n')).toHaveLength(slots.shape!.split('\n').length);
        expect(answer.includes('": ')).toBe(slots.shape!.includes('": '));
      } else {
        const places = keys.map(key => (ask.includes('{list}') ? slots.list! : slots.keys!).lastIndexOf(key));
        if (keys.every(key => key.length > 3))
          expect(
            places.every(place => place >= 0),
            answer,
          ).toBe(true);
        expect(answer).toMatch(/^\{"[^"]+": .*\}$/);
        expect(answer).not.toMatch(/": {2}|","|":"/);
      }
    }
  });

  it('writes bare numbers where the prompt asks for them, and nowhere else', () => {
    const numeric = records.filter(({ answer }) =>
      Object.values(parse(answer)).some(value => typeof value === 'number'),
    );
    expect(numeric.length).toBeGreaterThan(20);
    for (const { ask } of numeric)
      expect(
        wordings.NUMBER_NOTES.some(note => ask.includes(note)),
        ask,
      ).toBe(true);
    expect(bareNumber('$24.50')).toBe('24.50');
    expect(bareNumber('18 euros')).toBe('18');
    expect(bareNumber('1,250 USD')).toBeUndefined();
  });

  it('returns one field, or all values of a kind in the order of the text, and nothing else', () => {
    const seen = { ONE_FIELD: 0, ALL_OF_A_KIND: 0 };
    for (const conversation of conversations) {
      const list = findList(wordings, conversation.wordings) as keyof typeof seen | undefined;
      if (list !== 'ONE_FIELD' && list !== 'ALL_OF_A_KIND') continue;
      seen[list]++;
      for (const { answer, asked } of toAnswers(conversation)) {
        const parts = list === 'ONE_FIELD' ? [answer] : answer.split(/, | and |; | \| |\n| \/ | \+ | - | > /);
        let at = 0;
        for (const part of parts) {
          at = asked.indexOf(part, at);
          expect(at, answer).toBeGreaterThanOrEqual(0);
          at += part.length;
        }
        if (list === 'ALL_OF_A_KIND') expect(parts.length).toBeGreaterThan(1);
      }
    }
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(30);
  });
});

describe('toJson', () => {
  it('lays out objects in three ways', () => {
    const pairs = [
      ['a', '"b"'],
      ['c', '1'],
    ] as const;
    expect(toJson(pairs, 'spaced')).toBe('{"a": "b", "c": 1}');
    expect(toJson(pairs, 'compact')).toBe('{"a":"b","c":1}');
    expect(toJson(pairs, 'lines')).toBe('{\n  "a": "b",\n  "c": 1\n}');
  });
});
