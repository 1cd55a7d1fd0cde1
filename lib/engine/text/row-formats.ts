// The formats of rows that can be trained on, by their columns, in the order in which they are looked for. Every other
// part that needs to know a format asks here.
import type { LearningMethod } from '../../contract/index.js';
import { TextError, unlessRejected } from './errors.js';
import { fromOpenAi, fromPreference, LEADS } from './preference-rows.js';
import { readHistory, readQuestion, readText, systemText, withSystem } from './row-prompts.js';
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
  /** Further ones, in which a row has what comes before its answer. */
  readonly leads?: readonly string[];
  /**
   * The row as chat messages, a prompt and completion, a text, or a prompt with a chosen and a rejected answer; the row
   * itself is one of these by default.
   */
  readonly convert?: (row: Json) => Json;
}

export const ROW_FORMATS: readonly RowFormat[] = [
  {
    name: 'messages',
    method: 'sft',
    needs: ['messages'],
    takes: ['tools', LOGPROBS],
    leads: ['system'],
    convert: fromChat,
  },
  {
    name: 'prompt and completion',
    method: 'sft',
    needs: ['prompt', 'completion'],
    takes: ['tools', LOGPROBS],
    leads: ['system'],
    convert: fromCompletion,
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
    leads: LEADS,
    convert: fromPreference,
  },
  {
    name: "OpenAI's preferences",
    method: 'dpo',
    needs: ['preferred_output', 'non_preferred_output'],
    takes: ['prompt', 'input', 'messages', 'tools'],
    leads: LEADS,
    convert: fromOpenAi,
  },
  {
    name: 'prompts',
    method: 'grpo',
    needs: ['messages'],
    takes: ['tools'],
    leads: ['system'],
    convert: fromChat,
  },
];

/** Null if rows with these columns cannot be trained on, by this method or by any. */
export function formatOf(columns: readonly string[], method?: LearningMethod): RowFormat | null {
  const fits = (format: RowFormat) =>
    (method === undefined || format.method === method) &&
    format.needs.every(column => columns.includes(column));
  return ROW_FORMATS.find(fits) ?? null;
}

/** The methods that may be able to train on rows with these columns. */
export function methodsFor(columns: readonly string[]): LearningMethod[] {
  const methods = new Set(ROW_FORMATS.map(({ method }) => method));
  return [...methods].filter(method => formatOf(columns, method) !== null);
}

/** The row as its format converts it; null if it has none. Throws a `TextError`. */
export function convertRow(row: Json, method?: LearningMethod): Json | null {
  const format = formatOf(Object.keys(row), method);
  return format && (format.convert?.(row) ?? row);
}

/**
 * The columns of a row that decide what is learned. One that leads to the answer counts only where it changes that, so that rows
 * which have it for nothing are the same as those without it.
 */
export function contentColumns(row: Json): string[] {
  const { needs = [], takes = [], leads = [], convert } = formatOf(Object.keys(row)) ?? {};
  const found = leads.filter(name => row[name] != null);
  if (!convert || found.length === 0) return [...needs, ...takes];
  const learned = unlessRejected(() => learnedFrom(convert(row)));
  const counted: string[] = [];
  let left = row;
  // One after the other: of two that say the same, one counts.
  for (const name of found) {
    const { [name]: _, ...without } = left;
    const isIdle = learned !== undefined && unlessRejected(() => learnedFrom(convert(without))) === learned;
    if (isIdle) left = without;
    else counted.push(name);
  }
  return [...needs, ...takes, ...counted];
}

/** To compare what is learned of a row. */
function learnedFrom({ messages, prompt, completion, chosen, rejected, tools }: Json): string {
  return JSON.stringify([messages, prompt, completion, chosen, rejected, tools]);
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

function fromChat({ system, messages, ...row }: Json): Json {
  return { ...row, messages: withSystem(systemText(system), messages) };
}

function fromCompletion({ system, prompt, ...row }: Json): Json {
  return { ...row, prompt: withSystem(systemText(system), prompt) };
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
  return { messages: withSystem(system, messages), tools: parseTools(tools) };
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
  const turns = [
    ...readHistory(history),
    { role: 'user', content: readQuestion({ instruction, input }) },
    { role: 'assistant', content: readText(output, 'output') },
  ];
  return { messages: withSystem(system, turns) };
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
