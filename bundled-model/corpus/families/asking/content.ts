// Material for tasks that do not care what a text means: sentences, lists, codes, invented words.
import type { Draw } from '../../draw.js';
import { fill } from '../../fill.js';
import { nameAll, type Slots } from '../../intent.js';
import type { Values } from '../../values/index.js';
import { SENTENCES } from './sentences.js';
import { ADJECTIVES, NOUNS, VERBS } from './words.js';

export const drawNoun = (draw: Draw) => draw.value(NOUNS);
export const drawAdjective = (draw: Draw) => draw.value(ADJECTIVES);
export const drawVerb = (draw: Draw) => draw.value(VERBS);

/** Slots that the sentence templates of these families may use. */
export const SLOTS: Slots = {
  noun: drawNoun,
  noun2: drawNoun,
  noun3: drawNoun,
  adjective: drawAdjective,
  adjective2: drawAdjective,
  verbed: drawVerb,
  verbed2: drawVerb,
  name: (_, values) => values.firstName(),
  name2: (_, values) => values.firstName(),
  person: (_, values) => values.fullName(),
  company: (_, values) => values.company(),
  product: (_, values) => values.product(),
  city: (_, values) => values.city(),
  street: (_, values) => values.street(),
  email: (_, values) => values.email(),
  phone: (_, values) => values.phone(),
  order: (_, values) => values.orderNumber(),
  code: (_, values) => values.code(),
  amount: (_, values) => values.amount(),
  date: (_, values) => values.date(),
  time: (_, values) => values.time(),
  word: (_, values) => values.word(),
  word2: (_, values) => values.word(),
  word3: (_, values) => values.word(),
  count: draw => String(draw.integer(2, 12)),
};

/** One sentence with its values. */
export function drawSentence(draw: Draw, values: Values, templates: readonly string[] = SENTENCES): string {
  return toArticles(fillSlots(draw, values, draw.wording(templates)));
}

/** The template with a new value in each slot. */
export function fillSlots(draw: Draw, values: Values, template: string): string {
  return fill(template, nameAll(template, draw, values, SLOTS));
}

/** "a apple" becomes "an apple". */
export const toArticles = (text: string) => text.replace(/\b(a) (?=[aeio]|u(?!ni)|honest)/gi, '$1n ');

/** A value that must be copied letter by letter. */
export function drawToken(draw: Draw, values: Values): string {
  const make = draw.pick([
    values.code,
    values.code,
    values.orderNumber,
    values.word,
    values.word,
    values.accountNumber,
    values.username,
    values.email,
    values.domain,
    values.phone,
    values.amount,
    values.date,
    values.time,
    values.street,
    () => drawVersion(draw),
    () => drawFileName(draw, values),
  ]);
  return make();
}

const drawVersion = (draw: Draw) =>
  draw.value(() => `v${draw.integer(0, 19)}.${draw.integer(0, 30)}.${draw.integer(0, 99)}`);

const FILE_ENDINGS = ['txt', 'csv', 'pdf', 'png', 'json', 'log', 'zip', 'docx', 'xlsx', 'md'];

const drawFileName = (draw: Draw, values: Values) =>
  `${draw.chance(0.5) ? values.word() : `${drawNoun(draw)}_${draw.integer(1, 99)}`}.${draw.pick(FILE_ENDINGS)}`;

/** A plain word, an invented one or a name, without accents or spaces. */
export function drawWord(draw: Draw, values: Values): string {
  const kind = draw.integer(0, 9);
  if (kind < 5) return drawNoun(draw);
  if (kind < 7) return drawAdjective(draw);
  if (kind < 9) return values.word();
  return drawPlainName(values);
}

export function drawPlainName(values: Values): string {
  for (;;) {
    const name = values.firstName();
    if (/^[A-Z][a-z]+$/.test(name)) return name;
  }
}

/** Distinct ones, ignoring case. */
export function drawDistinct(count: number, make: () => string): string[] {
  const found = new Map<string, string>();
  while (found.size < count) {
    const made = make();
    found.set(made.toLowerCase(), made);
  }
  return [...found.values()];
}

export function drawWithout(mark: string, make: () => string): string {
  for (;;) {
    const made = make();
    if (!made.includes(mark)) return made;
  }
}
