// How to write a label: bare, or in a form that the prompt shows.
import type { Draw } from '../../draw.js';
import type { Values } from '../../values/index.js';
import { CAPITAL_NOTES, FORM_NOTES } from './wordings.js';

export interface Form {
  /** Comes after the instruction; may be empty. */
  note: string;
  slots: Record<string, string>;
  write(answer: string): string;
}

const BARE: Form = { note: '', slots: {}, write: answer => answer };

/** Capitals only if they change something. */
export function makeForm(draw: Draw, values: Values, answers: readonly string[]): Form {
  if (draw.chance(0.7)) return BARE;
  const hasSmall = answers.every(answer => answer !== answer.toUpperCase());
  if (hasSmall && draw.chance(0.25))
    return { note: draw.wording(CAPITAL_NOTES), slots: {}, write: answer => answer.toUpperCase() };
  const write = draw.pick([keyed, keyed, inJson, inJson, wrapped])(draw, values);
  const blank = draw.pick(['...', 'X', '___', 'x']);
  return { note: draw.wording(FORM_NOTES), slots: { form: write(blank) }, write };
}

type Maker = (draw: Draw, values: Values) => Form['write'];

const KEYS = [
  'label',
  'topic',
  'class',
  'category',
  'result',
  'answer',
  'tag',
  'group',
  'type',
  'kind',
  'value',
];

const makeKey = (draw: Draw, values: Values) => {
  const key = draw.chance(0.7) ? draw.pick(KEYS) : values.word();
  return draw.chance(0.2) ? key.toUpperCase() : key;
};

const keyed: Maker = (draw, values) => {
  const start = makeKey(draw, values) + draw.pick([': ', ': ', ': ', ' = ', '=', ' -> ', ':', ' > ', ' | ']);
  return answer => start + answer;
};

const inJson: Maker = (draw, values) => {
  const key = makeKey(draw, values);
  return answer => `{"${key}": "${answer}"}`;
};

const WRAPS: readonly (readonly [string, string])[] = [
  ['[', ']'],
  ['(', ')'],
  ['*', '*'],
  ['"', '"'],
  ['=> ', ''],
  ['>> ', ''],
  ['', '.'],
  ['', '!'],
  ['-', '-'],
  ['~', '~'],
  ['/', '/'],
  ['', ' #'],
  ['[[', ']]'],
  ['= ', ''],
];

const wrapped: Maker = draw => {
  const [before, after] = draw.pick(WRAPS);
  return answer => before + answer + after;
};
