// Fills `{{ item.answer }}` and `{{ sample.output_json.name }}` in the texts of a grader. What is filled in is not read again.
import { AnswerFault, GradingError } from './faults.js';

/** An answer as graders see it. */
interface Sample {
  text: string;
  /** As in a chat completion. */
  toolCalls?: readonly ToolCall[] | undefined;
}

interface ToolCall {
  id?: string;
  type?: 'function';
  function: { name: string; arguments: string };
}

export interface Graded {
  /** The row that the answer is for. */
  item: unknown;
  sample: Sample;
}

type Step = string | number;

interface Placeholder {
  written: string;
  root: 'item' | 'sample';
  path: readonly Step[];
}

export type Template = readonly (string | Placeholder)[];

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const NAMESPACE = /^(item|sample)(?=[.[]|$)/;
/** `.name`, `[0]`, `['any name']` or `["any name"]`. */
const STEP = /\.([\p{L}_$][\p{L}\p{N}_$-]*)|\[(\d{1,9})\]|\['([^'\]]*)'\]|\["([^"\]]*)"\]/uy;

const SAMPLE_VARIABLES = ['output_text', 'output_json', 'output_tools', 'choices'] as const;
type SampleVariable = (typeof SAMPLE_VARIABLES)[number];

/** Throws a `GradingError` for a placeholder that names nothing. */
export function parseTemplate(text: string): Template {
  const parts: (string | Placeholder)[] = [];
  let end = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    parts.push(text.slice(end, match.index), parsePlaceholder(match[1]!.trim()));
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
}

function parsePlaceholder(written: string): Placeholder {
  const root = NAMESPACE.exec(written)?.[1] as Placeholder['root'] | undefined;
  const path = root && parsePath(written, root.length);
  if (!root || !path || path.length === 0)
    throw invalid(written, 'write a path such as `item.answer` or `sample.output_text`');
  if (root === 'sample' && !SAMPLE_VARIABLES.includes(path[0] as SampleVariable))
    throw invalid(written, `an answer has ${SAMPLE_VARIABLES.map(name => `sample.${name}`).join(', ')}`);
  return { written, root, path };
}

/** Null if it is not a path. */
function parsePath(written: string, start: number): Step[] | null {
  const path: Step[] = [];
  STEP.lastIndex = start;
  for (let at = start; at < written.length; at = STEP.lastIndex) {
    const step = STEP.exec(written);
    if (!step) return null;
    const [, name, index, single, double] = step;
    path.push(name ?? single ?? double ?? Number(index));
  }
  return path;
}

const invalid = (written: string, hint: string) =>
  new GradingError('invalid_variable_error', `{{ ${written.slice(0, 100)} }} names nothing: ${hint}.`);

/**
 * Texts as they are, other values as JSON. Throws a `GradingError` if the row lacks a value, and an `AnswerFault` if the answer
 * does.
 */
export function fillTemplate(template: Template, graded: Graded): string {
  return template.map(part => (typeof part === 'string' ? part : write(read(part, graded)))).join('');
}

const write = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

function read({ root, path, written }: Placeholder, { item, sample }: Graded): unknown {
  if (root === 'item') {
    const value = follow(item, path);
    if (value !== undefined) return value;
    throw new GradingError('invalid_variable_error', `The row has no ${written}.`);
  }
  const [variable, ...rest] = path;
  const value = follow(SAMPLE[variable as SampleVariable](sample), rest);
  if (value === undefined) throw new AnswerFault(`The answer has no ${written}.`);
  return value;
}

const SAMPLE: Record<SampleVariable, (sample: Sample) => unknown> = {
  output_text: ({ text }) => text,
  output_json: readJson,
  output_tools: ({ toolCalls = [] }) => toolCalls,
  choices: ({ text, toolCalls = [] }) => [
    {
      index: 0,
      finish_reason: toolCalls.length > 0 ? 'tool_calls' : 'stop',
      message: {
        role: 'assistant',
        content: text,
        ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
      },
    },
  ],
};

function readJson({ text }: Sample): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AnswerFault('The answer is not JSON.');
  }
}

/** Only what the value itself has: no methods, and no length. */
function follow(value: unknown, path: readonly Step[]): unknown {
  return path.reduce<unknown>((inner, step) => {
    if (Array.isArray(inner)) return typeof step === 'number' ? inner[step] : undefined;
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, step)) return undefined;
    return (inner as Record<string, unknown>)[step];
  }, value);
}
