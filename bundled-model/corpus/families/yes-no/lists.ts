// Questions about lists: who or what is on them, in which order, and how many.
import type { Draw } from '../../draw.js';
import { fill } from '../../fill.js';
import type { Values } from '../../values/index.js';
import { type Kind, makeValue } from '../texts/kinds.js';
import { BEFORE, ENDS, HOW_MANY, LIST_TITLES, ON_LIST } from './wordings.js';
import type { YesNoQuestion } from './yes-no-question.js';

const TITLES: Partial<Record<Kind, readonly string[]>> = {
  name: ['guests', 'names', 'members', 'people', 'players', 'pupils', 'winners'],
  city: ['cities', 'stops', 'towns', 'places'],
  item: ['items', 'things', 'things to buy', 'presents'],
  product: ['products', 'articles', 'goods'],
  order: ['orders', 'open orders', 'numbers'],
  company: ['companies', 'clients', 'firms'],
  code: ['codes', 'keys', 'tickets'],
};

const JOINS: readonly ((list: readonly string[]) => string)[] = [
  list => list.join(', '),
  list => list.join(', '),
  list => `${list.slice(0, -1).join(', ')} and ${list.at(-1)}`,
  list => list.join('; '),
  list => list.join(' | '),
  list => `\n${list.map(entry => `- ${entry}`).join('\n')}`,
  list => `\n${list.map((entry, i) => `${i + 1}. ${entry}`).join('\n')}`,
  list => `\n${list.join('\n')}`,
];

export function readList(draw: Draw, values: Values): YesNoQuestion {
  const kind = draw.pick(Object.keys(TITLES) as Kind[]);
  const [stranger, ...entries] = drawApart(draw, values, kind, draw.integer(4, 8)) as [string, ...string[]];
  const slots = { title: draw.pick(TITLES[kind]!), list: draw.pick(JOINS)(entries) };
  const text = fill(draw.wording(LIST_TITLES), slots).replace(/: \n/, ':\n').replace(/ \n/, '\n');
  return { text, ask: isYes => draw.pick(QUESTIONS)(draw, entries, isYes, stranger) };
}

/** Distinct entries. None is part of another, as "Mara" is of "Mara Holt". */
function drawApart(draw: Draw, values: Values, kind: Kind, count: number): string[] {
  const drawn: string[] = [];
  while (drawn.length < count) {
    const made = makeValue(kind, draw, values);
    if (!drawn.some(one => one.includes(made) || made.includes(one))) drawn.push(made);
  }
  return drawn;
}

type Question = (draw: Draw, entries: readonly string[], isYes: boolean, stranger: string) => string;

const askOnList: Question = (draw, entries, isYes, stranger) =>
  fill(draw.wording(ON_LIST), { one: isYes ? draw.pick(entries) : stranger });

const askBefore: Question = (draw, entries, isYes) => {
  const [first, second] = draw.sample(entries, 2).sort((a, b) => entries.indexOf(a) - entries.indexOf(b)) as [
    string,
    string,
  ];
  return fill(draw.wording(BEFORE), isYes ? { one: first, two: second } : { one: second, two: first });
};

const askEnds: Question = (draw, entries, isYes) => {
  const end = draw.pick(['first', 'last']);
  const right = end === 'first' ? entries[0]! : entries.at(-1)!;
  const one = isYes ? right : draw.pick(entries.filter(entry => entry !== right));
  return fill(draw.wording(ENDS), { end, one });
};

const askHowMany: Question = (draw, entries, isYes) => {
  const wrong = draw.pick([-1, 1, 2].map(more => entries.length + more));
  return fill(draw.wording(HOW_MANY), { count: String(isYes ? entries.length : wrong) });
};

const QUESTIONS: readonly Question[] = [askOnList, askOnList, askOnList, askBefore, askEnds, askHowMany];
