// The formats of rows that can be trained on, by their columns, in the order in which they are looked for. Every other
// part that needs to know a format asks here.
import type { LearningMethod } from '../../contract/index.js';
import { TextError } from './errors.js';
import { fromOpenAi, fromPreference } from './preference-rows.js';
import { isObject, type Json } from './text-files.js';

/** The column with a teacher's probabilities at each token of the answer. */
export const LOGPROBS = 'logprobs';

interface RowFormat {
  /** The format's common name. */
  readonly name: string;
  /** The methods that can train on it. */
  readonly method: LearningMethod;
  /** Required columns. */
  readonly needs: readonly string[];
  /** Optional columns. */
  readonly takes: readonly string[];
  /**
   * The row as chat messages, a prompt and completion, a text, or a prompt with a chosen and a rejected answer; the row
   * itself is one of these by default.
   */
  readonly convert?: (row: Json) => Json;
}

export const ROW_FORMATS: readonly RowFormat[] = [
  { name: 'messages', method: 'sft', needs: ['messages'], takes: ['tools', LOGPROBS] },
  {
    name: 'prompt and completion',
    method: 'sft',
    needs: ['prompt', 'completion'],
    takes: ['tools', LOGPROBS],
  },
  {
    name: 'ShareGPT',
    method: 'sft',
    needs: ['conversations'],
    takes: ['system', 'tools'],
    convert: fromShareGpt,
  },
  {
    name: 'Alpaca',
    method: 'sft',
    needs: ['instruction', 'output'],
    takes: ['input', 'system', 'history'],
    convert: fromAlpaca,
  },
  { name: 'text', method: 'sft', needs: ['text'], takes: [] },
  {
    name: 'preferences',
    method: 'dpo',
    needs: ['chosen', 'rejected'],
    takes: ['prompt', 'input', 'messages', 'tools'],
    convert: fromPreference,
  },
  {
    name: "OpenAI's preferences",
    method: 'dpo',
    needs: ['preferred_output', 'non_preferred_output'],
    takes: ['prompt', 'input', 'messages', 'tools'],
    convert: fromOpenAi,
  },
  { name: 'prompts', method: 'grpo', needs: ['messages'], takes: ['tools'] },
];

/** Null if rows with these columns cannot be trained on, by this method or by any. */
export function formatOf(columns: readonly string[], method?: LearningMethod): RowFormat | null {
  const fits = (format: RowFormat) =>
    (method === undefined || format.method === method) &&
    format.needs.every(column => columns.includes(column));
  return ROW_FORMATS.find(fits) ?? null;
}

/** `messages, or prompt and completion, or …` */
export function describeFormats(method?: LearningMethod): string {
  // The rows that any method can learn from include the prompts of others.
  return ROW_FORMATS.filter(format =>
    method === undefined ? format.method !== 'grpo' : format.method === method,
  )
    .map(({ name, needs }) => {
      const columns = needs.join(' and ');
      return columns === name ? name : `${columns} (${name})`;
    })
    .join(', or ');
}

/** ShareGPT's names for roles. */
const SPEAKERS: ReadonlyMap<string, string> = new Map([
  ['human', 'user'],
  ['user', 'user'],
  ['gpt', 'assistant'],
  ['assistant', 'assistant'],
  ['chatgpt', 'assistant'],
  ['bing', 'assistant'],
  ['bard', 'assistant'],
  ['system', 'system'],
  ['tool', 'tool'],
  ['observation', 'tool'],
  ['function_response', 'tool'],
]);

function fromShareGpt({ conversations, system, tools }: Json): Json {
  if (!Array.isArray(conversations)) throw new TextError('conversations is not a list');
  if (conversations.length === 0) throw new TextError('conversations is empty');
  const messages = conversations.map((turn, index) => toMessage(turn, `conversations[${index}]`));
  return { messages: [...systemMessage(system), ...messages], tools: parseTools(tools) };
}

function toMessage(turn: unknown, at: string): Json {
  if (!isObject(turn)) throw new TextError(`${at} is not an object`);
  const { from, value, ...rest } = turn;
  // Some data sets have the messages of chats under this name.
  if (from === undefined && value === undefined && 'role' in turn) return turn;
  if (typeof value !== 'string') throw new TextError(`${at}.value is not a string`);
  const role = SPEAKERS.get(String(from).toLowerCase());
  if (!role) {
    const known = [...SPEAKERS.keys()].join(', ');
    throw new TextError(`${at}.from is ${JSON.stringify(String(from).slice(0, 40))}; use one of ${known}`);
  }
  return { ...rest, role, content: value };
}

function fromAlpaca({ instruction, input, output, system, history }: Json): Json {
  const [asked, more, answer] = [
    readText(instruction, 'instruction'),
    input == null ? '' : readText(input, 'input'),
    readText(output, 'output'),
  ];
  const question = more.trim() ? `${asked}\n\n${more}` : asked;
  return {
    messages: [
      ...systemMessage(system),
      ...readHistory(history),
      { role: 'user', content: question },
      { role: 'assistant', content: answer },
    ],
  };
}

/** Earlier turns, as pairs of question and answer. */
function readHistory(history: unknown): Json[] {
  if (history == null) return [];
  if (!Array.isArray(history)) throw new TextError('history is not a list');
  return history.flatMap((pair, index) => {
    const at = `history[${index}]`;
    if (!Array.isArray(pair) || pair.length !== 2)
      throw new TextError(`${at} is not a question and an answer`);
    return [
      { role: 'user', content: readText(pair[0], `${at}[0]`) },
      { role: 'assistant', content: readText(pair[1], `${at}[1]`) },
    ];
  });
}

function systemMessage(system: unknown): Json[] {
  if (system == null) return [];
  const content = readText(system, 'system');
  return content.trim() ? [{ role: 'system', content }] : [];
}

/** ShareGPT writes them as a text, which may be empty. */
function parseTools(tools: unknown): unknown {
  if (typeof tools !== 'string') return tools ?? undefined;
  if (tools.trim() === '') return undefined;
  try {
    return JSON.parse(tools);
  } catch {
    throw new TextError('tools is not valid JSON');
  }
}

function readText(value: unknown, at: string): string {
  if (typeof value !== 'string') throw new TextError(`${at} is not a string`);
  return value;
}
