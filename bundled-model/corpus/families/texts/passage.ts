// A text to work on: some sentences of one theme, with at most one value of each kind. It keeps its template, so that
// its slots can be filled again with the same values or with others.
import type { Draw } from '../../draw.js';
import { fill } from '../../fill.js';
import { addTypos } from '../../noise.js';
import type { Values } from '../../values/index.js';
import { makeUnguessable } from '../asking/unguessable.js';
import { CONTACTS, GREETINGS, INTRODUCTIONS, REMARKS, SIGN_OFFS } from './frames.js';
import { type Facts, type Kind, makeFacts, slotsOf } from './kinds.js';
import type { Theme } from './theme.js';
import { THEMES } from './themes/index.js';

export interface Passage {
  theme: Theme;
  /** Its sentences, with a slot for each value. */
  template: string;
  facts: Facts;
  text: string;
}

interface PassageOptions {
  theme?: Theme;
  /** How many sentences of the theme follow the first. */
  details?: number;
  /** Minimum number of values. Not for a given theme, whose held-out sentences may have fewer. */
  least?: number;
  /** Without greeting, contact details and so on. */
  bare?: boolean;
  /** Probability that its words are replaced by ones that cannot be guessed. */
  unguessable?: number;
}

export function makePassage(draw: Draw, values: Values, options: PassageOptions = {}): Passage {
  for (;;) {
    const theme = options.theme ?? draw.pick(THEMES);
    const plain = makeTemplate(draw, theme, options);
    const isUnguessable =
      slotsOf(plain).every(kind => TELLING.includes(kind)) && draw.chance(options.unguessable ?? 0);
    const template = isUnguessable ? makeUnguessable(draw, values, plain) : plain;
    if (slotsOf(template).length < (options.least ?? 0)) continue;
    return { theme, template, ...fillClearly(draw, values, template) };
  }
}

/** Kinds that are recognizable by their form, whatever the words around them. */
const TELLING: readonly Kind[] = [
  'name',
  'email',
  'phone',
  'street',
  'city',
  'company',
  'amount',
  'date',
  'time',
];

/** The kinds of its values, in the order of the text. */
export const kindsOf = (passage: Passage): Kind[] => slotsOf(passage.template);

function makeTemplate(draw: Draw, theme: Theme, options: PassageOptions): string {
  const sentences = createSentences(draw);
  sentences.add(theme.openings);
  const details = options.details ?? draw.pick([0, 1, 1, 2, 2]);
  for (let i = 0; i < details; i++) sentences.add(theme.details);
  if (options.bare) return sentences.toString();
  const template = theme.voice === 'first' ? addFrame(draw, sentences) : sentences.toString();
  return draw.chance(0.3) ? addTypos(draw, template) : template;
}

interface Sentences {
  /** A template from the list that repeats no kind already used, unless a few draws find none. */
  add(list: readonly string[]): boolean;
  first(list: readonly string[]): void;
  toString(): string;
}

function createSentences(draw: Draw): Sentences {
  const chosen: string[] = [];
  const find = (list: readonly string[]) => {
    const taken = chosen.flatMap(slotsOf);
    const closed = [...taken, ...taken.flatMap(kind => UNMIXED[kind] ?? [])];
    return Array.from({ length: 4 }, () => draw.wording(list)).find(
      template => !chosen.includes(template) && !slotsOf(template).some(kind => closed.includes(kind)),
    );
  };
  const addAt = (at: number, list: readonly string[]) => {
    const found = find(list);
    if (found !== undefined) chosen.splice(at, 0, found);
    return found !== undefined;
  };
  return {
    add: list => addAt(chosen.length, list),
    first: list => void addAt(0, list),
    toString: () => chosen.join(' '),
  };
}

/** If a text has the kind on the left, it has none of those on the right. */
const UNMIXED: Partial<Record<Kind, readonly Kind[]>> = {
  product: ['item'],
  item: ['product'],
  date: ['day'],
  day: ['date'],
};

function addFrame(draw: Draw, sentences: Sentences): string {
  if (draw.chance(0.25)) sentences.first(INTRODUCTIONS);
  if (draw.chance(0.35)) sentences.add(CONTACTS);
  if (draw.chance(0.25)) sentences.add(REMARKS);
  const signOff = draw.chance(0.4) ? draw.wording(SIGN_OFFS) : '';
  const isSigned = signOff !== '' && !slotsOf(sentences.toString()).includes('name');
  const greeting = draw.chance(0.3) ? draw.wording(GREETINGS) + draw.pick(['\n', ' ', '\n\n']) : '';
  return greeting + sentences.toString() + (isSigned ? draw.pick(['\n', '\n', '\n\n', ' ']) + signOff : '');
}

/** Values that occur only in their own slots; otherwise a question would be ambiguous. */
export function fillClearly(draw: Draw, values: Values, template: string): Pick<Passage, 'facts' | 'text'> {
  const wanted = slotsOf(template);
  for (;;) {
    const facts = makeFacts(draw, values, wanted);
    const text = fill(template, facts as Record<string, string>);
    if (wanted.every(kind => countOf(text, facts[kind]!) === template.split(`{${kind}}`).length - 1))
      return { facts, text };
  }
}

/** How often a value occurs in a text as whole words. */
export function countOf(text: string, value: string): number {
  let count = 0;
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length))
    if (!isWordPart(text[at - 1]) && !isWordPart(text[at + value.length])) count++;
  return count;
}

const isWordPart = (character: string | undefined) => character !== undefined && /[\p{L}\d]/u.test(character);

/** Whether someone with this name or first name is in the text. */
export const isNamedIn = (text: string, name: string): boolean =>
  text.includes(name) || countOf(text, name.split(' ')[0]!) > 0;
