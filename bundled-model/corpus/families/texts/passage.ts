// A text to work on: some sentences of one theme, with one value at most of each kind. It keeps its template, so that
// the values can be put in once more, or other things in their place.
import type { Draw } from '../../draw.js';
import { fill } from '../../fill.js';
import { smudge } from '../../noise.js';
import type { Values } from '../../values/index.js';
import { makeStrange } from '../asking/strange.js';
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

export interface Wishes {
  theme?: Theme;
  /** How many sentences of the theme follow the first. */
  details?: number;
  /** How many values it has at least; not for a given theme, which may have no such sentences held out. */
  least?: number;
  /** Without greeting, contact and the like. */
  bare?: boolean;
  /** How likely its words are ones that nobody could guess. */
  strange?: number;
}

export function makePassage(draw: Draw, values: Values, wishes: Wishes = {}): Passage {
  for (;;) {
    const theme = wishes.theme ?? draw.pick(THEMES);
    const plain = makeTemplate(draw, theme, wishes);
    const isStrange =
      slotsOf(plain).every(kind => TELLING.includes(kind)) && draw.chance(wishes.strange ?? 0);
    const template = isStrange ? makeStrange(draw, values, plain) : plain;
    if (slotsOf(template).length < (wishes.least ?? 0)) continue;
    return { theme, template, ...fillClearly(draw, values, template) };
  }
}

/** Kinds that are known by their looks, whatever the words around them are. */
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

/** The kinds of the values that stand in it, in the order in which they do. */
export const kindsOf = (passage: Passage): Kind[] => slotsOf(passage.template);

function makeTemplate(draw: Draw, theme: Theme, wishes: Wishes): string {
  const sentences = createSentences(draw);
  sentences.add(theme.openings);
  const details = wishes.details ?? draw.pick([0, 1, 1, 2, 2]);
  for (let i = 0; i < details; i++) sentences.add(theme.details);
  if (wishes.bare) return sentences.toString();
  const template = theme.voice === 'first' ? addFrame(draw, sentences) : sentences.toString();
  return draw.chance(0.3) ? smudge(draw, template) : template;
}

interface Sentences {
  /** One of the list that has no value of a kind already there, unless none is found soon. */
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

/** A text that has one of these has none of the others. */
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

/** Values that stand nowhere but in their own slots: otherwise nobody could tell what a question means. */
export function fillClearly(draw: Draw, values: Values, template: string): Pick<Passage, 'facts' | 'text'> {
  const wanted = slotsOf(template);
  for (;;) {
    const facts = makeFacts(draw, values, wanted);
    const text = fill(template, facts as Record<string, string>);
    if (wanted.every(kind => countOf(text, facts[kind]!) === template.split(`{${kind}}`).length - 1))
      return { facts, text };
  }
}

/** How often a value stands in a text as words of its own. */
export function countOf(text: string, value: string): number {
  let count = 0;
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length))
    if (!isWordPart(text[at - 1]) && !isWordPart(text[at + value.length])) count++;
  return count;
}

const isWordPart = (character: string | undefined) => character !== undefined && /[\p{L}\d]/u.test(character);

/** Whether somebody of this name, or of the same first name, is in the text. */
export const isNamedIn = (text: string, name: string): boolean =>
  text.includes(name) || countOf(text, name.split(' ')[0]!) > 0;
