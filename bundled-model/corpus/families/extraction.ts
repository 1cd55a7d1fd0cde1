// Extracting facts from texts: as JSON under keys that the prompt names, a single one, or all of a kind.
import type { Draw } from '../draw.js';
import type { Family } from '../family.js';
import { fill } from '../fill.js';
import type { Values } from '../values/index.js';
import { PLAIN, PLURALS, type Plural } from './extraction/plurals.js';
import { makeRecordTask } from './extraction/record.js';
import { ALL_OF_A_KIND, ONE_FIELD } from './extraction/wordings.js';
import { chooseFields, makeMore } from './texts/fields.js';
import { makeValue } from './texts/kinds.js';
import { countOf, makePassage } from './texts/passage.js';
import { makeRounds, poseTask, type Round, type Task } from './texts/pose-task.js';

export const extraction: Family = {
  name: 'extraction',
  weight: 2.5,
  score: 'exact',
  make(draw, values) {
    const makeTask = draw.weighted(TASKS).make;
    return poseTask(draw, makeTask(draw, values));
  },
};

const TASKS: readonly { weight: number; make(draw: Draw, values: Values): Task }[] = [
  { weight: 6, make: makeRecordTask },
  { weight: 2.5, make: makeFieldTask },
  { weight: 1.5, make: makeListTask },
];

/** One field; the answer is just the value. */
function makeFieldTask(draw: Draw, values: Values): Task {
  const first = makePassage(draw, values, { least: 1 });
  const fields = chooseFields(draw, first, { most: 1, missing: 0 });
  const { kind, phrase } = fields[0]!;
  const passages = makeMore(draw, values, first, fields);
  const rounds = passages.map(({ text, facts }) => ({ text, answer: facts[kind]! }));
  const example = rounds.length > 1 ? rounds.pop() : undefined;
  const slots = { field: phrase, noun: draw.pick(first.theme.nouns) };
  return { ask: draw.wording(ONE_FIELD), slots, rounds, example };
}

interface Separator {
  named: string;
  text: string;
}

const SEPARATORS: readonly Separator[] = [
  { named: 'commas', text: ', ' },
  { named: 'commas', text: ', ' },
  { named: 'commas', text: ', ' },
  { named: 'semicolons', text: '; ' },
  { named: 'bars', text: ' | ' },
  { named: 'line breaks', text: '\n' },
  { named: 'the word "and"', text: ' and ' },
  { named: 'slashes', text: ' / ' },
  { named: 'plus signs', text: ' + ' },
  { named: '" - "', text: ' - ' },
  { named: '" > "', text: ' > ' },
];

function makeListTask(draw: Draw, values: Values): Task {
  const plural = draw.pick(PLURALS);
  const separator = draw.pick(SEPARATORS);
  const makeRound = () => listAll(draw, values, plural, separator.text);
  return {
    ask: draw.wording(ALL_OF_A_KIND),
    slots: { plural: draw.pick(plural.words), separator: separator.named },
    rounds: makeRounds(draw, makeRound),
    example: makeRound(),
  };
}

/** The values in the order of the text. None contains the separator. */
function listAll(draw: Draw, values: Values, { kind, templates }: Plural, separator: string): Round {
  const template = draw.wording(templates);
  const letters = [...new Set(Array.from(template.matchAll(/\{(\w)\}/g), match => match[1]!))];
  const make = () => {
    for (;;) {
      const made = makeValue(kind, draw, values);
      if (!made.includes(separator)) return made;
    }
  };
  for (;;) {
    const made = letters.map(make);
    const text = fill(template, Object.fromEntries(letters.map((letter, i) => [letter, made[i]!])));
    if (!made.every(value => countOf(text, value) === 1)) continue;
    return { text: draw.chance(0.3) ? `${text} ${draw.wording(PLAIN)}` : text, answer: made.join(separator) };
  }
}
