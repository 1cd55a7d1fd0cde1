// Marks that show where a value goes in a format.
import type { Draw } from '../../draw.js';
import type { Keys } from '../texts/keys.js';
import type { Format } from './format.js';

type Mark = (word: string) => string;

/** Marks that contain the word for the value. */
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

/** Blanks only where keys name the values, and no mark that the format itself contains. */
export function makeMarks(draw: Draw, phrases: readonly string[], keys: Keys, format: Format): string[] {
  if (format.hasKeys && !keys.areInvented && draw.chance(0.35)) {
    const blank = draw.pick(BLANKS);
    return phrases.map(() => blank);
  }
  const bare = format.render(phrases.map(() => ''));
  const clear = MARKS.filter(mark => ![...mark('').replace('the ', '')].some(sign => bare.includes(sign)));
  return phrases.map(draw.pick(clear.length > 0 ? clear : MARKS));
}
