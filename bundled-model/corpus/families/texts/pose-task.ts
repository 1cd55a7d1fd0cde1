// Turns a task on a text into a conversation: the instruction in the message, above or below the text, or in the system
// prompt; with or without an example; for one text or more. Knows nothing about the task itself.
import type { Draw } from '../../draw.js';
import type { Turn } from '../../family.js';
import { fill } from '../../fill.js';
import { addTypingHabits, addTypos } from '../../noise.js';
import { ABOVE, BARE, BELOW, EXAMPLES, INLINE, NEXT, SYSTEMS, SYSTEMS_APART } from './layouts.js';

export interface Round {
  text: string;
  answer: string;
}

export interface Task {
  /** The instruction as a template, so that noise changes only its own words. */
  ask: string;
  slots: Readonly<Record<string, string>>;
  /** The texts in order, at least one. */
  rounds: readonly Round[];
  /** Whether the instruction ends in a pattern, so that nothing may follow on its line. */
  isApart?: boolean;
  /** Shown after the instruction. */
  example?: Round | undefined;
}

/** Probabilities of a system prompt, an example, and more than one text. */
const SYSTEM = 0.3;
const EXAMPLE = 0.12;
const MORE_BY_SYSTEM = 0.3;
const MORE_BY_USER = 0.1;

export function poseTask(draw: Draw, task: Task): Turn[] {
  const [first, ...others] = task.rounds as [Round, ...Round[]];
  if (draw.chance(SYSTEM)) {
    const turns = [toTurn('system', toSystem(draw, task)), ...converse(draw, first, BARE)];
    return draw.chance(MORE_BY_SYSTEM)
      ? [...turns, ...others.flatMap(one => converse(draw, one, BARE))]
      : turns;
  }
  const turns = [toTurn('user', toMessage(draw, task, first)), toTurn('assistant', first.answer)];
  return draw.chance(MORE_BY_USER) ? [...turns, ...others.flatMap(one => converse(draw, one, NEXT))] : turns;
}

/** If users need not say what to do, half of them send only the text. */
function converse(draw: Draw, { text, answer }: Round, layouts: readonly string[]): Turn[] {
  const message = draw.chance(0.5) ? text : fill(draw.wording(layouts), { text });
  return [toTurn('user', message), toTurn('assistant', answer)];
}

function toSystem(draw: Draw, task: Task): string {
  const ask = addExample(draw, fill(task.ask, task.slots), task.example);
  if (draw.chance(0.2)) return ask;
  return fill(draw.wording(task.isApart || ask.includes('\n') ? SYSTEMS_APART : SYSTEMS), { ask });
}

function toMessage(draw: Draw, task: Task, { text }: Round): string {
  const comesFirst = draw.chance(0.65);
  const typed = draw.chance(0.5) ? task.ask : (comesFirst ? addTypingHabits : addTypos)(draw, task.ask);
  const ask = addExample(draw, fill(typed, task.slots), comesFirst ? task.example : undefined);
  if (!comesFirst) return fill(draw.wording(ABOVE), { ask, text });
  const isInline = !task.isApart && !`${ask}${text}`.includes('\n') && draw.chance(0.35);
  return putBefore(ask, text, draw.wording(isInline ? INLINE : BELOW));
}

function putBefore(ask: string, text: string, layout: string): string {
  // "Sort this." becomes "Sort this:", and a question keeps its mark.
  const label = layout.startsWith('{ask}:') ? ask.replace(/[.:]?$/, '').replace(/\?$/, '') : ask;
  return fill(layout, { ask: label, text });
}

function addExample(draw: Draw, ask: string, example: Round | undefined): string {
  if (!example || !draw.chance(EXAMPLE)) return ask;
  const slots = { ask, exampleText: example.text, exampleAnswer: example.answer };
  return fill(draw.wording(EXAMPLES), slots);
}

const toTurn = (role: Turn['role'], content: string): Turn => ({ role, content });

/** Enough rounds for several questions, though few conversations use them all. */
export function makeRounds(draw: Draw, make: () => Round): Round[] {
  return Array.from({ length: draw.pick([2, 2, 3]) }, make);
}
