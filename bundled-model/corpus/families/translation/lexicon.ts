// The rows of words and patterns, read once.
import { ADJECTIVE_ROWS, ATTRIBUTE_ROWS } from './adjectives.js';
import { NOUN_ROWS } from './nouns.js';
import { ATTRIBUTE_PATTERN_ROWS, BARE_ROWS, PATTERN_ROWS, PERSON_ROWS, PREDICATE_ROWS } from './patterns.js';
import { DAY_ROWS, NUMBER_ROWS, PHRASE_ROWS } from './phrases.js';

export const LANGUAGES = ['english', 'french', 'spanish', 'german'] as const;
export type Language = (typeof LANGUAGES)[number];
export type InEach<T = string> = Readonly<Record<Language, T>>;

/** The noun in each language, with its article except in English, and its plural if it has one. */
export interface Noun {
  tags: readonly string[];
  one: InEach;
  many: InEach | undefined;
}

export interface Adjective {
  tags: readonly string[];
  english: string;
  /** Masculine, feminine, and the plurals of both. */
  french: readonly [string, string, string, string];
  spanish: { verb: 'ser' | 'estar'; one: string; many: string };
  german: string;
}

export interface Attribute {
  tags: readonly string[];
  english: string;
  /** `vowel` is the masculine form before a vowel. */
  french: { isBefore: boolean; masculine: string; feminine: string; vowel: string };
  spanish: string;
  german: string;
}

export interface Pattern {
  tags: readonly string[];
  /** Tags of the second noun, if there is one. */
  tags2: readonly string[];
  texts: InEach;
}

const toRows = (rows: readonly string[]) => rows.map(row => row.split(' | '));

const toEach = (texts: readonly string[]): InEach => ({
  english: texts[0]!,
  french: texts[1]!,
  spanish: texts[2]!,
  german: texts[3]!,
});

const toTags = (text: string) => (text === '-' ? [] : text.split(' '));

export const NOUNS: readonly Noun[] = toRows(NOUN_ROWS).map(row => ({
  tags: toTags(row[2]!),
  one: toEach([row[0]!, row[3]!, row[5]!, row[7]!]),
  many: row[1] === '-' ? undefined : toEach([row[1]!, row[4]!, row[6]!, row[8]!]),
}));

export const ADJECTIVES: readonly Adjective[] = toRows(ADJECTIVE_ROWS).map(row => {
  const [masculine, feminine, masculines, feminines] = row[2]!.split('/') as [
    string,
    string,
    string?,
    string?,
  ];
  const [verb, form] = row[3]!.split(' ') as ['ser' | 'estar', string];
  const [one, many] = form.split('/') as [string, string?];
  return {
    tags: toTags(row[1]!),
    english: row[0]!,
    french: [masculine, feminine, masculines ?? `${masculine}s`, feminines ?? `${feminine}s`],
    spanish: { verb, one, many: many ?? one + (/[aeiou]$/.test(one) ? 's' : 'es') },
    german: row[4]!,
  };
});

export const ATTRIBUTES: readonly Attribute[] = toRows(ATTRIBUTE_ROWS).map(row => {
  const [place, forms] = row[2]!.split(' ') as [string, string];
  const [masculine, feminine, vowel] = forms.split('/') as [string, string, string];
  return {
    tags: toTags(row[1]!),
    english: row[0]!,
    french: { isBefore: place === 'before', masculine, feminine, vowel },
    spanish: row[3]!,
    german: row[4]!,
  };
});

const toPattern = (texts: readonly string[]): Pattern => ({ tags: [], tags2: [], texts: toEach(texts) });

export const PATTERNS: readonly Pattern[] = toRows(PATTERN_ROWS).map(row => ({
  tags: toTags(row[0]!),
  tags2: toTags(row[1]!),
  texts: toEach(row.slice(2)),
}));

export const PREDICATES = toRows(PREDICATE_ROWS).map(toPattern);
export const ATTRIBUTE_PATTERNS = toRows(ATTRIBUTE_PATTERN_ROWS).map(toPattern);
export const BARE = toRows(BARE_ROWS).map(toPattern);
export const PERSONS = toRows(PERSON_ROWS).map(toPattern);
export const PHRASES = toRows(PHRASE_ROWS).map(toPattern);

export const NUMBERS: readonly InEach[] = toRows(NUMBER_ROWS).map(toEach);

/** `day` is "Monday" in each language, `days` is "on Mondays". */
export const DAYS: readonly { day: InEach; days: InEach }[] = toRows(DAY_ROWS).map(row => ({
  day: toEach([row[0]!, row[2]!, row[3]!, row[5]!]),
  days: toEach([row[1]!, row[2]!, row[4]!, row[6]!]),
}));
