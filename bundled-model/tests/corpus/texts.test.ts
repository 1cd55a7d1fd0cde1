// The texts that extraction, redaction, reading, classification, yes-no and schema share.
import { describe, expect, it } from 'vitest';
import { createDraw } from '../../corpus/draw.js';
import { chooseFields, makeMore } from '../../corpus/families/texts/fields.js';
import * as frames from '../../corpus/families/texts/frames.js';
import { ITEMS } from '../../corpus/families/texts/items.js';
import { alike, KINDS, slotsOf } from '../../corpus/families/texts/kinds.js';
import * as layouts from '../../corpus/families/texts/layouts.js';
import { countOf, fillClearly, makePassage } from '../../corpus/families/texts/passage.js';
import { phrasesOf } from '../../corpus/families/texts/phrases.js';
import { poseTask } from '../../corpus/families/texts/pose-task.js';
import { makeScene } from '../../corpus/families/texts/scene.js';
import { SENTENCES, storyOf } from '../../corpus/families/texts/stories/index.js';
import { THEMES } from '../../corpus/families/texts/themes/index.js';
import { partOfValue } from '../../corpus/partition.js';
import { createValues } from '../../corpus/values/index.js';

function repeat<T>(count: number, make: (draw: ReturnType<typeof createDraw>) => T): T[] {
  return Array.from({ length: count }, (_, number) =>
    make(createDraw(number % 4 === 0 ? 'held-out' : 'train', 4, number)),
  );
}

const passages = repeat(400, draw => makePassage(draw, createValues(draw)));

describe('the sentences', () => {
  const themed = THEMES.flatMap(({ openings, details }) => [openings, details]);
  const lists = [...themed, ...Object.values(frames), ...Object.values(layouts), SENTENCES];

  it('are many and never in two lists, and each list is long enough to hold some out', () => {
    const sentences = lists.flat();
    expect(new Set(sentences).size).toBe(sentences.length);
    expect(themed.flat().length).toBeGreaterThan(400);
    for (const list of lists) expect(list.length).toBeGreaterThanOrEqual(8);
  });

  it('have slots for known values only', () => {
    for (const sentence of [...themed.flat(), ...SENTENCES])
      for (const slot of slotsOf(sentence)) expect(KINDS, sentence).toContain(slot);
  });

  it('have questions that the sentence answers, without values that it lacks', () => {
    for (const sentence of SENTENCES) {
      const { questions, polar, claims } = storyOf(sentence);
      const known = slotsOf(sentence);
      expect(Math.min(questions.length, polar.length, claims.length), sentence).toBeGreaterThan(0);
      for (const { kind, text } of questions) {
        expect(known).toContain(kind);
        expect(slotsOf(text), text).not.toContain(kind);
      }
      for (const text of [...questions.map(question => question.text), ...polar, ...claims])
        for (const slot of slotsOf(text)) expect(known, text).toContain(slot);
      for (const text of [...polar, ...claims]) expect(slotsOf(text), text).not.toEqual([]);
    }
  });

  it('name things that "a" fits, with some in each part', () => {
    expect(ITEMS.filter(item => /^[aeiou]/.test(item))).toEqual([]);
    expect(new Set(ITEMS.map(partOfValue)).size).toBe(4);
  });
});

describe('a theme', () => {
  it('distinguishes two people by their names in the theme', () => {
    for (const { name, openings, details, phrases } of THEMES)
      if ([...openings, ...details].some(sentence => sentence.includes('{other}')))
        expect([phrases.name?.length, phrases.other?.length], name).not.toContain(undefined);
  });

  it('shares no label with other themes, except those listed as near', () => {
    for (const one of THEMES)
      for (const other of THEMES) {
        if (one === other || one.near.includes(other.name) || other.near.includes(one.name)) continue;
        for (const part of ['labels', 'departments', 'intents'] as const)
          expect(one[part].filter(label => other[part].includes(label))).toEqual([]);
      }
  });
});

