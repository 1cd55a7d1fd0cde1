// Matchers of one answer. They await it: `await expect(ask('…')).toAnswer('…')`.
import { createExpect, type MatcherState } from 'vitest';
import { createScorer } from '../evaluation/index.js';
import type { Answer, ToolCall } from './ask.js';
import { answerFailure, answerText, type Line, valueText } from './failures.js';

export interface Outcome {
  pass: boolean;
  message(): string;
}

export interface LikeOptions {
  /** From 0 to 1: the F1 of the words, or of the values of an object. Default: 0.8. */
  atLeast?: number;
}

const USUAL_LIKENESS = 0.8;

const texts = createScorer({ kind: 'text' });
const objects = createScorer({ kind: 'fields' });

export async function toAnswer(this: MatcherState, received: unknown, expected: unknown): Promise<Outcome> {
  const answer = await readAnswer(received, 'toAnswer');
  const said = this.isNot ? 'Another answer was expected.' : 'The answer is not what was expected.';
  return {
    pass: isAnswer(this, answer, expected),
    message: () => answerFailure(said, answer, [expectedLine(this, valueText(expected)), ...misfit(answer)]),
  };
}

export async function toAnswerLike(
  this: MatcherState,
  received: unknown,
  expected: unknown,
  { atLeast = USUAL_LIKENESS }: LikeOptions = {},
): Promise<Outcome> {
  const answer = await readAnswer(received, 'toAnswerLike');
  if (expected instanceof RegExp || JSON.stringify(expected) === undefined)
    throw new TypeError(
      `expect(…).toAnswerLike needs a text or a value to compare with, not ${valueText(expected)}.`,
    );
  const scorer = typeof expected === 'string' ? texts : objects;
  const likeness = scorer.score(valueText(expected), answer.text).f1!;
  const least = this.isNot ? 'less than' : 'at least';
  const said = `The answer is ${likeness.toFixed(2)} like what was expected; it should be ${least} ${atLeast}.`;
  return {
    pass: likeness >= atLeast,
    message: () => answerFailure(said, answer, [expectedLine(this, valueText(expected))]),
  };
}

export async function toCallTool(
  this: MatcherState,
  received: unknown,
  name: string,
  args?: Readonly<Record<string, unknown>>,
): Promise<Outcome> {
  const answer = await readAnswer(received, 'toCallTool');
  const fits = (call: ToolCall) =>
    call.name === name &&
    (args === undefined ||
      this.equals(call.arguments, args, [this.utils.iterableEquality, this.utils.subsetEquality]));
  const said = this.isNot
    ? `The answer calls the tool ${name}.`
    : answer.toolCalls.some(call => call.name === name)
      ? `The answer calls the tool ${name} with other arguments.`
      : `The answer does not call the tool ${name}.`;
  return {
    pass: answer.toolCalls.some(fits),
    message: () =>
      answerFailure(said, answer, [
        expectedLine(this, args === undefined ? `${name}(…)` : `${name}(${valueText(args)})`),
      ]),
  };
}

/** The snapshot has the question, too, so that its review needs no other file. */
export async function toMatchAnswerSnapshot(
  this: MatcherState,
  received: unknown,
  hint?: string,
): Promise<Outcome> {
  if (this.isNot) throw new TypeError('toMatchAnswerSnapshot cannot be used with `not`.');
  const answer = await readAnswer(received, 'toMatchAnswerSnapshot');
  if (answer.temperature !== 0)
    throw new TypeError(
      `A snapshot needs an answer that stays the same, and this one was asked at temperature ${answer.temperature}. Leave out \`temperature\`.`,
    );
  const asked = answer.messages.map(({ role, content }) => `${role}: ${valueText(content)}`);
  // Of this test: the global one takes snapshots of concurrent tests for those of another.
  const expectHere = this.task ? createExpect(this.task) : createExpect();
  expectHere([...asked, `answer: ${answerText(answer)}`].join('\n')).toMatchSnapshot(hint);
  return { pass: true, message: () => '' };
}

/** Throws a `TypeError` for anything else than an answer of `ask`. */
async function readAnswer(received: unknown, matcher: string): Promise<Answer> {
  const value = (await received) as Partial<Answer> | null | undefined;
  if (typeof value?.text === 'string' && Array.isArray(value.messages)) return value as Answer;
  throw new TypeError(
    `expect(…).${matcher} needs an answer of \`ask\`: await expect(ask('…')).${matcher}(…).`,
  );
}

function isAnswer(
  { equals, customTesters, utils }: MatcherState,
  answer: Answer,
  expected: unknown,
): boolean {
  // `test` would start where an expression with the flag g matched last.
  if (expected instanceof RegExp) return answer.text.search(expected) >= 0;
  if (typeof expected === 'string') return texts.score(expected, unquote(answer)).exact === 1;
  const { value, fault } = readOutput(answer);
  // Without a task, a number is the text that it was answered as.
  if (typeof value === 'string' && Object(expected) !== expected)
    return texts.score(String(expected), value).exact === 1;
  return fault === null && equals(value, expected, [...customTesters, utils.iterableEquality]);
}

/** A label that was answered as JSON: the task reads it without its quotes. */
function unquote(answer: Answer): string {
  const { value } = readOutput(answer);
  return typeof value === 'string' ? value : answer.text;
}

function readOutput(answer: Answer): { value: unknown; fault: string | null } {
  try {
    return { value: answer.output, fault: null };
  } catch (error) {
    return { value: undefined, fault: error instanceof Error ? error.message : String(error) };
  }
}

function misfit(answer: Answer): Line[] {
  const { fault } = readOutput(answer);
  return fault === null ? [] : [['problem', fault]];
}

const expectedLine = ({ isNot }: MatcherState, text: string): Line => [isNot ? 'not' : 'expected', text];
