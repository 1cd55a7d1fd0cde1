// Puts questions about one text into a conversation: the text in the message or in the system prompt, one question or
// several.
import type { Draw } from '../../draw.js';
import type { Turn } from '../../family.js';
import { fill } from '../../fill.js';
import { smudge } from '../../noise.js';
import { ABOVE, BELOW, INLINE } from './layouts.js';

export interface Asked {
  /** The finished question. */
  question: string;
  answer: string;
}

export interface Inquiry {
  text: string;
  /** There is one at least. */
  questions: readonly Asked[];
  /** How to answer, if that is said; finished sentences. */
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

const FRAMES: readonly string[] = [
  'Question: {question}',
  'Q: {question}',
  'Answer from the text: {question}',
  'Use the text to answer this. {question}',
  'Answer in a few words. {question}',
  '{question} Answer in a few words.',
  '{question} Give only the answer.',
  'Please answer: {question}',
  'Tell me: {question}',
  'I have a question about the text. {question}',
  'According to the text: {question}',
  'Read the text. {question}',
  'Read and answer: {question}',
  '{question} Look it up in the text.',
  '{question} Just the answer, please.',
  'What does the text say? {question}',
  'Here is my question: {question}',
  'Can you tell me this? {question}',
  'I would like to know: {question}',
  'Help me with this question: {question}',
  'Short answer, please: {question}',
  'Reading test. {question}',
  'One question: {question}',
  'Find the answer in the text. {question}',
  'Say it briefly: {question}',
  '{question} Be brief.',
  'Answer this question about the text: {question}',
  '{question} You find it in the text.',
];

const RULES: readonly string[] = [
  'Answer questions about texts.',
  'The user shows you a text and asks a question. Answer in a few words.',
  'You answer from the text only.',
  'Read the text of the user and answer the question.',
  'Give short answers to questions about a text.',
  'You are a careful reader who answers questions.',
  'Use only what the text says.',
  'Find answers in texts. Write nothing but the answer.',
  'You help people to read. Answer as shortly as you can.',
  'Each message has a text and a question. Answer the question.',
  'Your answers come from the text and are short.',
  'Look up the answer in the text that you are given.',
];

const KNOWN_TEXTS: readonly string[] = [
  'Answer questions from this text:\n{text}',
  'This is what you know:\n{text}',
  'Text:\n{text}\n\nAnswer the questions of the user from it.',
  '{text}\n\nThe user will ask about this.',
  'Use this text for your answers: {text}',
  'You answer questions about a text. The text:\n"{text}"',
  'Facts: {text}\nGive short answers.',
  'Here is some news:\n{text}\n\nAnswer questions about it briefly.',
  'Notes:\n{text}\n\nAnswer from the notes only.',
  '<text>\n{text}\n</text>\nAnswer what the user asks about the text.',
  'What we know: {text} Answer from this.',
  'Information:\n---\n{text}\n---\nBe brief.',
  'Context: {text}\nAnswer in as few words as you can.',
  'The following is true. {text}\nAnswer questions with it.',
];
