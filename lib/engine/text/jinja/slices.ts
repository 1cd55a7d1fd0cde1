// Positions in texts and lists, as Python counts them: from the end if they are negative, and in a text by characters.
import { hasPairs, isInteger, requireDefined, sequenceOf, Tuple, typeOf, type Value } from './values.js';

/** The characters of a text, or undefined if each takes one place. */
const split = (text: string) => (hasPairs(text) ? [...text] : undefined);

/** An item of a text, list or tuple; undefined if it has none there. */
export function itemAt(holder: Value, index: number): Value | undefined {
  const items = typeof holder === 'string' ? (split(holder) ?? holder) : sequenceOf(holder);
  return items?.[index < 0 ? index + items.length : index];
}

type Bound = Value | undefined;

/** `[start:stop:step]` */
export function slice(holder: Value, start: Bound, stop: Bound, step: Bound): Value {
  const text = typeof holder === 'string' ? holder : undefined;
  const items = text === undefined ? sequenceOf(holder) : (split(text) ?? text);
  requireDefined(holder);
  if (items === undefined) throw new Error(`'${typeOf(holder)}' object cannot be sliced`);
  const by = toBound(step) ?? 1;
  if (by === 0) throw new Error('slice step cannot be zero');
  const [least, most] = by > 0 ? [0, items.length] : [-1, items.length - 1];
  const place = (bound: number | undefined, otherwise: number) =>
    bound === undefined
      ? otherwise
      : Math.min(most, Math.max(least, bound < 0 ? bound + items.length : bound));
  const from = place(toBound(start), by > 0 ? least : most);
  const to = place(toBound(stop), by > 0 ? most : least);
  if (by === 1 && typeof items === 'string') return items.slice(from, to);
  const chosen: Value[] = [];
  for (let at = from; by > 0 ? at < to : at > to; at += by) chosen.push(items[at]!);
  if (text !== undefined) return chosen.join('');
  return holder instanceof Tuple ? new Tuple(chosen) : chosen;
}

function toBound(bound: Bound): number | undefined {
  if (bound === undefined || bound === null) return undefined;
  if (isInteger(bound)) return Number(bound);
  throw new Error('slice indices must be integers or None');
}

/** The part of a text between two positions, with the place in JavaScript's text where it begins. */
export function within(text: string, start: Value, stop: Value): { part: string; offset: number } {
  const part = slice(text, start, stop, null) as string;
  return { part, offset: start === null ? 0 : (slice(text, null, start, null) as string).length };
}

/** The number of characters before a place of JavaScript's text. */
export const countBefore = (text: string, place: number): number =>
  hasPairs(text) ? [...text.slice(0, place)].length : place;
