// A typed task: what an adapter is asked and how it answers, as plain JSON. Scores, constraints, interfaces and generated
// clients read it, so none of them needs the program's own schemas.
import * as z from 'zod/mini';
import { boundList, printable } from './text.js';

/** `labels`: one of several texts. `fields`: an object. `text`: any other text. */
const TASK_KINDS = ['labels', 'fields', 'text'] as const;

/** The types of an answer's fields, as scores distinguish them. */
const FIELD_TYPES = ['text', 'label', 'number', 'boolean', 'list', 'object', 'any'] as const;

/** @internal */
export const MOST_LABELS = 1000;
/** In characters of JSON. @internal */
export const LONGEST_TASK = 64_000;
const MOST_FIELDS = 200;
const DEEPEST_TASK = 40;
const LONGEST_LABEL = 500;
const MOST_MESSAGES = 50;

/** JSON Schema, draft 2020-12, without references to other documents. */
const jsonSchema = z.record(z.string(), z.unknown());

const label = z.string().check(z.maxLength(LONGEST_LABEL));
/** The texts that an answer may be. */
export const taskLabels = boundList(
  z.array(label).check(z.minLength(1), z.maxLength(MOST_LABELS)),
  MOST_LABELS,
);

const field = {
  name: z.string().check(z.maxLength(LONGEST_LABEL)),
  type: z.enum(FIELD_TYPES),
  /** Answers may leave it out. */
  optional: z.optional(z.boolean()),
  /** It may be null. */
  nullable: z.optional(z.boolean()),
  /** Those of the type `label`. */
  labels: z.optional(taskLabels),
};

const taskField = z.object(field);

/** A text as it is, or a value of the input: as text, or as JSON. An empty path is the whole input. */
const promptPart = z.union([
  z.string(),
  z.object({ path: z.array(z.string()), as: z.enum(['text', 'json', 'indented']) }),
]);

const promptMessage = z.object({
  role: z.enum(['system', 'user', 'assistant', 'developer']),
  content: z.array(promptPart),
});

const fields = {
  name: printable(64),
  kind: z.enum(TASK_KINDS),
  input: jsonSchema,
  output: jsonSchema,
  /** Of the kind `labels`, in their order. */
  labels: z.optional(taskLabels),
  /** Of the kind `fields`, in their order. */
  fields: z.optional(boundList(z.array(taskField).check(z.maxLength(MOST_FIELDS)), MOST_FIELDS)),
  /** Missing if only the program can write the messages. */
  prompt: z.optional(
    boundList(z.array(promptMessage).check(z.minLength(1), z.maxLength(MOST_MESSAGES)), MOST_MESSAGES),
  ),
};

/** A task in a request. */
export const taskInput = z.strictObject(fields).check(
  z.refine(task => isWithin(task, DEEPEST_TASK), { error: `must be nested at most ${DEEPEST_TASK} levels` }),
  z.refine(task => !isWithin(task, DEEPEST_TASK) || JSON.stringify(task).length <= LONGEST_TASK, {
    // Written when it is needed: the first number with separators takes 15 ms.
    error: () => `must have at most ${LONGEST_TASK.toLocaleString('en')} characters of JSON`,
  }),
  z.refine(({ kind, labels: given }) => (kind === 'labels') === (given !== undefined), {
    path: ['labels'],
    error: 'must be there for the kind `labels` only',
  }),
  z.refine(({ kind, fields: given }) => (kind === 'fields') === (given !== undefined), {
    path: ['fields'],
    error: 'must be there for the kind `fields` only',
  }),
  z.refine(({ labels: given = [] }) => new Set(given).size === given.length, {
    path: ['labels'],
    error: 'must not have a label twice',
  }),
);

/** A task in a response: what newer clouds add is dropped. */
export const taskDescription = z.object(fields);

export type TaskDescription = z.output<typeof taskDescription>;

/** Whether a value of JSON has at most this many levels. */
function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every(part => isWithin(part, levels - 1));
}
