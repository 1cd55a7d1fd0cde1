import { describe, expect, it } from 'vitest';
import { createDraw } from '../../corpus/draw.js';
import * as wordings from '../../corpus/families/schema/wordings.js';
import { draftSchema, schema } from '../../corpus/families/schema.js';
import { countOf } from '../../corpus/families/texts/passage.js';
import { fill } from '../../corpus/fill.js';
import { createValues } from '../../corpus/values/index.js';
import { expectFamily, toAnswers } from './family-checks.js';

const drafts = Array.from({ length: 500 }, (_, number) => {
  const draw = createDraw('train', 12, number);
  const draft = draftSchema(draw, createValues(draw));
  return { ...draft, asked: fill(draft.ask, draft.slots), number };
});

const isAsked = (ask: string, ...lists: (readonly string[])[]) =>
  lists.flat().some(wording => ask.split('\n').join(' ').includes(wording.split('\n').join(' ')));

/** The pattern with its marks replaced by these values, in order. */
function fillPattern(pattern: string, marks: readonly string[], cells: readonly string[]): string {
  let done = '';
  let rest = pattern;
  marks.forEach((mark, i) => {
    const at = rest.indexOf(mark);
    done += rest.slice(0, at) + cells[i];
    rest = rest.slice(at + mark.length);
  });
  return done + rest;
}

describe('schema', () => {
  const conversations = expectFamily(schema);

  it('makes well-formed conversations and keeps the held-out side apart', () => {
    for (const list of Object.values(wordings)) expect(list.length).toBeGreaterThanOrEqual(8);
    for (const conversation of conversations)
      for (const { before } of toAnswers(conversation))
        expect(before).not.toMatch(/\{(pattern|noun|empty|cells|options)\}/);
  });

  it('fills the pattern that the prompt shows, and changes nothing else in it', () => {
    const shown = drafts.filter(({ ask }) => isAsked(ask, wordings.IN_LINE, wordings.IN_LINES));
    expect(shown.length).toBeGreaterThan(300);
    for (const { pattern, marks, cells, rounds, asked } of shown) {
      expect(asked).toContain(pattern);
      const isPlain = marks.every(mark => pattern.split(mark).length === 2 || new Set(marks).size === 1);
      if (isPlain && marks.every(mark => /\W/.test(mark)))
        rounds.forEach(({ answer }, i) => {
          expect(answer).toBe(fillPattern(pattern, marks, cells[i]!));
        });
    }
  });

  it('fills in what the text says, and otherwise only what the prompt allows', () => {
    let missing = 0;
    for (const { rounds, cells, asked } of drafts)
      rounds.forEach(({ text, answer }, i) => {
        for (const cell of cells[i]!) {
          expect(answer).toContain(cell);
          if (text.includes(cell) || text.toUpperCase().includes(cell)) continue;
          expect(asked, text).toContain(cell);
          missing++;
        }
      });
    expect(missing).toBeGreaterThan(100);
  });

  it('names values and signs when it describes the format in words', () => {
    const told = drafts.filter(({ ask }) => isAsked(ask, wordings.IN_WORDS));
    expect(told.length).toBeGreaterThan(6);
    for (const { rounds, cells, slots } of told) {
      const sign = slots.sign!.slice(1, -1);
      expect(rounds[0]!.answer.split(sign)).toEqual(cells[0]);
    }
  });

  it('leaves no value to guess when there are only examples', () => {
    const told = drafts.filter(({ ask }) => isAsked(ask, wordings.BY_EXAMPLE));
    expect(told.length).toBeGreaterThan(3);
    for (const { cells, slots } of told) {
      const [first, ...shown] = cells;
      // Once in the text of an example, and once in its answer.
      const isSeen = (cell: string) => countOf(slots.examples!, cell) > 1;
      for (const i of first!.keys())
        expect(
          shown.some(row => isSeen(row[i]!)),
          slots.examples,
        ).toBe(true);
    }
  });

  it('uses no separator that occurs in a value', () => {
    for (const { pattern, marks, cells } of drafts) {
      if (marks.some(mark => !/\W/.test(mark) || pattern.split(mark).length !== 2)) continue;
      const ends = marks.map(mark => pattern.indexOf(mark));
      const signs = ends.slice(1).map((end, i) => pattern.slice(ends[i]! + marks[i]!.length, end).trim());
      const torn = cells.flat().filter(cell => signs.some(sign => sign !== '' && cell.includes(sign)));
      expect(torn, pattern).toEqual([]);
    }
  });

  it('hardly ever repeats a format', () => {
    const formats = drafts.map(({ pattern, marks }) =>
      marks.reduce((form, mark) => form.replace(mark, '*'), pattern),
    );
    expect(new Set(formats).size).toBeGreaterThan(formats.length * 0.75);
  });

  it('puts drafts into conversations unchanged', () => {
    for (const { number, rounds } of drafts.slice(0, 60)) {
      const draw = createDraw('train', 12, number);
      const turns = schema.make(draw, createValues(draw));
      const first = turns.findIndex(({ role }) => role === 'assistant');
      expect(turns[first]!.content).toBe(rounds[0]!.answer);
      expect(turns[first - 1]!.content).toContain(rounds[0]!.text);
    }
  });
});
