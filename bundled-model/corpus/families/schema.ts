// Filling an output format that the prompt defines by a pattern, in words, or by examples. Each format is invented, so
// the model learns to follow any format.
import type { Draw } from '../draw.js';
import type { Family } from '../family.js';
import { fill } from '../fill.js';
import { readTexts } from '../texts.js';
import type { Values } from '../values/index.js';
import type { Format } from './schema/format.js';
import { makeFormat } from './schema/formats.js';
import { makeMarks } from './schema/marks.js';
import { chooseSlots, type Slot } from './schema/slots.js';
import { BY_EXAMPLE, EXAMPLES, IN_LINE, IN_LINES, IN_WORDS, MISSING_NOTES } from './schema/wordings.js';
import data from './schema.json' with { type: 'json' };
import { makeMore } from './texts/fields.js';
import { makeKeys } from './texts/keys.js';
import { makePassage } from './texts/passage.js';
import { poseTask, type Round, type Task } from './texts/pose-task.js';

const { EMPTIES } = readTexts(data);

export const schema: Family = {
  name: 'schema',
  weight: 4,
  score: 'exact',
  make(draw, values) {
    const { ask, slots, rounds, example } = draftSchema(draw, values);
    return poseTask(draw, { ask, slots, rounds, example });
  },
};

export interface Schema extends Task {
  /** The format with a mark in place of each value. */
  pattern: string;
  marks: readonly string[];
  /** The values that go there, for each round. */
  cells: readonly (readonly string[])[];
}

/** Everything except the layout of the conversation. */
export function draftSchema(draw: Draw, values: Values): Schema {
  const first = makePassage(draw, values, { details: draw.pick([1, 1, 2, 2]), least: 2 });
  const slots = chooseSlots(draw, first);
  const passages = makeMore(
    draw,
    values,
    first,
    slots.filter(({ isDerived }) => !isDerived),
  );
  const keys = makeKeys(draw, values, slots);
  const empty = draw.pick(EMPTIES);
  const cells = passages.map(passage => slots.map(slot => slot.read(passage) ?? empty));
  const format = makeClearFormat(draw, values, keys.names, cells.flat());
  const phrases = slots.map(({ phrase }) => phrase);
  const marks = makeMarks(draw, phrases, keys, format);
  const rounds = passages.map(({ text }, i) => ({ text, answer: format.render(cells[i]!) }));
  const mayMiss = cells.flat().includes(empty) || draw.chance(0.15);
  const notes = [...slots.flatMap(({ note }) => note ?? []), ...(mayMiss ? [missingNote(draw, empty)] : [])];
  const plan: Plan = {
    format,
    pattern: format.render(marks),
    phrases,
    notes,
    rounds,
    noun: draw.pick(first.theme.nouns),
  };
  const canShow = slots.every(({ note }, i) => !note && cells.slice(1).some(shown => shown[i] !== empty));
  const asked =
    format.sign && draw.chance(0.6) ? inWords : canShow && draw.chance(0.2) ? byExample : byPattern;
  return { ...asked(draw, plan), pattern: plan.pattern, marks, cells };
}

type Note = NonNullable<Slot['note']>;

const missingNote = (draw: Draw, empty: string): Note => ({
  template: draw.wording(MISSING_NOTES),
  slots: { empty: draw.chance(0.5) ? `"${empty}"` : empty },
});

/** A separator must not occur in the values. */
function makeClearFormat(
  draw: Draw,
  values: Values,
  keys: readonly string[],
  cells: readonly string[],
): Format {
  for (;;) {
    const format = makeFormat(draw, values, keys);
    const pieces = format
      .render(keys.map(() => '\0'))
      .split('\0')
      .slice(1, -1);
    const signs = pieces.map(piece => piece.trim()).filter(sign => sign !== '');
    if (!signs.some(sign => cells.some(cell => cell.includes(sign)))) return format;
  }
}

interface Plan {
  format: Format;
  pattern: string;
  phrases: readonly string[];
  notes: readonly Note[];
  rounds: readonly Round[];
  noun: string;
}

/** The notes come before the pattern, or on lines after it. */
function byPattern(draw: Draw, { pattern, notes, rounds, noun }: Plan): Task {
  const isLong = pattern.includes('\n') || draw.chance(0.2);
  const quoted = isLong ? pattern : draw.pick([pattern, pattern, pattern, `"${pattern}"`, `\`${pattern}\``]);
  const template = draw.wording(isLong ? IN_LINES : IN_LINE);
  const noteText = notes.map(note => note.template).join(' ');
  const comeFirst = draw.chance(0.3);
  const ask =
    noteText === '' ? template : comeFirst ? `${noteText}\n${template}` : `${template}\n${noteText}`;
  return {
    ask,
    slots: { pattern: quoted, noun, ...slotsOfNotes(notes) },
    isApart: quoted === pattern,
    ...toRounds(rounds),
  };
}

const slotsOfNotes = (notes: readonly Note[]): Record<string, string> =>
  Object.assign({}, ...notes.map(note => note.slots));

/** The last text serves as the example. */
const toRounds = (rounds: readonly Round[]): Pick<Task, 'rounds' | 'example'> =>
  rounds.length > 1 ? { rounds: rounds.slice(0, -1), example: rounds.at(-1) } : { rounds };

function inWords(draw: Draw, { format, phrases, notes, rounds, noun }: Plan): Task {
  const the = phrases.map(phrase => `the ${phrase}`);
  const cells = draw.pick([joinAnd(the), joinAnd(the), the.join(', then '), phrases.join(', ')]);
  return {
    ask: [draw.wording(IN_WORDS), ...notes.map(({ template }) => template)].join(' '),
    slots: { cells, sign: `"${format.sign}"`, noun, ...slotsOfNotes(notes) },
    ...toRounds(rounds),
  };
}

const joinAnd = (list: readonly string[]) =>
  list.length < 2 ? list.join() : `${list.slice(0, -1).join(', ')} and ${list.at(-1)}`;

function byExample(draw: Draw, { notes, rounds: [first, ...others], noun }: Plan): Task {
  const template = draw.wording(EXAMPLES);
  const examples = others.map(({ text, answer }) => fill(template, { text, answer })).join('\n\n');
  return {
    ask: [draw.wording(BY_EXAMPLE), ...notes.map(note => note.template)].join('\n'),
    slots: { examples, noun, ...slotsOfNotes(notes) },
    rounds: [first!],
    isApart: true,
  };
}
