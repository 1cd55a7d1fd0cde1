// Notations for times, dates and the like: the form in the texts, and the forms that a rule can ask for.
import type { Draw } from '../../draw.js';
import type { Values } from '../../values/index.js';

export interface Notation {
  /** Its name in a rule. */
  kind: string;
  /** A value as written in the texts. */
  draw(draw: Draw, values: Values): string;
  /** A value that shows the form unambiguously. */
  example: string;
  forms: readonly ((value: string) => string)[];
}

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

const two = (number: number) => String(number).padStart(2, '0');
const byColon = (form: (hour: string, minute: string) => string) => (time: string) => {
  const [hour, minute] = time.split(':') as [string, string];
  return form(hour, minute);
};
const byDay = (form: (day: string, month: string, year: string) => string) => (date: string) => {
  const [year, month, day] = date.split('-') as [string, string, string];
  return form(day, month, year);
};
const bySpace = (form: (first: string, second: string) => string) => (text: string) => {
  const [first, second] = text.split(' ') as [string, string];
  return form(first, second);
};

/** Names of two plain words, so that first name and surname are clear. */
function drawPerson(values: Values): string {
  for (;;) {
    const name = values.fullName();
    if (/^\p{L}+ \p{L}+$/u.test(name)) return name;
  }
}

/** By slot of the texts. */
export const NOTATIONS: Readonly<Record<string, Notation>> = {
  time: {
    kind: 'times',
    draw: draw => draw.value(() => `${two(draw.integer(10, 23))}:${two(draw.integer(0, 11) * 5)}`),
    example: '14:30',
    forms: [
      byColon((hour, minute) => `${hour}h${minute}`),
      byColon((hour, minute) => `${hour}.${minute}`),
      byColon((hour, minute) => `${hour}${minute}`),
      byColon((hour, minute) => `${hour}:${minute} Uhr`),
      byColon((hour, minute) => `${hour} h ${minute} min`),
      byColon((hour, minute) => `${hour}-${minute}`),
    ],
  },
  date: {
    kind: 'dates',
    draw: draw =>
      draw.value(() => `${draw.integer(2015, 2029)}-${two(draw.integer(1, 12))}-${two(draw.integer(1, 28))}`),
    example: '2023-03-25',
    forms: [
      byDay((day, month, year) => `${day}.${month}.${year}`),
      byDay((day, month, year) => `${day}/${month}/${year}`),
      byDay((day, month, year) => `${month}/${day}/${year}`),
      byDay((day, month, year) => `${year}${month}${day}`),
      byDay((day, month, year) => `${year}/${month}/${day}`),
      byDay((day, month, year) => `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`),
    ],
  },
  order: {
    kind: 'order numbers',
    draw: draw => draw.value(() => `#${draw.integer(1000, 99999)}`),
    example: '#1234',
    forms: [
      order => `Nr. ${order.slice(1)}`,
      order => `No. ${order.slice(1)}`,
      order => `[${order.slice(1)}]`,
      order => `ORD-${order.slice(1)}`,
      order => `N${order.slice(1)}`,
      order => `(${order.slice(1)})`,
      order => order.slice(1),
    ],
  },
  amount: {
    kind: 'amounts',
    draw: draw => draw.value(() => `$${draw.integer(2, 999)}`),
    example: '$25',
    forms: [
      amount => `${amount.slice(1)} dollars`,
      amount => `${amount.slice(1)} USD`,
      amount => `USD ${amount.slice(1)}`,
      amount => `${amount}.00`,
      amount => `${amount.slice(1)} $`,
      amount => `US${amount}`,
    ],
  },
  weight: {
    kind: 'weights',
    draw: draw => draw.value(() => `${draw.integer(2, 99)} kg`),
    example: '5 kg',
    forms: [
      bySpace(number => `${number} kilograms`),
      bySpace(number => `${number} kilos`),
      bySpace(number => `${number}kg`),
      bySpace(number => `${number} KG`),
    ],
  },
  percent: {
    kind: 'percentages',
    draw: draw => draw.value(() => `${draw.integer(2, 99)}%`),
    example: '20%',
    forms: [
      percent => `${percent.slice(0, -1)} percent`,
      percent => `${percent.slice(0, -1)} %`,
      percent => `${percent.slice(0, -1)} pct`,
      percent => `${percent.slice(0, -1)} per cent`,
    ],
  },
  phone: {
    kind: 'phone numbers',
    draw: draw => draw.value(() => `555-${draw.integer(1000, 9999)}`),
    example: '555-0142',
    forms: [
      phone => phone.replace('-', ' '),
      phone => phone.replace('-', '.'),
      phone => phone.replace('-', '/'),
      phone => phone.replace('-', ''),
      phone => `(555) ${phone.slice(4)}`,
    ],
  },
  person: {
    kind: 'names',
    draw: (_, values) => drawPerson(values),
    example: 'John Smith',
    forms: [
      bySpace((first, last) => `${last}, ${first}`),
      bySpace((first, last) => `${first[0]}. ${last}`),
      bySpace((first, last) => `${last} ${first}`),
      bySpace((first, last) => `${first} ${last.toUpperCase()}`),
      bySpace((first, last) => `${last.toUpperCase()}, ${first}`),
    ],
  },
};
