// Answers that a file has, as `svc import openai --answers` writes them: one side of a comparison for which no model is asked.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { ApiError, type ComparedSubject } from '../../contract/index.js';
import type { RowAnswer } from '../../evaluation/index.js';
import { isMissing } from '../../system/index.js';
import { readCalls } from '../../tool-calls/index.js';
import type { AskableRow, AskableRows } from './read-rows.js';

interface AnswerOfFile {
  /** Of the data, from 1. */
  readonly row: number;
  readonly question: readonly AskedMessage[];
  readonly answer: RowAnswer;
}

export interface AnswersOfFile {
  readonly subject: ComparedSubject;
  readonly lines: readonly AnswerOfFile[];
}

/** The role, and the content as a text if it is one, however it is written. */
type AskedMessage = readonly [role: unknown, content: unknown];

type Json = Readonly<Record<string, unknown>>;

export async function readAnswersOfFile(path: string): Promise<AnswersOfFile> {
  const file = basename(path);
  const text = await readFile(path, 'utf8').catch(error => {
    throw isMissing(error) ? refuse(`${path} does not exist.`) : error;
  });
  const records = text
    .split('\n')
    .flatMap((line, index): Json[] => (line.trim() === '' ? [] : [parseLine(line) ?? fail(file, index + 1)]));
  if (records.length === 0) throw refuse(`${file} has no answers.`);
  const model = records.map(record => record.model).find(name => typeof name === 'string') ?? null;
  return {
    subject: { target: { kind: 'answers', file, model: model as string | null }, endpoint: null },
    lines: records.map(toAnswer),
  };
}

function fail(file: string, line: number): never {
  throw refuse(
    `${file}, line ${line} is not an answer: it needs "row", "input" with messages or a prompt, and "answer".`,
  );
}

function parseLine(line: string): Json | null {
  try {
    const record = JSON.parse(line) as Json | null;
    const { row, input, answer } = record ?? {};
    const { messages, prompt } = (input ?? {}) as Json;
    const isAsked = typeof prompt === 'string' || (Array.isArray(messages) && messages.length > 0);
    const isAnswered = answer === null || typeof answer === 'string';
    return Number.isSafeInteger(row) && isAsked && isAnswered ? record : null;
  } catch {
    return null;
  }
}

function toAnswer({ row, input, answer, error, toolCalls, usage }: Json): AnswerOfFile {
  const { messages, prompt } = input as Json;
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = (usage ?? {}) as Json;
  const calls = readCalls({ tool_calls: toolCalls });
  const text = answer === null && calls.length > 0 ? '' : (answer as string | null);
  return {
    row: row as number,
    question: questionOf(
      typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : (messages as readonly unknown[]),
    ),
    answer: {
      answer: text,
      ...(calls.length > 0 && { calls }),
      ...(text === null && { error: typeof error === 'string' ? error : 'The model gave no text.' }),
      ...(Number.isSafeInteger(promptTokens) && { promptTokens: promptTokens as number }),
      ...(Number.isSafeInteger(completionTokens) && { completionTokens: completionTokens as number }),
    },
  };
}

function questionOf(messages: readonly unknown[]): AskedMessage[] {
  return messages.map(message => {
    const { role, content = null } = (message ?? {}) as Json;
    const isText = Array.isArray(content) && content.every(part => typeof part?.text === 'string');
    return [role, isText ? content.map(part => part.text).join('') : content];
  });
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** In the order of the rows. Throws unless each row was asked as it is, and no other was. */
export function matchAnswers(
  { subject, lines }: AnswersOfFile,
  { name, rows }: AskableRows,
  { isLimited }: { isLimited: boolean },
): RowAnswer[] {
  // A row that was changed between two imports was asked twice.
  const byRow = new Map<number, AnswerOfFile[]>();
  for (const line of lines) byRow.set(line.row, [...(byRow.get(line.row) ?? []), line]);
  const found = rows.map(({ row, messages }) => {
    const question = questionOf(messages);
    return byRow.get(row)?.findLast(line => isSame(line.question, question))?.answer;
  });
  const { file } = subject.target as { file: string };
  const first = found.indexOf(undefined);
  const further = isLimited ? 0 : [...byRow.keys()].filter(row => row > rows.length).length;
  if (first < 0 && further === 0) return found as RowAnswer[];
  const missing = found.filter(answer => answer === undefined).length;
  const problem =
    first < 0
      ? `it answers ${further} more`
      : `it does not answer ${missing} of ${rows.length}. ${describe(rows[first]!, byRow.get(rows[first]!.row)?.at(-1))}`;
  throw refuse(
    `${file} does not fit the rows of ${name}: ${problem}. Compare on the rows that were asked, and ask those that are missing.`,
  );
}

function describe({ row, messages }: AskableRow, stored: AnswerOfFile | undefined): string {
  if (!stored) return `The first is row ${row}, which it does not have`;
  const asked = questionOf(messages);
  const at = asked.findIndex((message, index) => !isSame(message, stored.question[index]));
  const [own, other] = at < 0 ? [undefined, stored.question[asked.length]] : [asked[at], stored.question[at]];
  return `The first is row ${row}: it asks ${quote(own)} where the answer is to ${quote(other)}`;
}

const LONGEST_QUOTE = 80;

function quote(message: AskedMessage | undefined): string {
  if (!message) return 'nothing more';
  const [, content] = message;
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return JSON.stringify(text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text);
}

function refuse(message: string): ApiError {
  return new ApiError('dataset_invalid', message, { param: 'against' });
}
