// Things in a fixed order: days, months, letters.
import { readTexts } from '../../texts.js';
import data from './calendar.json' with { type: 'json' };
import { type Fact, inOrder, type Topic, turnAround } from './topic.js';

const texts = readTexts(data);

const { DAYS, MONTHS, ORDINALS, NUMBERS } = texts;

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The first follows the last. */
const around = (things: readonly string[]) => inOrder([...things, things[0]!]);

/** Days and months together: the thing shows which is meant. */
const FOLLOWING = [...around(DAYS), ...around(MONTHS)];

export const next: Topic = { ...texts.next, facts: FOLLOWING };
export const previous: Topic = { ...texts.previous, facts: turnAround(FOLLOWING) };
export const tomorrow: Topic = { ...texts.tomorrow, facts: around(DAYS) };
export const yesterday: Topic = { ...texts.yesterday, facts: turnAround(around(DAYS)) };

export const monthNumbers: Topic = {
  ...texts.monthNumbers,
  facts: MONTHS.map((right, i): Fact => ({ thing: ORDINALS[i]!, right })),
};

export const monthLengths: Topic = {
  ...texts.monthLengths,
  facts: MONTHS.filter(month => month !== 'February').map(
    (thing): Fact => ({ thing, right: /^(April|June|September|November)$/.test(thing) ? '30' : '31' }),
  ),
};

export const nextLetters: Topic = { ...texts.nextLetters, facts: inOrder(LETTERS) };
export const previousLetters: Topic = { ...texts.previousLetters, facts: turnAround(inOrder(LETTERS)) };

/** "Monday, Tuesday and Wednesday". */
function enumerate(things: readonly string[]): string {
  return `${things.slice(0, -1).join(', ')} and ${things.at(-1)}`;
}

/** The first two, three and so on of a row, up to all of them. */
function starts(row: readonly string[], name: string): Fact[] {
  const some = NUMBERS.slice(0, row.length - 2).map((number, i): Fact => {
    return { thing: `first ${number} ${name}`, right: enumerate(row.slice(0, i + 2)) };
  });
  return [...some, { thing: name, right: enumerate(row) }];
}

export const rows: Topic = {
  ...texts.rows,
  facts: [
    ...starts(DAYS, 'days of the week'),
    ...starts(MONTHS, 'months of the year'),
    ...starts(LETTERS, 'letters of the alphabet'),
  ],
};
