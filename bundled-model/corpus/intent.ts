// Something a user wants and how it is answered, both as templates. Answers repeat what the user named, such as an
// order number, and name nothing else, so the model learns to repeat and not to invent.
import type { Draw } from './draw.js';
import { fill } from './fill.js';
import type { Values } from './values/index.js';

export interface Intent {
  /** What the user says. */
  asks: readonly string[];
  /** Possible answers: few, so that a tiny model can learn them. */
  answers: readonly string[];
}

export type Named = Readonly<Record<string, string>>;

/** How to make a value for each placeholder. */
export type Slots = Readonly<Record<string, (draw: Draw, values: Values) => string>>;

export interface Exchange {
  /** Still a template, so that noise can change the words but not the values. */
  ask: string;
  /** With the values filled in. */
  answer: string;
  /** Everything named so far. */
  named: Named;
}

/** A question and its answer. `known` holds what was named earlier, in the system prompt or a previous turn. */
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

/** The known values, and a new one for every other placeholder of the template. */
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

/** The answers that repeat the most known values and name nothing else. */
function fitting(answers: readonly string[], known: Named): readonly string[] {
  const possible = answers.filter(answer => placeholders(answer).every(name => Object.hasOwn(known, name)));
  if (possible.length === 0) throw new Error(`No answer fits ${Object.keys(known)}: "${answers[0]}", …`);
  const most = Math.max(...possible.map(answer => placeholders(answer).length));
  return possible.filter(answer => placeholders(answer).length === most);
}

function placeholders(template: string): string[] {
  return [...new Set(Array.from(template.matchAll(/\{(\w+)\}/g), match => match[1]!))];
}
