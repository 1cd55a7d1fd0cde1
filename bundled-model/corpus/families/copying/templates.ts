// Filling in a form: the user gives a text with blanks, and what goes there.
import type { Draw } from '../../draw.js';
import { fill } from '../../fill.js';
import { readTexts } from '../../texts.js';
import type { Values } from '../../values/index.js';
import type { Case, Task } from '../asking/ask.js';
import { SLOTS } from '../asking/content.js';
import data from './templates.json' with { type: 'json' };

const {
  FILL,
  /** Templates that people keep, with blanks named as a person would name them. */
  FORMS,
  SENTENCE,
  PATTERNS,
} = readTexts(data);

const OPENERS: readonly (readonly [string, string])[] = [
  ['{', '}'],
  ['{', '}'],
  ['{{', '}}'],
  ['[', ']'],
  ['<', '>'],
  ['$', ''],
  ['%', '%'],
];

export function fillForm(draw: Draw, values: Values): Task {
  const [open, close] = draw.pick(OPENERS);
  const next = () => {
    const form = draw.wording(FORMS);
    const names = Array.from(form.matchAll(/\{(\w+)\}/g), match => match[1]!);
    const named = Object.fromEntries(names.map(name => [name, SLOTS[name]!(draw, values)]));
    const places = Object.fromEntries(names.map(name => [name, open + name + close]));
    return { input: layOut(draw, fill(form, places), named), answer: fill(form, named) };
  };
  return { instructions: FILL, next };
}

function layOut(draw: Draw, form: string, named: Readonly<Record<string, string>>): string {
  const is = draw.pick([': ', ' = ', '=']);
  const pairs = draw.shuffle(Object.entries(named)).map(([name, value]) => name + is + value);
  return draw.pick([
    `${form}\n${pairs.join(draw.pick(['\n', '; ']))}`,
    `${pairs.join('\n')}\n\n${form}`,
    `Template: ${form}\nValues: ${pairs.join('; ')}`,
    `Text: ${form}\n${pairs.join('\n')}`,
  ]);
}

/** One value in a pattern, where X stands for it. */
export function fillPattern(draw: Draw, values: Values): Task {
  const pattern = draw.wording(PATTERNS);
  const toValue = draw.pick([values.word, values.firstName, values.code, values.product, values.city]);
  const next = (): Case => {
    const input = toValue();
    return { input, answer: pattern.replace(/\bX\b/g, () => input) };
  };
  return { instructions: SENTENCE, slots: { pattern }, next };
}
