// Listing a number of things of a kind, in the form that the user asks for.
import type { Draw } from '../../draw.js';
import { readTexts } from '../../texts.js';
import data from './lists.json' with { type: 'json' };
import { ROWS } from './rows.js';
import type { Wanted } from './wanted.js';

const { ASKS, COUNTS, NUMBERS } = readTexts(data);

interface Shape {
  asks: readonly string[];
  render(things: readonly string[]): string;
}

/** The same sentence asks for the form. */
const inForm = (...endings: readonly string[]) =>
  ASKS.flatMap((ask, i) => {
    const end = ask.slice(-1);
    return `${ask.slice(0, -1)} ${endings[i % endings.length]}${end}`;
  });

const PLAIN: Shape = { asks: ASKS, render: enumerate };

const SHAPES: readonly Shape[] = [
  {
    asks: inForm('as a numbered list', 'with numbers', 'in a numbered list'),
    render: things => things.map((thing, i) => `${i + 1}. ${thing}`).join('\n'),
  },
  {
    asks: inForm('as bullet points', 'with dashes', 'as a bullet list'),
    render: things => things.map(thing => `- ${thing}`).join('\n'),
  },
  {
    asks: inForm('one per line', 'on lines of their own', 'each on its own line'),
    render: things => things.join('\n'),
  },
  {
    asks: inForm('with commas between them', 'separated by commas', 'on one line, with commas'),
    render: things => things.join(', '),
  },
];

export function drawList(draw: Draw): Wanted {
  const { asks, render } = draw.chance(0.5) ? PLAIN : draw.pick(SHAPES);
  const kind = draw.pick(Object.keys(ROWS));
  const number = draw.pick(COUNTS);
  const size = NUMBERS.indexOf(number);
  const items = render(ROWS[kind]!.slice(0, size));
  const count = draw.chance(0.75) ? number : String(size);
  return { intent: { asks, answers: ['{items}'] }, named: { kind, count, items } };
}

/** "Apple, banana and pear." */
function enumerate(things: readonly string[]): string {
  const text = `${things.slice(0, -1).join(', ')} and ${things.at(-1)}.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
