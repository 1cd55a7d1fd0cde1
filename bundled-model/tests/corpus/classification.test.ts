import { describe, expect, it } from 'vitest';
import { createDraw } from '../../corpus/draw.js';
import * as languages from '../../corpus/families/classification/languages.js';
import * as news from '../../corpus/families/classification/news.js';
import * as opinions from '../../corpus/families/classification/opinions.js';
import * as registers from '../../corpus/families/classification/registers.js';
import * as wordings from '../../corpus/families/classification/wordings.js';
import { classification, draftClassification } from '../../corpus/families/classification.js';
import { THEMES } from '../../corpus/families/texts/themes/index.js';
import { fill } from '../../corpus/fill.js';
import { createValues } from '../../corpus/values/index.js';
import { converse, expectFamily, expectFilled, toAnswers } from './family-checks.js';

const drafts = Array.from({ length: 400 }, (_, number) => {
  const draw = createDraw('train', 8, number);
  return draftClassification(draw, createValues(draw));
});

/** Labels that only texts from this list may have, by the list of the first text. */
const OWN_LABELS: readonly (readonly [readonly string[], readonly string[]])[] = [
  ...THEMES.map(
    theme => [theme.openings, [...theme.labels, ...theme.departments, ...theme.intents]] as const,
  ),
  [opinions.POSITIVE, ['positive', 'pleased', 'thumbs up', 'praise']],
  [opinions.NEGATIVE, ['negative', 'unhappy', 'thumbs down', 'complaint']],
  [opinions.NEUTRAL, ['neutral', 'neither', 'no opinion']],
  [opinions.URGENT, ['urgent', 'high', 'rush', 'at once']],
  [opinions.CALM, ['not urgent', 'low', 'can wait', 'some day']],
  [opinions.SPAM, ['spam', 'junk', 'fraud', 'block']],
  [opinions.WANTED, ['not spam', 'inbox', 'ham', 'keep']],
  [registers.PAST, ['past', 'yesterday', 'was']],
  [registers.PRESENT, ['present', 'today', 'is']],
  [registers.FUTURE, ['future', 'tomorrow', 'will be']],
  [languages.GERMAN, ['german', 'de']],
  [languages.DUTCH, ['dutch', 'nl']],
  [news.SPORT, ['sport', 'sports', 'games']],
  [news.CRIME, ['crime', 'police']],
];

describe('classification', () => {
  const conversations = expectFamily(classification);

  it('makes well-formed conversations and keeps the held-out side apart', () => {
    expectFilled(conversations);
    for (const list of Object.values(wordings)) expect(list.length).toBeGreaterThanOrEqual(8);
  });

  it('answers with a label that the prompt lists, in the form that it asks for', () => {
    for (const { ask, slots, labels, form, rounds } of drafts) {
      const asked = fill(ask, slots);
      for (const { shown } of labels) expect(asked).toContain(shown);
      for (const { text, answer } of rounds) {
        expect(labels.map(label => form.write(label.answer))).toContain(answer);
        expect(text).not.toMatch(/[{}]/);
      }
      expect(new Set(labels.map(label => label.answer.toLowerCase())).size).toBe(labels.length);
      if (form.slots.form !== undefined) expect(asked).toContain(form.slots.form);
    }
    expect(
      drafts.filter(({ labels }) => labels.every(({ shown, answer }) => shown === answer)).length,
    ).toBeLessThan(350);
    expect(new Set(drafts.flatMap(({ labels }) => labels.map(({ answer }) => answer))).size).toBeGreaterThan(
      350,
    );
  });

  it('gives each text the right label', () => {
    let checked = 0;
    for (const conversation of converse(classification, 'train', 900)) {
      const { answer, before } = toAnswers(conversation)[0]!;
      const drawn = conversation.wordings.find(wording =>
        OWN_LABELS.some(([list]) => list.includes(wording)),
      );
      const name = toName(answer, before);
      const owners = OWN_LABELS.filter(([, labels]) => labels.includes(name));
      if (!drawn || owners.length === 0) continue;
      expect(
        owners.some(([list]) => list.includes(drawn)),
        `${before}\n-> ${answer}`,
      ).toBe(true);
      checked++;
    }
    expect(checked).toBeGreaterThan(150);
  });

  it('uses every position in the list about equally often', () => {
    const places = drafts.map(({ labels, form, rounds }) =>
      labels.findIndex(label => form.write(label.answer) === rounds[0]!.answer) === 0 ? labels.length : 0,
    );
    const first = places.filter(count => count > 0).length / places.length;
    const expected = drafts.reduce((sum, { labels }) => sum + 1 / labels.length, 0) / drafts.length;
    expect(Math.abs(first - expected)).toBeLessThan(0.1);
  });
});

/** The name that a code stands for, or the answer itself. */
function toName(answer: string, before: string): string {
  const code = answer.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const meaning = new RegExp(`(?<![\\w-])${code}(?: = | -> | means |\\) | for |: )([\\w ]+)`).exec(
    before,
  )?.[1];
  return (meaning ?? answer)
    .replace(/^(cat_|t:)|^\W+|\W+$/g, '')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase();
}
