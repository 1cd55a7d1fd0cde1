// What the kinds of value are called, in whatever text: as words, for a question or the key of a field.
import type { Draw } from '../../draw.js';
import { alike, type Kind } from './kinds.js';
import type { Passage } from './passage.js';

const GENERAL: Record<Kind, readonly string[]> = {
  name: ['name', 'full name', 'person', 'name of the person'],
  other: [],
  email: ['email', 'email address', 'mail', 'mail address', 'e-mail', 'contact email'],
  phone: ['phone', 'phone number', 'telephone', 'telephone number', 'mobile', 'contact phone'],
  street: ['street', 'street address', 'address'],
  city: ['city', 'town', 'place'],
  origin: ['origin', 'starting city'],
  company: ['company', 'company name', 'firm', 'business'],
  product: ['product', 'product name', 'model'],
  item: ['item', 'thing', 'article'],
  order: ['order number', 'order', 'order id', 'id'],
  code: ['code'],
  amount: ['amount', 'sum', 'amount of money', 'price'],
  date: ['date', 'calendar date'],
  day: ['day', 'weekday', 'day of the week'],
  time: ['time', 'hour', 'time of day', 'clock time'],
  count: ['count'],
  room: ['room', 'room number'],
};

/** Words for this kind that mean nothing else in the passage. */
export function phrasesOf(kind: Kind, passage: Passage): readonly string[] {
  const special = passage.theme.phrases[kind] ?? [];
  const general = GENERAL[kind];
  if (alike(kind).every(other => passage.facts[other] === undefined)) return [...special, ...general];
  return special.length > 0 ? special : general.slice(0, 1);
}

/** Different words for different kinds. */
export function phrasesFor(draw: Draw, kinds: readonly Kind[], passage: Passage): string[] {
  for (;;) {
    const phrases = kinds.map(kind => draw.pick(phrasesOf(kind, passage)));
    if (new Set(phrases).size === phrases.length) return phrases;
  }
}
