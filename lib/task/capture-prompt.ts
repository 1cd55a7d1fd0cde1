// Finds out what a task's `prompt` writes around the values of its input, so that endpoints, and programs without its code,
// can write the same messages. A prompt that does more than putting values into texts cannot be captured; that is noticed by
// trying it on inputs of different kinds.
import { isDeepStrictEqual } from 'node:util';
import { resolve } from './client/fits.js';
import { inOrder } from './client/in-order.js';
import { type PromptMessage, type PromptValue, writeMessages } from './client/messages.js';
import type { TaskMessage } from './client/types.js';
import type { JsonSchema, TaskSchema } from './task-schema.js';

type Write = (input: never) => readonly TaskMessage[];

/** `schema`: the program's own of the input. Null if the prompt cannot be captured. */
export function capturePrompt(write: Write, input: JsonSchema, schema: TaskSchema): PromptMessage[] | null {
  try {
    const marks: Mark[] = [];
    const marked = makeInput(input, {
      root: input,
      leaf: (_, path) => mark(marks, path),
      isFull: true,
      items: 1,
    });
    const prompt = write(marked as never).map(({ role, content }) => ({
      role,
      content: findValues(content, valuesIn(marked, marks)),
    }));
    const isSame = makeTrials(input).every(trial =>
      isDeepStrictEqual(writeMessages(prompt, input, trial), write(read(schema, input, trial) as never)),
    );
    return isSame ? prompt : null;
  } catch {
    return null;
  }
}

/** What the task's own prompt gets: with the changes of the program's schema, if it takes the trial, and says so at once. */
function read(schema: TaskSchema, input: JsonSchema, trial: unknown): unknown {
  const checked = schema['~standard'].validate(trial);
  if (checked instanceof Promise) checked.catch(() => {});
  else if (!checked.issues) return checked.value;
  return inOrder(input, trial, input, true);
}

interface Mark {
  path: string[];
  text: string;
}

/** Private characters, which no prompt has. */
function mark(marks: Mark[], path: string[]): string {
  const text = `\uE000${marks.length}\uE001`;
  marks.push({ path, text });
  return text;
}

interface Making {
  root: JsonSchema;
  leaf(schema: JsonSchema, path: string[]): unknown;
  /** With the optional fields. */
  isFull: boolean;
  /** How many entries lists have. */
  items: number;
}

const MOST_LEVELS = 10;

function makeInput(given: unknown, making: Making, path: string[] = []): unknown {
  const schema = simplify(given, making.root);
  if (schema.type === 'object' && schema.properties && path.length < MOST_LEVELS) {
    const required = (schema.required ?? []) as string[];
    const fields = Object.entries(schema.properties).filter(
      ([name]) => making.isFull || required.includes(name),
    );
    return Object.fromEntries(fields.map(([name, part]) => [name, makeInput(part, making, [...path, name])]));
  }
  if (schema.type === 'array')
    return Array.from({ length: making.items }, (_, index) =>
      makeInput(schema.items ?? {}, making, [...path, String(index)]),
    );
  return making.leaf(schema, path);
}

/** A schema without references and choices. */
function simplify(given: unknown, root: JsonSchema): JsonSchema {
  let schema = (typeof given === 'object' && given !== null ? given : {}) as JsonSchema;
  for (let level = 0; level < MOST_LEVELS; level++) {
    const branches = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
    if (typeof schema.$ref === 'string') schema = resolve(root, schema.$ref) as JsonSchema;
    else if (branches?.length) schema = branches.find(({ type }) => type !== 'null') ?? branches[0]!;
    else break;
  }
  return schema;
}

/**
 * Real values: short texts, and one that is longer than what prompts cut, with white space at both ends and what JSON escapes;
 * with and without optional fields.
 */
function makeTrials(input: JsonSchema): unknown[] {
  const long = ` Two lines,\n"quoted" \\ and é${' and more'.repeat(5000)}\n`;
  const texts = [long, 'x', ''];
  const numbers = [1234.5, 0, -7];
  return [true, false].flatMap(isFull =>
    [0, 1, 2].map(index => {
      const leaf = (schema: JsonSchema) => {
        const choices = (schema.enum as unknown[] | undefined) ?? ('const' in schema ? [schema.const] : null);
        if (choices) return choices.at(index % choices.length);
        if (schema.type === 'number' || schema.type === 'integer') return numbers[index];
        if (schema.type === 'boolean') return index % 2 === 0;
        if (schema.type === 'null') return null;
        return texts[index];
      };
      return makeInput(input, { root: input, leaf, isFull, items: 2 - index });
    }),
  );
}

interface Needle {
  text: string;
  value: PromptValue;
}

/** Every way in which a value of the input may appear in a text, the longest first. */
function valuesIn(input: unknown, marks: readonly Mark[]): Needle[] {
  const needles: Needle[] = marks.map(({ text, path }) => ({ text, value: { path, as: 'text' } }));
  const add = (value: unknown, path: string[]) => {
    if (typeof value !== 'object' || value === null) return;
    needles.push({ text: JSON.stringify(value), value: { path, as: 'json' } });
    needles.push({ text: JSON.stringify(value, null, 2), value: { path, as: 'indented' } });
    for (const [name, inner] of Object.entries(value)) add(inner, [...path, name]);
  };
  add(input, []);
  return needles.sort((a, b) => b.text.length - a.text.length);
}

function findValues(content: string, needles: readonly Needle[]): (string | PromptValue)[] {
  let parts: (string | PromptValue)[] = [content];
  for (const { text, value } of needles)
    parts = parts.flatMap(part =>
      typeof part === 'string'
        ? part.split(text).flatMap((piece, index) => (index === 0 ? [piece] : [value, piece]))
        : [part],
    );
  return parts.filter(part => part !== '');
}
