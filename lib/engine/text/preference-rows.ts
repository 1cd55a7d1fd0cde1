// Rows with two answers to the same prompt, one of them preferred: finds the prompt, which has several names, or is
// what both answers start with.
import { isDeepStrictEqual } from 'node:util';
import { TextError } from './errors.js';
import { readHistory, readQuestion, saysSystem, systemText, withSystem } from './row-prompts.js';
import { isObject, type Json } from './text-files.js';

/** The answers without the prompt. */
interface Preference {
  /** A text, or a list of messages. */
  readonly prompt: unknown;
  readonly chosen: unknown;
  readonly rejected: unknown;
  /** The prompt and the answers were one text, which no chat template may separate. */
  readonly isPlain: boolean;
}

/** Columns of the question that stand for a prompt where there is none. Not all are read together. */
const QUESTIONS = ['instruction', 'question', 'query'];

/** The columns before the answers, besides the prompt. */
export const LEADS = [...QUESTIONS, 'history', 'system'];

/** Under the same names in all formats. Without a prompt if the answers contain it. */
export function fromPreference(row: Json): Json {
  const { chosen, rejected } = row;
  const system = systemText(row.system);
  const asked = findAsked(row);
  // OpenAI's input has the messages and the tools.
  const { messages, tools } = isObject(asked) ? asked : { messages: asked };
  const given = { chosen, rejected, tools: row.tools ?? tools };
  const isRepeated = repeats(chosen, messages) && repeats(rejected, messages);
  if (messages != null && !isRepeated) return { ...given, prompt: withSystem(system, messages) };
  if (saysSystem(system) && typeof chosen === 'string')
    throw new TextError('it has a system message, but no prompt; give it the column prompt');
  return { ...given, chosen: withSystem(system, chosen), rejected: withSystem(system, rejected) };
}

export function fromOpenAi({ preferred_output: chosen, non_preferred_output: rejected, ...row }: Json): Json {
  return fromPreference({ ...row, chosen, rejected });
}

function findAsked(row: Json): unknown {
  const { prompt, input, messages, chosen, rejected } = row;
  const asked = prompt ?? input ?? messages;
  if (prompt != null || isObject(input) || (input == null && messages != null)) return asked;
  if (startsWithQuestion(chosen) && startsWithQuestion(rejected)) return asked;
  const isSaid = (name: string) => {
    const text = row[name];
    return typeof text === 'string' && text.trim() !== '' && !bothStartWith(text.trim(), chosen, rejected);
  };
  const names = QUESTIONS.filter(isSaid);
  const [name, ...others] = names;
  if (name === undefined || (name !== 'instruction' && input != null)) return asked;
  if (others.some(other => row[other] !== row[name]))
    throw new TextError(
      `it has ${names.join(' and ')}; name the one that is asked, with columns: ` +
        `{ prompt: "${name}", chosen: "chosen", rejected: "rejected" }`,
    );
  if (name !== 'instruction') return row[name];
  const [question, earlier] = [readQuestion(row), readHistory(row.history)];
  return earlier.length > 0 ? [...earlier, { role: 'user', content: question }] : question;
}

/** Whether both answers are conversations with this question, as texts. */
function bothStartWith(question: string, chosen: unknown, rejected: unknown): boolean {
  if (typeof chosen !== 'string' || typeof rejected !== 'string') return false;
  const end = chosen.indexOf(question) + question.length;
  return end >= question.length && chosen !== rejected && chosen.slice(0, end) === rejected.slice(0, end);
}

/** Whether it is a conversation with its own prompt. */
function startsWithQuestion(answer: unknown): boolean {
  const [first] = Array.isArray(answer) ? answer : [];
  return isObject(first) && ['system', 'developer', 'user'].includes(String(first.role));
}

/** Takes a row as `fromPreference` returns it. */
export function findPrompt({ prompt, chosen, rejected }: Json): Preference {
  if (prompt != null) return { prompt, chosen, rejected, isPlain: false };
  if (Array.isArray(chosen) && Array.isArray(rejected)) return splitMessages(chosen, rejected);
  if (typeof chosen === 'string' && typeof rejected === 'string') return splitTexts(chosen, rejected);
  throw new TextError(
    'it has no prompt; give it the column prompt, or let chosen and rejected both start with it',
  );
}

/** Whether a conversation already contains its prompt, so that the prompt column is redundant. */
function repeats(answer: unknown, prompt: unknown): boolean {
  if (!Array.isArray(answer)) return false;
  if (Array.isArray(prompt)) return prompt.every((message, i) => isDeepStrictEqual(message, answer[i]));
  return answer.some(message => isObject(message) && message.role === 'user' && message.content === prompt);
}

function splitMessages(chosen: readonly unknown[], rejected: readonly unknown[]): Preference {
  const shorter = Math.min(chosen.length, rejected.length);
  const apart = chosen.findIndex((message, i) => !isDeepStrictEqual(message, rejected[i]));
  // Each must keep an answer, even if they are the same.
  const common = Math.min(apart === -1 ? shorter : apart, shorter - 1);
  if (common <= 0) throw withoutPrompt('no message');
  return {
    prompt: chosen.slice(0, common),
    chosen: chosen.slice(common),
    rejected: rejected.slice(common),
    isPlain: false,
  };
}

function splitTexts(chosen: string, rejected: string): Preference {
  let common = 0;
  while (common < chosen.length && chosen[common] === rejected[common]) common++;
  if (common === 0) throw withoutPrompt('nothing');
  // Of two equal texts, everything is the answer.
  const at = chosen === rejected ? 0 : startOfWord(chosen, rejected, common);
  return {
    prompt: chosen.slice(0, at),
    chosen: chosen.slice(at),
    rejected: rejected.slice(at),
    isPlain: true,
  };
}

/** Of the first word that differs: tokens may be whole words. A space belongs to the word after it. */
function startOfWord(chosen: string, rejected: string, common: number): number {
  let at = common;
  const isInside = [chosen, rejected].some(text => /\S/.test(text[common] ?? ''));
  if (isInside) while (at > 0 && /\S/.test(chosen[at - 1]!)) at--;
  while (chosen[at - 1] === ' ') at--;
  return at;
}

function withoutPrompt(found: string): TextError {
  return new TextError(
    `it has no prompt: its chosen and rejected have ${found} in common at the start; give it the column prompt`,
  );
}
