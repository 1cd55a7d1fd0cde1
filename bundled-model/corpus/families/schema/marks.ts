// Signs of where a value goes in a format.
import type { Draw } from '../../draw.js';
import type { Keys } from '../texts/keys.js';
import type { Format } from './format.js';

export type Mark = (word: string) => string;

/** They hold the word for the value. */
const MARKS: readonly Mark[] = [
  word => `<${word}>`,
  word => `<${word}>`,
  word => `<${word}>`,
  word => `[${word}]`,
  word => `[${word}]`,
  word => `{${word}}`,
  word => `{${word}}`,
  word => `(${word})`,
  word => word.toUpperCase(),
  word => `{{${word}}}`,
  word => `$${word.replaceAll(' ', '_')}`,
  word => `%${word}%`,
  word => `_${word}_`,
  word => `<${word.replaceAll(' ', '-')}>`,
  word => `<the ${word}>`,
  word => word,
  word => `@${word.replaceAll(' ', '_')}`,
  word => `«${word}»`,
];

const BLANKS: readonly string[] = ['...', '___', '<...>', '?', 'XXX', '[ ]', '…', '<value>'];

/** Blanks only where keys say what goes there, and no sign that the format has as well. */
export function makeMarks(draw: Draw, phrases: readonly string[], keys: Keys, format: Format): string[] {
  if (format.hasKeys && !keys.areInvented && draw.chance(0.35)) {
    const blank = draw.pick(BLANKS);
    return phrases.map(() => blank);
  }
  const bare = format.render(phrases.map(() => ''));
  const clear = MARKS.filter(mark => ![...mark('').replace('the ', '')].some(sign => bare.includes(sign)));
  return phrases.map(draw.pick(clear.length > 0 ? clear : MARKS));
}
