// Asks the model a task with one right answer: instruction and input in one message, or the instruction in the system
// prompt; once or several times; sometimes after an example. Knows nothing about the task itself.
import type { Draw } from '../../draw.js';
import type { Turn } from '../../family.js';
import { fill } from '../../fill.js';
import { addTypingHabits, addTypos } from '../../noise.js';
import { EXAMPLES, FOLLOW_UPS, PLAIN_SYSTEMS, SYSTEM_FRAMES } from './frames.js';

export interface Case {
  input: string;
  answer: string;
}

export interface Task {
  /** Complete instructions without the input: "Sort these words from A to Z." */
  instructions: readonly string[];
  /** Complete messages with a one-line input in the slot `{input}`: "What is {input}?" */
  messages?: readonly string[];
  /** Whether the input is a question by itself, so that it usually stands alone. */
  asksItself?: boolean;
  /** Values of the other slots in both; the same for all cases. */
  slots?: Readonly<Record<string, string>>;
  /** Makes another case of the same task, or returns the only one again. */
  next(): Case;
}

export function ask(draw: Draw, task: Task): Turn[] {
  if (draw.chance(0.2)) return askBySystem(draw, task);
  const first = task.next();
  const system = draw.chance(0.06) ? [toTurn('system', draw.wording(PLAIN_SYSTEMS))] : [];
  const opening = [
    ...system,
    toTurn('user', toMessage(draw, task, first)),
    toTurn('assistant', first.answer),
  ];
  if (!draw.chance(0.12)) return opening;
  return [...opening, ...moreCases(draw, task, input => fill(toFollowUp(draw, input), { input }), first)];
}

function askBySystem(draw: Draw, task: Task): Turn[] {
  const instruction = fill(draw.wording(task.instructions), task.slots ?? {});
  const system = fill(draw.wording(SYSTEM_FRAMES), { instruction });
  const first = task.next();
  const opening = [toTurn('system', system), toTurn('user', first.input), toTurn('assistant', first.answer)];
  return draw.chance(0.25) ? [...opening, ...moreCases(draw, task, input => input, first)] : opening;
}

/** One or two more cases, never the first again. */
function moreCases(draw: Draw, task: Task, toUser: (input: string) => string, first: Case): Turn[] {
  const cases = Array.from({ length: draw.chance(0.25) ? 2 : 1 }, () => task.next());
  return cases
    .filter(({ input }) => input !== first.input)
    .flatMap(({ input, answer }) => [toTurn('user', toUser(input)), toTurn('assistant', answer)]);
}

/** Noise may change the instruction, but not the values in it. */
function toMessage(draw: Draw, task: Task, { input }: Case): string {
  const slots = { ...task.slots, input };
  if (task.asksItself && draw.chance(0.75)) return input;
  const isLine = !input.includes('\n');
  if (task.messages && isLine && draw.chance(0.5))
    return fill(addTypingHabits(draw, draw.wording(task.messages)), slots);
  const instruction = draw.wording(task.instructions);
  const example = draw.chance(0.06) ? task.next() : undefined;
  if (example && example.input !== input) {
    const frame = fill(draw.wording(EXAMPLES), { example: example.input, answer: example.answer, input });
    return `${fill(instruction, slots)}\n\n${frame}`;
  }
  const layout = draw.pick(isLine ? ofOneLine : ofLines);
  const isLast = /^(?:Input: )?\{input\}/.test(layout(''));
  const rough = isLast ? addTypos : addTypingHabits;
  return fill(layout(draw.chance(0.5) ? rough(draw, instruction) : instruction), slots);
}

type Layout = (instruction: string) => string;

const toLabel: Layout = instruction =>
  /[\w"}]\.?$/.test(instruction) ? instruction.replace(/\.?$/, ':') : instruction;

const ofLines: readonly Layout[] = [
  instruction => `${toLabel(instruction)}\n{input}`,
  instruction => `${toLabel(instruction)}\n\n{input}`,
  instruction => `${instruction}\n\n{input}`,
  instruction => `{input}\n\n${instruction}`,
];

const ofOneLine: readonly Layout[] = [
  ...ofLines,
  instruction => `${toLabel(instruction)} {input}`,
  instruction => `${toLabel(instruction)} {input}`,
  instruction => `${instruction}\n{input}`,
  instruction => `${instruction}\nInput: {input}`,
  instruction => `Input: {input}\n${instruction}`,
  instruction => `{input}\n${instruction}`,
];

function toFollowUp(draw: Draw, input: string): string {
  if (draw.chance(0.5) || input.includes('\n')) return '{input}';
  return addTypos(draw, draw.wording(FOLLOW_UPS));
}

const toTurn = (role: Turn['role'], content: string): Turn => ({ role, content });
