// A sentence template with words that cannot be guessed: an answer that contains them must have copied them.
import type { Draw } from '../../draw.js';
import type { Values } from '../../values/index.js';
import { capitalize } from '../../values/words.js';
import { drawAdjective, drawNoun, drawVerb } from './content.js';
import { SENTENCES } from './sentences.js';

/** Small words that form no sentence: "the", "before", "nobody". */
const COMMON = [
  ...new Set(SENTENCES.flatMap(sentence => sentence.replace(/\{\w+\}/g, '').match(/[a-z]{2,}/g) ?? [])),
];

/** Slots and punctuation stay; some or all of the words change. */
export function makeUnguessable(draw: Draw, values: Values, template: string): string {
  const share = draw.pick([0.3, 0.6, 1]);
  const toOther = (word: string) => {
    if (!draw.chance(share)) return word;
    const other = drawOther(draw, values);
    return /^[A-Z]/.test(word) ? capitalize(other) : other;
  };
  return template.replace(/\{\w+\}|[A-Za-z][a-z']*/g, part => (part.startsWith('{') ? part : toOther(part)));
}

function drawOther(draw: Draw, values: Values): string {
  const kind = draw.integer(0, 9);
  if (kind < 4) return draw.pick(COMMON);
  if (kind < 6) return drawNoun(draw);
  if (kind < 7) return drawVerb(draw);
  if (kind < 8) return drawAdjective(draw);
  return values.word();
}
