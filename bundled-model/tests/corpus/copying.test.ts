import { describe, expect, it } from 'vitest';
import { createDraw } from '../../corpus/draw.js';
import type { Task } from '../../corpus/families/asking/ask.js';
import { add, removeWord, replaceWord, swap } from '../../corpus/families/copying/editing.js';
import { join, spell, toLines } from '../../corpus/families/copying/joining.js';
import { dropPlace, findInside, findLine, lookUp, pickWord } from '../../corpus/families/copying/picking.js';
import { changeCase, repeat, repeatTimes, wrap } from '../../corpus/families/copying/repeating.js';
import { copying } from '../../corpus/families/copying.js';
import { createValues } from '../../corpus/values/index.js';
import { converse, expectFamily, toAnswers } from './family-checks.js';

type Operation = Parameters<typeof run>[0];

function run(operation: (...args: [ReturnType<typeof createDraw>, ReturnType<typeof createValues>]) => Task) {
  return Array.from({ length: 60 }, (_, number) => {
    const draw = createDraw('train', 3, number);
    const { slots = {}, next } = operation(draw, createValues(draw));
    return { slots: slots as Record<string, string>, ...next() };
  });
}

const toLetters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

describe('copying', () => {
  it('makes well-formed conversations and keeps the held-out side apart', () => {
    expectFamily(copying);
  });

  it('answers only with text from the conversation', () => {
    for (const conversation of converse(copying, 'train', 300))
      for (const { before, answer } of toAnswers(conversation)) {
        const said = toLetters(before);
        const items = answer.replace(/^\d\. /gm, '').split(/[^\p{L}\p{N}]+/u);
        for (const item of items) expect(said, answer).toContain(toLetters(item));
      }
  });

  it('repeats exactly, and changes only case or the marks around the text', () => {
    for (const { input, answer } of run(repeat)) expect(answer).toBe(input);
    for (const { input, answer } of run(changeCase))
      expect([input.toUpperCase(), input.toLowerCase()]).toContain(answer);
    for (const { input, answer } of run(wrap)) {
      expect(answer.length).toBeGreaterThan(input.length);
      expect(answer.indexOf(input) * 2).toBe(answer.length - input.length);
    }
    for (const { slots, input, answer } of run(repeatTimes)) {
      const count = ['two', 'three', 'four', 'five'].indexOf(slots.times!.split(' ')[0]!) + 2;
      expect(answer.split(input)).toHaveLength(count + 1);
    }
  });

  it('replaces, removes and adds one word', () => {
    for (const { slots, input, answer } of run(replaceWord))
      expect(answer).toBe(` ${input} `.replace(` ${slots.old} `, ` ${slots.new} `).trim());
    for (const { slots, input, answer } of run(removeWord)) {
      expect(answer.split(' ')).not.toContain(slots.word);
      expect(input.split(' ')).toHaveLength(answer.split(' ').length + 1);
    }
    for (const { slots, input, answer } of run(add))
      expect([`${slots.addition} ${input}`, `${input} ${slots.addition}`]).toContain(answer);
  });

  it('swaps a pair so that swapping again gives the pair back', () => {
    const between = / and | or | before | (?:\/|-|=|:|>) |, /;
    for (const { input, answer } of run(swap))
      expect(answer.split(between).reverse()).toEqual(input.split(between));
  });

  it('picks words by position, and text between marks', () => {
    const places: Record<string, number> = { first: 0, second: 1, third: 2, last: -1 };
    for (const { slots, input, answer } of run(pickWord))
      expect(answer).toBe(input.split(' ').at(places[slots.place!]!));
    for (const { slots, input, answer } of run(dropPlace))
      expect(slots.place === 'first' ? input.endsWith(` ${answer}`) : input.startsWith(`${answer} `)).toBe(
        true,
      );
    for (const { input, answer } of run(findInside)) {
      const at = input.indexOf(answer);
      expect(input[at - 1]).toMatch(/[^\w\s]/);
      expect(input[at + answer.length]).toMatch(/[^\w\s]/);
    }
  });

  it('finds the line or entry for a key', () => {
    for (const { slots, input, answer } of run(findLine))
      expect(input.split('\n').filter(line => line.split(' ').includes(slots.key!))).toEqual([answer]);
    for (const { slots, input, answer } of run(lookUp)) {
      const after = input.slice(input.indexOf(slots.key!) + slots.key!.length);
      expect(after.replace(/^(: | = | - | has )/, '').startsWith(answer)).toBe(true);
    }
  });

  it('joins, lists and spells without losing any part', () => {
    const operations: Operation[] = [join, toLines, spell];
    for (const operation of operations)
      for (const { input, answer } of run(operation))
        expect(toLetters(answer.replace(/^\d\. /gm, ''))).toBe(toLetters(input));
  });
});
