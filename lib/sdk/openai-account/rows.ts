// The rows of a data file, read line by line, and what a model is asked with one of them.
import { createHash } from 'node:crypto';
import { withoutWeight } from '../../contract/index.js';
import { allLines } from '../files/lines.js';

interface DataRow {
  /** From 1, as in messages and tables. */
  row: number;
  text: string;
}

/** Blank lines are not rows. */
export async function* readRows(path: string): AsyncGenerator<DataRow, void, undefined> {
  let row = 0;
  for await (const text of allLines(path)) if (text.trim() !== '') yield { row: ++row, text };
}

interface DataFacts {
  rows: number;
  /** In characters. */
  longestRow: number;
}

export async function describeRows(path: string): Promise<DataFacts> {
  const facts = { rows: 0, longestRow: 0 };
  for await (const { row, text } of readRows(path)) {
    facts.rows = row;
    facts.longestRow = Math.max(facts.longestRow, text.length);
  }
  return facts;
}

export interface Question {
  row: number;
  /** Of the row's text, to know it again. */
  sha256: string;
  /** The operation, and its body without the model. */
  path: '/chat/completions' | '/completions';
  body: Record<string, unknown>;
  /** What the row has for an answer: a text, or a message with tool calls. */
  expected: unknown;
  /** About how many tokens the question and the row's own answer have. */
  tokens: { asked: number; answered: number };
}

/** Tokens are about four characters of English. */
const CHARACTERS_PER_TOKEN = 4;

/** Null if the row has no question that a model could be asked. */
export function toQuestion({ row, text }: DataRow): Question | null {
  const parsed = parse(text);
  if (!parsed) return null;
  const sha256 = createHash('sha256').update(text).digest('hex');
  const known = fromPreference(parsed) ?? fromChat(parsed) ?? fromCompletion(parsed);
  if (!known) return null;
  const { path, body, expected } = known;
  const tokens = { asked: countTokens(body.messages ?? body.prompt), answered: countTokens(expected) };
  return { row, sha256, path, body, expected, tokens };
}

type Known = Pick<Question, 'path' | 'body' | 'expected'>;
type Json = Readonly<Record<string, unknown>>;

/** The last answer is the one to learn; a row for reinforcement has none. */
function fromChat(row: Json): Known | null {
  const { messages } = row;
  if (!Array.isArray(messages)) return null;
  const isAnswer = (messages.at(-1) as Json | null)?.role === 'assistant';
  const asked = (isAnswer ? messages.slice(0, -1) : messages).map(withoutWeight);
  if (asked.length === 0) return null;
  const answer = isAnswer ? (messages.at(-1) as Json) : null;
  return {
    path: '/chat/completions',
    body: { messages: asked, ...toolsOf(row) },
    expected: answer && (Array.isArray(answer.tool_calls) ? answer : (answer.content ?? null)),
  };
}

function fromPreference({ input, preferred_output: preferred }: Json): Known | null {
  if (typeof input !== 'object' || input === null || !Array.isArray(preferred)) return null;
  const { messages } = input as Json;
  if (!Array.isArray(messages) || messages.length === 0) return null;
  const answer = preferred.at(-1) as Json | undefined;
  return {
    path: '/chat/completions',
    body: { messages: messages.map(withoutWeight), ...toolsOf(input as Json) },
    expected: answer?.content ?? answer ?? null,
  };
}

function fromCompletion({ prompt, completion }: Json): Known | null {
  if (typeof prompt !== 'string' || prompt === '') return null;
  return { path: '/completions', body: { prompt }, expected: completion ?? null };
}

function toolsOf({ tools, parallel_tool_calls }: Json): Json {
  if (!Array.isArray(tools) || tools.length === 0) return {};
  return { tools, ...(typeof parallel_tool_calls === 'boolean' && { parallel_tool_calls }) };
}

function countTokens(value: unknown): number {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

function parse(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}
