// Invented words. They ignore parts; callers check the part of the whole value.
import type { Draw } from '../draw.js';
import { CODAS, ENDINGS, ONSETS, VOWELS } from './lists/syllables.js';

/** Samples must not contain insults or slurs by accident. */
const UNWANTED =
  /anus|arse|bitch|clit|cock|coon|crap|cum|cunt|dick|dyke|fag|fuc|fuk|gook|homo|jap|kike|kkk|nazi|nig|peni|piss|poo|puss|rape|rapi|sex|shit|slut|spic|tard|tit|turd|twat|vag|wank|whor/;

/** Two or three syllables, 4 to 9 letters. */
export function inventWord(draw: Draw): string {
  for (;;) {
    const middle = draw.chance(0.3) ? draw.pick(ONSETS) + draw.pick(VOWELS) : '';
    const coda = draw.chance(0.6) ? draw.pick(CODAS) : draw.pick(ONSETS);
    const ending = draw.chance(0.8) ? draw.pick(ENDINGS) : '';
    const word = draw.pick(ONSETS) + draw.pick(VOWELS) + middle + coda + ending;
    if (word.length >= 4 && word.length <= 9 && isWanted(word)) return word;
  }
}

const isWanted = (word: string) => /[aeiouy][^aeiouy]{0,3}$/.test(word) && !UNWANTED.test(word);

export const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** The form used in addresses: lower case, no accents, only letters and digits. */
export function toPlain(text: string): string {
  const special: Record<string, string> = { ø: 'o', ł: 'l', ß: 'ss', ı: 'i', đ: 'd', æ: 'ae' };
  return text
    .toLowerCase()
    .replace(/[øłßıđæ]/g, letter => special[letter]!)
    .normalize('NFD')
    .replace(/[^a-z0-9]/g, '');
}
