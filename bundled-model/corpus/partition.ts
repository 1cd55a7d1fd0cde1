// Which part may use a value or wording. The text alone decides, so lists can grow without anything changing sides, and
// held-out text never appears in training, whichever list it is in.

/** `practice` is for the example data sets that adapters are tuned on. Both sides have a held-out part. */
export type Part = 'train' | 'held-out' | 'practice' | 'practice-held-out';

/** Percentages of entity values, such as names and numbers. */
const VALUE_SHARES: readonly (readonly [Part, number])[] = [
  ['train', 60],
  ['held-out', 10],
  ['practice', 20],
  ['practice-held-out', 10],
];

const HELD_OUT_WORDINGS = 12;

/** The part that a value belongs to, ignoring case. */
export function partOfValue(value: string): Part {
  let left = hash(`value:${value.toLowerCase()}`) % 100;
  for (const [part, share] of VALUE_SHARES) {
    if (left < share) return part;
    left -= share;
  }
  return 'train';
}

/** Whether a sentence template is held out. */
export function isHeldOutWording(template: string): boolean {
  return hash(`wording:${template}`) % 100 < HELD_OUT_WORDINGS;
}

/** FNV-1a with one more mixing step. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}
