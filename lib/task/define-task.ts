// A typed task: what goes into an adapter and comes out of it, and how it is asked.
import { findFault, OptionError, type TaskDescription, taskInput } from '../contract/index.js';
import { capturePrompt } from './capture-prompt.js';
import { parseAnswer } from './client/client.js';
import { inOrder } from './client/in-order.js';
import { TaskError, type TaskMessage } from './client/types.js';
import { describeOutput } from './describe-output.js';
import {
  checkValue,
  type SchemaInput,
  type SchemaOutput,
  type TaskSchema,
  toJsonSchema,
} from './task-schema.js';

/** The messages that ask for an answer; a text is one message of the user. */
export type TaskPrompt<Input> = (input: Input) => string | readonly TaskMessage[];

export interface TaskOptions<Input extends TaskSchema, Output extends TaskSchema> {
  /** Shown with jobs and endpoints. 1 to 64 characters. */
  name: string;
  /** What is asked about: `z.object({ … })` or `z.string()`, of zod 4 or another library of the Standard Schema. */
  input: Input;
  /** The answer: an object, a text, or one of several texts (`z.enum([…])`), which makes it a classification. */
  output: Output;
  /** Default: the input, as text or as JSON. */
  prompt?: TaskPrompt<SchemaOutput<Input>>;
}

export interface Task<Input extends TaskSchema = TaskSchema, Output extends TaskSchema = TaskSchema> {
  readonly name: string;
  readonly input: Input;
  readonly output: Output;
  /** The task as JSON, as jobs and endpoints show it. */
  readonly description: TaskDescription;
  /** What a model is asked. Throws a `TaskError` for an input that does not fit. */
  toMessages(input: SchemaInput<Input>): Promise<TaskMessage[]>;
  /** What a model should answer, as text. Throws a `TaskError` for an output that does not fit. */
  toAnswer(output: SchemaInput<Output>): Promise<string>;
  /** The value of an answer. Throws a `TaskError` if it does not fit. */
  readAnswer(answer: string): Promise<SchemaOutput<Output>>;
}

/** Defines a task. Throws a TypeError if a schema cannot be used. */
export function defineTask<const Input extends TaskSchema, const Output extends TaskSchema>(
  options: TaskOptions<Input, Output>,
): Task<Input, Output> {
  if (typeof options !== 'object' || options === null)
    throw new OptionError('defineTask: pass an object with options.');
  const { name, input, output, prompt = writePlainly, ...others } = options;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new OptionError(`defineTask: unknown option \`${unknown}\`.`);
  if (typeof prompt !== 'function') throw new OptionError('defineTask: `prompt` must be a function.');
  const write = (value: never) => toMessageList(name, prompt(value));
  const described: TaskDescription = {
    name,
    input: toJsonSchema(input, 'input'),
    output: toJsonSchema(output, 'output'),
    ...describeOutput(toJsonSchema(output, 'output')),
  };
  const captured = capturePrompt(write, described.input, input);
  const description = captured ? { ...described, prompt: captured } : described;
  const fault = findFault(taskInput, description, 'The task');
  if (fault) throw new OptionError(`defineTask: ${fault}`);

  return {
    name,
    input,
    output,
    description,
    async toMessages(value) {
      const checked = await checkValue(input, value);
      if ('fault' in checked) throw unfit('input', checked.fault);
      return write(checked.value as never);
    },
    async toAnswer(value) {
      const checked = await checkValue(output, value);
      if ('fault' in checked) throw unfit('output', checked.fault);
      return toAnswer(description, value);
    },
    async readAnswer(answer) {
      try {
        return await readOutput(output, parseAnswer(description, answer));
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new TaskError('answer_invalid', `The answer does not fit the task ${name}: ${reason}`, {
          answer,
          cause,
        });
      }
    },
  };
}

/** The value of a parsed answer. Throws an error that says what does not fit. */
export async function readOutput<Output extends TaskSchema>(
  schema: Output,
  answer: unknown,
): Promise<SchemaOutput<Output>> {
  const checked = await checkValue(schema, answer);
  if ('fault' in checked) throw new Error(sayFault('', checked.fault));
  return checked.value as SchemaOutput<Output>;
}

function writePlainly(input: unknown): string {
  return typeof input === 'string' ? input : JSON.stringify(input);
}

function toMessageList(name: string, written: string | readonly TaskMessage[]): TaskMessage[] {
  if (typeof written === 'string') return [{ role: 'user', content: written }];
  const isList =
    Array.isArray(written) &&
    written.length > 0 &&
    written.every(message => typeof message?.role === 'string' && typeof message.content === 'string');
  if (isList) return written.map(({ role, content }) => ({ role, content }));
  throw new OptionError(
    `The \`prompt\` of the task ${name} must return a text or a list of messages with \`role\` and \`content\`.`,
  );
}

interface Fault {
  path: string;
  message: string;
}

function unfit(part: 'input' | 'output', fault: Fault): TaskError {
  return new TaskError('input_invalid', sayFault(part, fault));
}

/** `output.kind: Invalid option: …` */
function sayFault(part: string, { path, message }: Fault): string {
  const whole = [part, path].filter(Boolean).join(path.startsWith('[') ? '' : '.');
  return whole ? `\`${whole}\`: ${message}` : message;
}

/** An output as a model learns it: objects have their fields in the schema's order, as constrained answers do. */
function toAnswer({ kind, output }: Pick<TaskDescription, 'kind' | 'output'>, value: unknown): string {
  return kind === 'fields' ? JSON.stringify(inOrder(output, value, output)) : String(value);
}
