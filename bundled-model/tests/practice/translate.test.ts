import { describe, expect, it } from 'vitest';
import { practiceRows, scoreContent } from '../../practice/index.js';
import { GLOSSARY } from '../../practice/translate/glossary.js';

const train = practiceRows('translate', 'train', 500, 1);
const heldOut = practiceRows('translate', 'held-out', 100, 1);

/** The telegram of an English text, from the glossary and the values of the row. */
function translateByHand(asked: string, values: readonly string[]): string {
  const find = (words: Readonly<Record<string, string>>) =>
    Object.entries(words).find(([word]) => new RegExp(`\\b${word}\\b`).test(asked))?.[1];
  const day = find(GLOSSARY.day);
  const order = values.find(value => /\d/.test(value));
  const name = values.find(value => !/\d/.test(value));
  return [
    `${find(GLOSSARY.thing)} ${find(GLOSSARY.state)}`,
    find(GLOSSARY.action),
    ...(day ? [`bis ${day}`] : []),
    ...(order ? [`Nr ${order}`] : []),
    ...(name ? [`Kd ${name}`] : []),
  ].join(' / ');
}

describe('translate', () => {
  it('has one right answer, given by the glossary and a fixed order', () => {
    for (const { asked, answer, values } of [...train, ...heldOut])
      expect(answer).toBe(translateByHand(asked, values));
  });

  it('shows every word of the glossary often enough to be learned', () => {
    const times = (word: string) => train.filter(({ answer }) => answer.includes(word)).length;
    for (const word of Object.values(GLOSSARY).flatMap(part => Object.values(part)))
      expect(times(word), word).toBeGreaterThanOrEqual(10);
  });

  it('has one English word for each German one', () => {
    const words = Object.values(GLOSSARY).flatMap(part => Object.values(part));
    expect(new Set(words).size).toBe(words.length);
  });
});

describe('the content of a telegram', () => {
  const score = (answered: string) =>
    scoreContent('translate', '', 'Lampe defekt / ersetzen / Nr A-4821', answered);

  it('is scored by words, ignoring case, punctuation and order', () => {
    expect(score('ERSETZEN: lampe, defekt (nr a-4821)')).toBe(1);
  });

  it('penalizes missing and extra words', () => {
    expect(score('Lampe defekt')).toBeCloseTo(4 / 7);
    expect(score('Die Lampe ist defekt und ersetzen Nr A-4821')).toBeCloseTo(10 / 13);
    expect(score('Lampe Lampe Lampe')).toBeCloseTo(2 / 8);
    expect(score('Thank you.')).toBe(0);
  });
});
