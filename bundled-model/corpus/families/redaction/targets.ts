// What may have to go from a text, and what it is called.
import type { Draw } from '../../draw.js';
import type { Kind } from '../texts/kinds.js';
import type { Passage } from '../texts/passage.js';

export interface Target {
  kinds: readonly Kind[];
  /** Its words in the plural. */
  words: readonly string[];
  /** Words for a tag. */
  tags: readonly string[];
}

export const TARGETS: readonly Target[] = [
  {
    kinds: ['name', 'other'],
    words: ['names', 'all names', 'names of people', 'personal names', 'the names of persons'],
    tags: ['name', 'person', 'who', 'human', 'full name', 'nm'],
  },
  {
    kinds: ['email'],
    words: ['emails', 'email addresses', 'mail addresses'],
    tags: ['email', 'mail', 'e-mail', 'em'],
  },
  {
    kinds: ['phone'],
    words: ['phone numbers', 'telephone numbers', 'phones'],
    tags: ['phone', 'tel', 'phone number', 'ph'],
  },
  {
    kinds: ['street'],
    words: ['street addresses', 'streets with their house numbers', 'streets'],
    tags: ['street', 'address', 'addr'],
  },
  {
    kinds: ['city', 'origin'],
    words: ['cities', 'city names', 'names of cities'],
    tags: ['city', 'town', 'place'],
  },
  { kinds: ['company'], words: ['companies', 'company names', 'firms'], tags: ['company', 'firm', 'org'] },
  { kinds: ['product'], words: ['products', 'product names'], tags: ['product', 'thing', 'article'] },
  { kinds: ['order'], words: ['order numbers'], tags: ['order', 'id', 'ref', 'nr'] },
  { kinds: ['code'], words: ['codes'], tags: ['code', 'key', 'secret'] },
  { kinds: ['date'], words: ['dates', 'all dates'], tags: ['date', 'day', 'when'] },
  { kinds: ['time'], words: ['times', 'times of day'], tags: ['time', 'hour'] },
  {
    kinds: ['amount'],
    words: ['amounts', 'amounts of money', 'sums of money'],
    tags: ['amount', 'money', 'sum'],
  },
];

const PERSONAL: readonly Kind[] = ['name', 'email', 'phone', 'street'];

/** One to three that the passage has for the most part, or all that is personal, which the prompt then spells out. */
export function chooseTargets(draw: Draw, { facts }: Passage): readonly Target[] {
  if (draw.chance(0.2)) return TARGETS.filter(({ kinds }) => PERSONAL.includes(kinds[0]!));
  const isThere = ({ kinds }: Target) => kinds.some(kind => facts[kind] !== undefined);
  const present = draw.sample(TARGETS.filter(isThere), draw.pick([1, 1, 1, 2, 2, 3]));
  const absent = draw.chance(present.length > 1 ? 0.15 : 0.3) || present.length === 0;
  const chosen = absent ? [...present, draw.pick(TARGETS.filter(target => !isThere(target)))] : present;
  // Now and then there is nothing to be done.
  return absent && draw.chance(0.15) ? chosen.slice(-1) : draw.shuffle(chosen);
}

/** Orders and codes are called as the theme has it, such as "booking numbers". */
export function nameTarget(draw: Draw, { kinds, words }: Target, { theme }: Passage): string {
  const [kind] = kinds;
  const special = kind === 'order' || kind === 'code' ? theme.phrases[kind]?.[0] : undefined;
  return special ? `${special}s` : draw.pick(words);
}
