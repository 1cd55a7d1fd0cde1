// The kinds of values in a text. Each kind has a slot of the same name, such as `{order}`.
import type { Draw } from '../../draw.js';
import type { Values } from '../../values/index.js';
import { ITEMS } from './items.js';

export const KINDS = [
  'name',
  'other',
  'email',
  'phone',
  'street',
  'city',
  'origin',
  'company',
  'product',
  'item',
  'order',
  'code',
  'amount',
  'date',
  'day',
  'time',
  'count',
  'room',
] as const;

export type Kind = (typeof KINDS)[number];
/** The kind with this name in a data file. */
export function toKind(name: string): Kind {
  const kind = KINDS.find(known => known === name);
  if (!kind) throw new Error(`There is no kind of value named "${name}".`);
  return kind;
}

/** Checks a group from a data file whose names are kinds. */
export function byKind<T>(group: Readonly<Record<string, T>>): Partial<Record<Kind, T>> {
  return Object.fromEntries(Object.entries(group).map(([name, entry]) => [toKind(name), entry]));
}

export type Facts = Partial<Record<Kind, string>>;

/** Kinds that one word can mean, such as "place" or "who". */
const ALIKE: readonly (readonly Kind[])[] = [
  ['name', 'other'],
  ['city', 'origin', 'street', 'room'],
  ['product', 'item'],
  ['order', 'code'],
  ['date', 'day'],
];

const alikes = new Map(
  KINDS.map(kind => [
    kind,
    ALIKE.flatMap(group => (group.includes(kind) ? group.filter(other => other !== kind) : [])),
  ]),
);

/** Kinds that a reader could confuse with this one. */
export const alike = (kind: Kind): readonly Kind[] => alikes.get(kind)!;

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** A new value. An email address fits the name in `facts`. */
export function makeValue(kind: Kind, draw: Draw, values: Values, facts: Facts = {}): string {
  const person = () => (draw.chance(0.6) ? values.fullName() : values.firstName());
  const make: Record<Kind, () => string> = {
    name: person,
    other: person,
    email: () => values.email(facts.name),
    phone: values.phone,
    street: values.street,
    city: values.city,
    origin: values.city,
    company: values.company,
    product: values.product,
    item: () => draw.value(ITEMS),
    order: values.orderNumber,
    code: values.code,
    amount: values.amount,
    date: values.date,
    day: () => draw.pick(WEEKDAYS),
    time: values.time,
    count: () => String(draw.integer(2, 60)),
    room: () => draw.value(() => makeRoom(draw)),
  };
  for (;;) {
    const made = make[kind]();
    if (!made.endsWith('.')) return made;
  }
}

function makeRoom(draw: Draw): string {
  const number = String(draw.integer(1, 499));
  if (draw.chance(0.5)) return number;
  return draw.pick([...'ABCDEFG']) + draw.pick(['', '-', '.']) + number;
}

/** The slots of a template, each once. */
export const slotsOf = (template: string): Kind[] => [
  ...new Set(Array.from(template.matchAll(/\{(\w+)\}/g), match => match[1] as Kind)),
];

/** A value of each of these kinds. */
export function makeFacts(draw: Draw, values: Values, kinds: readonly Kind[]): Facts {
  const facts: Facts = {};
  for (const kind of KINDS) if (kinds.includes(kind)) facts[kind] = makeValue(kind, draw, values, facts);
  return facts;
}
