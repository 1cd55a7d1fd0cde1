// Numbers: orders, codes, accounts, amounts, dates and times.
import type { Draw } from '../draw.js';
import { fillShape } from './shapes.js';

const ORDER_SHAPES = [
  ...['###', '####', '#####', '######', '#######', '########', '#####', '######'],
  ...['#####', '####', '######'].map(digits => `#${digits}`),
  ...['?-####', '?-#####', '??-###', '??-####', '??-#####', '???-####', '?####', '??####', '??#####'],
  ...[
    'ORD-####',
    'ORD-#####',
    'PO-####',
    'PO#####',
    'SO-#####',
    'INV-####',
    'TCK-#####',
    'REF-####',
    'NR####',
  ],
  ...['##-####', '###-###', '####-##', '##-###-#', '####-####', '?##-###', '##?-####', '####?', '#####-?'],
];

export function drawOrderNumber(draw: Draw): string {
  return draw.value(() => {
    const shape = draw.pick(ORDER_SHAPES);
    const hash = /^#+$/.test(shape) && draw.chance(0.3) ? '#' : '';
    return hash + fillShape(draw, shape);
  });
}

const CODE_LETTERS = [...'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'];

/** One to three groups of two to five letters and digits. */
export function drawCode(draw: Draw): string {
  return draw.value(() => {
    const groups = draw.integer(1, 3);
    const size = groups === 1 ? draw.integer(5, 8) : draw.integer(2, groups === 2 ? 5 : 4);
    const group = () => Array.from({ length: size }, () => draw.pick(CODE_LETTERS)).join('');
    return Array.from({ length: groups }, group).join('-');
  });
}

const ACCOUNT_SHAPES = [
  '########',
  '##########',
  '#### #### ####',
  '##-##-##-####',
  'AC-######',
  '?? ## #### ####',
];

export const drawAccountNumber = (draw: Draw) => draw.value(() => fillShape(draw, draw.pick(ACCOUNT_SHAPES)));

const BEFORE = ['$', '$', '$', '€', '£', '¥', 'CHF ', 'US$', 'EUR ', 'USD ', 'GBP ', 'A$'];
const AFTER = [
  ' euros',
  ' dollars',
  ' pounds',
  ' €',
  ' EUR',
  ' USD',
  ' GBP',
  ' francs',
  ' kr',
  ' rupees',
  ' zł',
];

export function drawAmount(draw: Draw): string {
  return draw.value(() => {
    const size = draw.pick([20, 100, 100, 500, 2000, 20_000]);
    const whole = draw.integer(1, size);
    const grouped = whole >= 1000 && draw.chance(0.6) ? whole.toLocaleString('en-US') : String(whole);
    const cents = draw.chance(0.5) ? `.${String(draw.integer(0, 99)).padStart(2, '0')}` : '';
    return draw.chance(0.65) ? draw.pick(BEFORE) + grouped + cents : grouped + cents + draw.pick(AFTER);
  });
}

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

export const drawDate = (draw: Draw) => draw.value(() => makeDate(draw));

function makeDate(draw: Draw): string {
  const month = draw.integer(1, 12);
  const day = draw.integer(1, [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]!);
  const year = draw.integer(2012, 2029);
  const name = MONTHS[month - 1]!;
  const short = name.slice(0, 3);
  const two = (number: number) => String(number).padStart(2, '0');
  return draw.pick([
    `${name} ${day}`,
    `${name} ${day}, ${year}`,
    `${day} ${name}`,
    `${day} ${name} ${year}`,
    `${name} ${toOrdinal(day)}`,
    `the ${toOrdinal(day)} of ${name}`,
    `${short} ${day}`,
    `${day} ${short}`,
    `${day} ${short} ${year}`,
    `${year}-${two(month)}-${two(day)}`,
    `${two(day)}.${two(month)}.${year}`,
    `${day}.${month}.${year}`,
    `${two(day)}/${two(month)}/${year}`,
    `${month}/${day}/${year}`,
    `${day}/${month}`,
    `${two(day)}.${two(month)}.`,
  ]);
}

function toOrdinal(day: number): string {
  const ending = day > 10 && day < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `${day}${ending}`;
}

export const drawTime = (draw: Draw) => draw.value(() => makeTime(draw));

function makeTime(draw: Draw): string {
  const hour = draw.integer(1, 12);
  const minute = String(draw.chance(0.6) ? draw.integer(0, 11) * 5 : draw.integer(0, 59)).padStart(2, '0');
  const half = draw.pick(['am', 'pm']);
  const late = draw.integer(0, 23);
  return draw.pick([
    `${hour} ${half}`,
    `${hour}${half}`,
    `${hour}:${minute} ${half}`,
    `${hour}:${minute}${half}`,
    `${hour}.${minute} ${half}`,
    `${late}:${minute}`,
    `${String(late).padStart(2, '0')}:${minute}`,
    `${hour} o'clock`,
    `${late}h${minute}`,
  ]);
}
