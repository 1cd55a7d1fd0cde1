// Texts to copy. The more kinds there are, the less the model can guess.
import type { Draw } from '../../draw.js';
import type { Values } from '../../values/index.js';
import { drawDistinct, drawNoun, drawSentence, drawToken, drawWord, fillSlots } from '../asking/content.js';
import { SENTENCES } from '../asking/sentences.js';
import { makeUnguessable } from '../asking/unguessable.js';

/** One line of any kind. */
export function drawLine(draw: Draw, values: Values): string {
  const kind = draw.integer(0, 15);
  if (kind < 4) return drawSentence(draw, values);
  if (kind < 6) return drawToken(draw, values);
  if (kind < 7) return drawTokens(draw, values, 2, 4).join(draw.pick([' ', ', ', ' / ', ' | ', '; ']));
  if (kind < 9) return drawWords(draw, values, 2, 7).join(' ');
  if (kind < 10) return drawMixed(draw, values).join(' ');
  if (kind < 11) return drawRecord(draw, values);
  if (kind < 12) return `${drawSentence(draw, values)} ${drawSentence(draw, values)}`;
  const drawUnguessable = () =>
    fillSlots(draw, values, makeUnguessable(draw, values, draw.wording(SENTENCES)));
  return Array.from({ length: draw.pick([1, 1, 2, 3]) }, drawUnguessable).join(' ');
}

export function drawTokens(draw: Draw, values: Values, low: number, high: number): string[] {
  return drawDistinct(draw.integer(low, high), () => drawToken(draw, values));
}

/** Words without spaces or marks, each once. */
export function drawWords(draw: Draw, values: Values, low: number, high: number): string[] {
  return drawDistinct(draw.integer(low, high), () => drawWord(draw, values));
}

/** Words and codes mixed. */
function drawMixed(draw: Draw, values: Values): string[] {
  return drawDistinct(draw.integer(3, 6), () =>
    draw.pick([values.word, values.code, () => drawNoun(draw)])(),
  );
}

const FIELDS: readonly (readonly [string, keyof Values])[] = [
  ['Name', 'fullName'],
  ['City', 'city'],
  ['Order', 'orderNumber'],
  ['Phone', 'phone'],
  ['Code', 'code'],
  ['Date', 'date'],
  ['Time', 'time'],
  ['Total', 'amount'],
  ['Company', 'company'],
  ['Item', 'product'],
];

/** "Name: Mara Holt, Code: K7Q2" */
function drawRecord(draw: Draw, values: Values): string {
  const fields = draw
    .sample(FIELDS, draw.integer(2, 3))
    .map(([label, value]) => `${label}: ${values[value]()}`);
  return fields.join(draw.pick([', ', '; ', ' | ']));
}
