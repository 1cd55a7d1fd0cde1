import { describe, expect, it } from 'vitest';
import { createDraw } from '../../corpus/draw.js';
import { composePhrase } from '../../corpus/families/translation/compose.js';
import { toAttributeForms, toNounForms, toPredicateForms } from '../../corpus/families/translation/forms.js';
import { ADJECTIVES, ATTRIBUTES, type Language, NOUNS } from '../../corpus/families/translation/lexicon.js';
import { translation } from '../../corpus/families/translation.js';
import { createValues } from '../../corpus/values/index.js';
import { expectFamily, expectFilled } from './family-checks.js';

const FOREIGN = ['french', 'spanish', 'german'] as const;

const phrases = Array.from({ length: 2000 }, (_, number) => {
  const draw = createDraw(number % 4 === 0 ? 'held-out' : 'train', 2, number);
  return composePhrase(draw, createValues(draw));
});

const findNoun = (english: string) => NOUNS.find(({ one }) => one.english === english)!;
const formsOf = (language: Language, english: string) => toNounForms(language, findNoun(english));

describe('translation', () => {
  it('makes well-formed conversations and keeps the held-out side apart', () => {
    expectFilled(expectFamily(translation));
  });

  it('translates a phrase in one way, and back to the same phrase', () => {
    for (const language of FOREIGN) {
      const there = new Map<string, string>();
      const back = new Map<string, string>();
      for (const phrase of phrases) {
        expect(there.get(phrase.english) ?? phrase[language]).toBe(phrase[language]);
        expect(back.get(phrase[language]) ?? phrase.english, phrase[language]).toBe(phrase.english);
        there.set(phrase.english, phrase[language]);
        back.set(phrase[language], phrase.english);
      }
    }
  });

  it('uses the punctuation of each language', () => {
    for (const { english, french, spanish, german } of phrases) {
      expect(french).not.toMatch(/[^ ][?!]/);
      expect(french).not.toMatch(/(?<!\p{L})(?:le|la|de|je|d|l) [aeiouéèêœ]/u);
      expect(spanish.split('¿')).toHaveLength(spanish.split('?').length);
      expect(spanish.split('¡')).toHaveLength(spanish.split('!').length);
      expect(german.replaceAll(' ', '')).toMatch(english.endsWith('?') ? /\?$/ : /[^?]$/);
      for (const text of [english, french, spanish, german]) expect(text).toMatch(/[.?!]$|^[^.?!]*$/);
    }
  });

  it('knows the gender and plural of each noun, and uses no word for two things', () => {
    const articles = { french: /^une? \S/, spanish: /^una? \S/, german: /^(der|die|das) \p{Lu}/u };
    for (const language of FOREIGN) {
      for (const { one } of NOUNS) expect(one[language]).toMatch(articles[language]);
      expect(new Set(NOUNS.map(({ one }) => one[language].replace(/^\S+ /, ''))).size).toBe(NOUNS.length);
    }
    expect(new Set(NOUNS.map(({ one }) => one.english)).size).toBe(NOUNS.length);
    expect(NOUNS.length).toBeGreaterThan(150);
    expect(ADJECTIVES.length).toBeGreaterThan(40);
  });

  it('puts nouns into the forms that sentences need', () => {
    expect(formsOf('french', 'school')).toMatchObject({
      the: "l'école",
      my: 'mon école',
      ofA: "d'une école",
    });
    expect(formsOf('french', 'house')).toMatchObject({
      the: 'la maison',
      my: 'ma maison',
      ofNo: 'de maison',
    });
    expect(formsOf('french', 'computer')).toMatchObject({ the: "l'ordinateur", ofNo: "d'ordinateur" });
    expect(formsOf('spanish', 'key')).toMatchObject({
      the: 'la llave',
      thePlural: 'las llaves',
      this: 'esta',
    });
    expect(formsOf('spanish', 'dog')).toMatchObject({
      the: 'el perro',
      your: 'su perro',
      thePlural: 'los perros',
    });
    expect(formsOf('german', 'dog')).toMatchObject({ theAcc: 'den Hund', aAcc: 'einen Hund', in: 'im Hund' });
    expect(formsOf('german', 'kitchen')).toMatchObject({
      theAcc: 'die Küche',
      in: 'in der Küche',
      zu: 'zur Küche',
    });
    expect(formsOf('german', 'house')).toMatchObject({
      theAcc: 'das Haus',
      myAcc: 'mein Haus',
      noAcc: 'kein Haus',
    });
    expect(formsOf('english', 'egg').a).toBe('an egg');
    expect(formsOf('english', 'university').a).toBe('a university');
  });

  it('makes adjectives agree', () => {
    const say = (language: Language, adjective: string, noun: string) =>
      toPredicateForms(language, ADJECTIVES.find(({ english }) => english === adjective)!, findNoun(noun));
    expect(say('french', 'old', 'chair')).toEqual({ adjective: 'vieille', adjectives: 'vieilles' });
    expect(say('french', 'happy', 'king')).toEqual({ adjective: 'heureux', adjectives: 'heureux' });
    expect(say('spanish', 'closed', 'shop')).toEqual({
      adjective: 'cerrada',
      adjectives: 'cerradas',
      be: 'está',
      bes: 'están',
    });
    expect(say('spanish', 'blue', 'chair')).toEqual({
      adjective: 'azul',
      adjectives: 'azules',
      be: 'es',
      bes: 'son',
    });
    const put = (language: Language, adjective: string, noun: string) =>
      toAttributeForms(language, ATTRIBUTES.find(({ english }) => english === adjective)!, findNoun(noun));
    expect(put('french', 'new', 'computer').a).toBe('un nouvel ordinateur');
    expect(put('french', 'white', 'cat').a).toBe('un chat blanc');
    expect(put('spanish', 'small', 'house').a).toBe('una casa pequeña');
    expect(put('german', 'big', 'dog')).toEqual({ a: 'ein großer Hund', aAcc: 'einen großen Hund' });
    expect(put('german', 'big', 'horse').aAcc).toBe('ein großes Pferd');
    expect(put('english', 'old', 'car').a).toBe('an old car');
  });
});
