// Field names as programs write them: words joined in different styles, or invented names.
import type { Draw } from '../../draw.js';
import type { Values } from '../../values/index.js';
import type { Field } from './fields.js';

export interface Keys {
  /** One for each field. */
  names: string[];
  /** Whether the prompt must explain them, because the names say nothing. */
  areInvented: boolean;
}

type Style = (words: readonly string[]) => string;

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const STYLES: readonly Style[] = [
  words => words.join('_'),
  words => words.join('_'),
  words => words.join('_'),
  words => words.map((word, i) => (i === 0 ? word : capitalize(word))).join(''),
  words => words.map((word, i) => (i === 0 ? word : capitalize(word))).join(''),
  words => words.join('-'),
  words => words.map(capitalize).join(''),
  words => words.join('_').toUpperCase(),
  words => words.map(capitalize).join(' '),
  words => words.join(' '),
];

export function makeKeys(draw: Draw, values: Values, fields: readonly Field[]): Keys {
  for (;;) {
    const areInvented = draw.chance(0.2);
    const names = areInvented ? inventKeys(draw, values, fields.length) : styleKeys(draw, fields);
    if (new Set(names).size === names.length) return { names, areInvented };
  }
}

function styleKeys(draw: Draw, fields: readonly Field[]): string[] {
  const style = draw.pick(STYLES);
  return fields.map(({ phrase }) => style(phrase.split(/[ -]/)));
}

function inventKeys(draw: Draw, values: Values, count: number): string[] {
  const prefix = draw.pick(['f', 'k', 'field', 'x', 'v', 'slot_', 'P', 'col']);
  const make = draw.pick([
    () => values.word(),
    () => values.word(),
    (at: number) => prefix + (at + 1),
    (at: number) => 'abcdefgh'[at]!,
    () => values.word().slice(0, 3).toUpperCase(),
  ]);
  return Array.from({ length: count }, (_, at) => make(at));
}