describe('a passage', () => {
  it('has each value where the template has its slot, and nowhere else', () => {
    for (const { text, template, facts } of passages) {
      expect(text).not.toMatch(/[{}]/);
      expect(Object.keys(facts).sort()).toEqual([...slotsOf(template)].sort());
      for (const kind of slotsOf(template))
        expect(countOf(text, facts[kind]!), text).toBe(template.split(`{${kind}}`).length - 1);
    }
  });

  it('is filled again if one value contains another', () => {
    const template = 'Room {room} at {time} on {date}, {count} times for {amount}.';
    for (const { text, facts } of repeat(300, draw => fillClearly(draw, createValues(draw), template)))
      for (const value of Object.values(facts)) expect(countOf(text, value), text).toBe(1);
  });

  it('has no word that could mean two of its values', () => {
    for (const passage of passages) {
      const kinds = slotsOf(passage.template);
      for (const kind of kinds)
        for (const other of alike(kind).filter(one => kinds.includes(one)))
          expect(
            phrasesOf(kind, passage).filter(phrase => phrasesOf(other, passage).includes(phrase)),
            passage.text,
          ).toEqual([]);
    }
  });

  it('comes with others that clearly have or lack its fields', () => {
    const sets = repeat(150, draw => {
      const values = createValues(draw);
      const first = makePassage(draw, values, { least: 2 });
      const fields = chooseFields(draw, first, { most: 3, missing: 0.3 });
      return { fields, more: makeMore(draw, values, first, fields) };
    });
    expect(sets.filter(({ more }) => more.length > 1).length).toBeGreaterThan(75);
    for (const { fields, more } of sets)
      for (const { facts } of more)
        for (const { kind } of fields)
          if (facts[kind] === undefined)
            expect(alike(kind).map(other => facts[other])).toEqual(alike(kind).map(() => undefined));
  });
});

describe('countOf', () => {
  it('counts whole words', () => {
    expect(countOf('Ann met Anna. Ann, 3 pm, 33.', 'Ann')).toBe(2);
    expect(countOf('3 pm, 33, 3.', '3')).toBe(2);
    expect(countOf('#12 and #123', '#12')).toBe(1);
  });
});

describe('a scene', () => {
  it('names no person or thing twice', () => {
    const scenes = repeat(200, draw => makeScene(draw, createValues(draw)));
    expect(new Set(scenes.map(({ lines }) => lines.length))).toEqual(new Set([1, 2, 3]));
    for (const { text, lines } of scenes) {
      const values = lines.flatMap(({ facts }) => Object.values(facts));
      expect(new Set(values).size).toBe(values.length);
      for (const value of values) expect(countOf(text, value), text).toBe(1);
    }
  });
});

describe('poseTask', () => {
  const task = {
    ask: 'Sort {signs}.',
    slots: { signs: '<a> | <b>' },
    rounds: [
      { text: 'One.', answer: '1' },
      { text: 'Two.', answer: '2' },
    ],
    example: { text: 'Three.', answer: '3' },
  };
  const posed = repeat(600, draw => poseTask(draw, task));

  it('puts the instruction into the message or the system prompt, and may continue with another text', () => {
    const share = (isSo: (turns: (typeof posed)[number]) => boolean) =>
      posed.filter(isSo).length / posed.length;
    expect(share(turns => turns[0]!.role === 'system')).toBeCloseTo(0.3, 1);
    expect(share(turns => turns.at(-1)!.content === '2')).toBeGreaterThan(0.1);
    expect(share(turns => turns[0]!.content.includes('Three.'))).toBeGreaterThan(0.04);
    for (const turns of posed) {
      expect(turns[0]!.content).toContain('<a> | <b>');
      const [first, second] = turns.filter(({ role }) => role === 'user');
      expect(first!.content).toContain('One.');
      if (second) expect(second.content).toContain('Two.');
    }
  });

  it('keeps an instruction that ends in a pattern on a separate line', () => {
    for (const turns of repeat(300, draw => poseTask(draw, { ...task, isApart: true })))
      expect(turns[0]!.content).toMatch(/<a> \| <b>\.?(\n|$)/);
  });
});
