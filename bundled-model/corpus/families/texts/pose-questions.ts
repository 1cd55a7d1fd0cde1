// Turns questions about one text into a conversation: the text in the message or the system prompt, one question or
// several.
import type { Draw } from '../../draw.js';
import type { Turn } from '../../family.js';
import { fill } from '../../fill.js';
import { addTypos } from '../../noise.js';
import { readTexts } from '../../texts.js';
import { ABOVE, BELOW, INLINE } from './layouts.js';
import data from './pose-questions.json' with { type: 'json' };

const { FRAMES, RULES, KNOWN_TEXTS } = readTexts(data);

export interface Asked {
  /** The finished question. */
  question: string;
  answer: string;
}

interface QuestionTask {
  text: string;
  /** At least one. */
  questions: readonly Asked[];
  /** How to answer, if the prompt says so; finished sentences. */
  rule: string;
}

export function poseQuestions(draw: Draw, task: QuestionTask): Turn[] {
  const [first, ...others] = task.questions as [Asked, ...Asked[]];
  if (draw.chance(0.25)) {
    const system = fill(draw.wording(KNOWN_TEXTS), { text: task.text });
    const turns = [toTurn('system', join(system, task.rule)), ...converse(first)];
    return draw.chance(0.5) ? [...turns, ...others.flatMap(converse)] : turns;
  }
  return [...askInMessage(draw, task, first), ...(draw.chance(0.15) ? others.flatMap(converse) : [])];
}

function askInMessage(draw: Draw, { text, rule }: QuestionTask, { question, answer }: Asked): Turn[] {
  const framed = draw.chance(0.5) ? question : fill(addTypos(draw, draw.wording(FRAMES)), { question });
  if (draw.chance(0.2)) {
    const system = join(draw.wording(RULES), rule);
    return [toTurn('system', system), toTurn('user', place(draw, framed, text)), toTurn('assistant', answer)];
  }
  const ask =
    rule === '' ? framed : draw.pick([`${framed} ${rule}`, `${rule} ${framed}`, `${framed}\n${rule}`]);
  return [toTurn('user', place(draw, ask, text)), toTurn('assistant', answer)];
}

function place(draw: Draw, ask: string, text: string): string {
  if (draw.chance(0.6)) return fill(draw.wording(ABOVE), { ask, text });
  const isShort = !`${ask}${text}`.includes('\n') && draw.chance(0.3);
  const layout = draw.wording(isShort ? INLINE : BELOW);
  return fill(layout, { ask, text }).replace(/\.:(?= |$)/, ':');
}

const join = (first: string, second: string) => (second === '' ? first : `${first} ${second}`);

const converse = ({ question, answer }: Asked): Turn[] => [
  toTurn('user', question),
  toTurn('assistant', answer),
];

const toTurn = (role: Turn['role'], content: string): Turn => ({ role, content });
