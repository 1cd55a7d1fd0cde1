// Values that follow a pattern: telephone, order and account numbers.
import type { Draw } from '../draw.js';

const LETTERS = [...'ABCDEFGHJKLMNPQRSTUVWXYZ'];

/** Replaces `#` with digits and `?` with letters. No run of digits starts with a zero. */
export function fillShape(draw: Draw, shape: string): string {
  const digits = (run: string) =>
    String(draw.integer(1, 9)) + [...run.slice(1)].map(() => draw.integer(0, 9)).join('');
  return shape.replace(/#+/g, digits).replace(/\?/g, () => draw.pick(LETTERS));
}
