// One phrase in all four languages. A pair of pattern and noun is held out: training has seen each of them in other
// phrases, but never the two together.
import type { Draw } from '../../draw.js';
import { fill } from '../../fill.js';
import type { Values } from '../../values/index.js';
import { type Forms, toAttributeForms, toNounForms, toPredicateForms } from './forms.js';
import {
  ADJECTIVES,
  ATTRIBUTE_PATTERNS,
  ATTRIBUTES,
  BARE,
  DAYS,
  type InEach,
  LANGUAGES,
  type Language,
  NOUNS,
  type Noun,
  NUMBERS,
  PATTERNS,
  type Pattern,
  PERSONS,
  PHRASES,
  PREDICATES,
} from './lexicon.js';

export function composePhrase(draw: Draw, values: Values): InEach {
  const kind = draw.integer(0, 99);
  const isHeldOut = draw.part.endsWith('held-out');
  if (kind < 8 && !isHeldOut) return write(draw, values, draw.pick(PHRASES), () => ({}));
  if (kind < 18) return write(draw, values, draw.pick(PERSONS), () => ({}));
  if (kind < 24) return composeBare(draw, values);
  if (kind < 52) return composePredicate(draw, values);
  if (kind < 64) return composeAttribute(draw, values);
  const phrase = composeSentence(draw, values);
  return kind < 94 ? phrase : joined(composeGreeting(draw, values), phrase);
}

/** A pattern and the words in it. Their texts together decide which part they belong to. */
function drawPair<T>(draw: Draw, find: () => readonly [Pattern, T], toKey: (noun: T) => string) {
  const found = new Map<string, readonly [Pattern, T]>();
  const key = draw.value(() => {
    const pair = find();
    const made = `${pair[0].texts.english} ${toKey(pair[1])}`;
    found.set(made, pair);
    return made;
  });
  return found.get(key)!;
}

function composeSentence(draw: Draw, values: Values): InEach {
  const find = () => {
    const pattern = draw.pick(PATTERNS);
    const needsPlural = /plural/i.test(pattern.texts.english);
    return [pattern, draw.pick(nounsOf(pattern.tags).filter(({ many }) => many || !needsPlural))] as const;
  };
  const [pattern, noun] = drawPair(draw, find, ({ one }) => one.english);
  const others = nounsOf(pattern.tags2).filter(other => other !== noun);
  const second = others.length > 0 ? draw.pick(others) : undefined;
  return write(draw, values, pattern, language => ({
    ...toNounForms(language, noun),
    ...(second && toNounForms(language, second, '2')),
  }));
}

function composePredicate(draw: Draw, values: Values): InEach {
  const find = () => {
    const adjective = draw.pick(ADJECTIVES);
    const pattern = draw.pick(PREDICATES);
    return [pattern, { adjective, noun: draw.pick(nounsOf(adjective.tags)) }] as const;
  };
  const toKey = ({ adjective, noun }: ReturnType<typeof find>[1]) =>
    `${noun.one.english} ${adjective.english}`;
  for (;;) {
    const [pattern, { adjective, noun }] = drawPair(draw, find, toKey);
    const isVery = pattern.texts.english.includes(' very ');
    if (!isFit(pattern, noun) || (isVery && ABSOLUTE.includes(adjective.english))) continue;
    return write(draw, values, pattern, language => ({
      ...toNounForms(language, noun),
      ...toPredicateForms(language, adjective, noun),
    }));
  }
}

/** Adjectives without degrees. */
const ABSOLUTE =
  'open closed broken ready empty full alone correct wrong paid available red blue green yellow black white'.split(
    ' ',
  );

/** No one says "my station" or "the coffees". */
function isFit({ texts: { english } }: Pattern, { tags, many }: Noun): boolean {
  if (/plural/i.test(english) && !many) return false;
  if (english.includes('{my}')) return tags.some(tag => MINE.includes(tag));
  if (english.includes('{your}')) return tags.some(tag => YOURS.includes(tag));
  return true;
}

const MINE = ['thing', 'clothes', 'own', 'mine', 'room', 'furniture', 'drink', 'dish'];
const YOURS = ['thing', 'clothes', 'own', 'room', 'service', 'drink', 'dish'];

function composeAttribute(draw: Draw, values: Values): InEach {
  const find = () => {
    const attribute = draw.pick(ATTRIBUTES);
    return [draw.pick(ATTRIBUTE_PATTERNS), { attribute, noun: draw.pick(nounsOf(attribute.tags)) }] as const;
  };
  const toKey = ({ attribute, noun }: ReturnType<typeof find>[1]) =>
    `${attribute.english} ${noun.one.english}`;
  const [pattern, { attribute, noun }] = drawPair(draw, find, toKey);
  return write(draw, values, pattern, language => toAttributeForms(language, attribute, noun));
}

function composeBare(draw: Draw, values: Values): InEach {
  const find = () => [draw.pick(BARE), draw.pick(NOUNS)] as const;
  for (;;) {
    const [pattern, noun] = drawPair(draw, find, ({ one }) => one.english);
    if (isFit(pattern, noun)) return write(draw, values, pattern, language => toNounForms(language, noun));
  }
}

/** An opening before the phrase. Openings are not held out, so the held-out part adds a name. */
function composeGreeting(draw: Draw, values: Values): InEach {
  return write(draw, values, draw.pick(PERSONS.slice(0, 4)), () => ({}));
}

const joined = (first: InEach, second: InEach) =>
  inEach(language => `${first[language]} ${second[language]}`);

function write(draw: Draw, values: Values, pattern: Pattern, toForms: (language: Language) => Forms): InEach {
  const number = draw.pick(NUMBERS);
  const { day, days } = draw.pick(DAYS);
  const name = values.firstName();
  const n = String(pattern.texts.english.includes("o'clock") ? draw.integer(7, 11) : draw.integer(5, 80));
  return inEach(language => {
    const slots = { name, n, number: number[language], day: day[language], days: days[language] };
    const text = fill(pattern.texts[language], { ...slots, ...toForms(language) });
    return /[.?!]$/.test(text) ? startSentence(text) : text;
  });
}

const inEach = (write: (language: Language) => string): InEach =>
  Object.fromEntries(LANGUAGES.map(language => [language, write(language)])) as InEach;

/** Also after an opening mark, as in Spanish. */
const startSentence = (text: string) => text.replace(/\p{L}/u, letter => letter.toUpperCase());

const found = new Map<readonly string[], readonly Noun[]>();

function nounsOf(tags: readonly string[]): readonly Noun[] {
  const nouns = found.get(tags) ?? NOUNS.filter(noun => noun.tags.some(tag => tags.includes(tag)));
  found.set(tags, nouns);
  return nouns;
}
