// Fields with the words for them, and further texts that clearly have or lack the same fields.
import type { Draw } from '../../draw.js';
import type { Values } from '../../values/index.js';
import { alike, KINDS, type Kind } from './kinds.js';
import { kindsOf, makePassage, type Passage } from './passage.js';
import { phrasesFor, phrasesOf } from './phrases.js';

export interface Field {
  kind: Kind;
  /** The words for it, such as "order number". */
  phrase: string;
}

interface FieldOptions {
  /** Maximum number. */
  most: number;
  /** Probability that one of them is not in the text. */
  missing: number;
}

/** Some values of the passage, perhaps with one that it lacks, in random order. */
export function chooseFields(draw: Draw, passage: Passage, { most, missing }: FieldOptions): Field[] {
  const present = kindsOf(passage);
  const some = draw.sample(present, draw.integer(Math.min(2, most, present.length), most));
  const absent = KINDS.filter(kind => isAbsent(kind, passage) && phrasesOf(kind, passage).length > 0);
  const kinds = draw.chance(missing) ? draw.shuffle([...some, draw.pick(absent)]) : some;
  const phrases = phrasesFor(draw, kinds, passage);
  return kinds.map((kind, i) => ({ kind, phrase: phrases[i]! }));
}

/** Not in the text, and not easily mistaken for something that is. */
const isAbsent = (kind: Kind, { facts }: Passage): boolean =>
  [kind, ...alike(kind)].every(one => facts[one] === undefined);

/** Whether there is one right answer for each field in this text. */
const fits = (passage: Passage, fields: readonly Field[]): boolean =>
  fields.some(({ kind }) => passage.facts[kind] !== undefined) &&
  fields.every(
    ({ kind, phrase }) =>
      isAbsent(kind, passage) ||
      (passage.facts[kind] !== undefined && phrasesOf(kind, passage).includes(phrase)),
  );

/** The passage and others of its theme with the same fields, up to three in all. */
export function makeMore(draw: Draw, values: Values, passage: Passage, fields: readonly Field[]): Passage[] {
  const found = [passage];
  for (let tries = 0; tries < 8 && found.length < 3; tries++) {
    const more = makePassage(draw, values, { theme: passage.theme, bare: draw.chance(0.5) });
    if (fits(more, fields)) found.push(more);
  }
  return found;
}
