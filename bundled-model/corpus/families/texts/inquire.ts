// Turns questions about one text into a conversation: the text in the message or the system prompt, one question or
// several.
import type { Draw } from '../../draw.js';
import type { Turn } from '../../family.js';
import { fill } from '../../fill.js';
import { smudge } from '../../noise.js';
import { readTexts } from '../../texts.js';
import data from './inquire.json' with { type: 'json' };
import { ABOVE, BELOW, INLINE } from './layouts.js';

const { FRAMES, RULES, KNOWN_TEXTS } = readTexts(data);

export interface Asked {
  /** The finished question. */
  question: string;
  answer: string;
}

export interface Inquiry {
  text: string;
  /** At least one. */
  questions: readonly Asked[];
  /** How to answer, if the prompt says so; finished sentences. */
  rule: string;
}

export function inquire(draw: Draw, inquiry: Inquiry): Turn[] {
  const [first, ...others] = inquiry.questions as [Asked, ...Asked[]];
  if (draw.chance(0.25)) {
    const system = fill(draw.wording(KNOWN_TEXTS), { text: inquiry.text });
    const turns = [toTurn('system', join(system, inquiry.rule)), ...converse(first)];
    return draw.chance(0.5) ? [...turns, ...others.flatMap(converse)] : turns;
  }
  return [...askInMessage(draw, inquiry, first), ...(draw.chance(0.15) ? others.flatMap(converse) : [])];
}

function askInMessage(draw: Draw, { text, rule }: Inquiry, { question, answer }: Asked): Turn[] {
  const framed = draw.chance(0.5) ? question : fill(smudge(draw, draw.wording(FRAMES)), { question });
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
