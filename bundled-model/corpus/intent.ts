// What a user may want, and how it is answered, both as templates. What the user names, such as an order
// number, is named again in the answer, and nothing else is: so the model learns to repeat, not to make up.
import type { Draw } from './draw.js';
import { fill } from './fill.js';
import type { Values } from './values/index.js';

export interface Intent {
  /** What the user says. */
  asks: readonly string[];
  /** What may be answered: few forms, so that a tiny model can learn them. */
  answers: readonly string[];
}

export type Named = Readonly<Record<string, string>>;

/** How a value for each placeholder is made. */
export type Slots = Readonly<Record<string, (draw: Draw, values: Values) => string>>;

export interface Exchange {
  /** Still a template, so that noise can be added to the words without touching the values. */
  ask: string;
  /** With its values. */
  answer: string;
  /** All that has been named so far. */
  named: Named;
}

/** A question and its answer; `known` is what was named before, in the system prompt or an earlier turn. */
export function exchange(
  draw: Draw,
  values: Values,
  { asks, answers }: Intent,
  slots: Slots,
  known: Named = {},
): Exchange {
  const ask = draw.wording(asks);
  const named = nameAll(ask, draw, values, slots, known);
  const answer = draw.pick(fitting(answers, named));
  return { ask, answer: fill(answer, named), named };
}

/** What is known, and a value for each placeholder of the template that is not. */
export function nameAll(
  template: string,
  draw: Draw,
  values: Values,
  slots: Slots,
  known: Named = {},
): Named {
  const named: Record<string, string> = { ...known };
  for (const name of placeholders(template)) {
    const make = slots[name];
    if (!Object.hasOwn(named, name) && make) named[name] = make(draw, values);
  }
  return named;
}

/** The answers that name most of what is known, and nothing else: what was said is to be repeated. */
function fitting(answers: readonly string[], known: Named): readonly string[] {
  const possible = answers.filter(answer => placeholders(answer).every(name => Object.hasOwn(known, name)));
  if (possible.length === 0) throw new Error(`No answer fits ${Object.keys(known)}: "${answers[0]}", …`);
  const most = Math.max(...possible.map(answer => placeholders(answer).length));
  return possible.filter(answer => placeholders(answer).length === most);
}

function placeholders(template: string): string[] {
  return [...new Set(Array.from(template.matchAll(/\{(\w+)\}/g), match => match[1]!))];
}
