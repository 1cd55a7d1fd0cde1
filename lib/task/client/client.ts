// A task as a function. `svc endpoints client` writes the files of this folder into other projects, so they import nothing but
// each other, and what waits and checks is handed in.
import { type Answer, type Asking, askEndpoint, type Sleep } from './ask-endpoint.js';
import { scoreFields, scoreLabels, sumOf } from './likelihoods.js';
import {
  type AskedTask,
  type AskOptions,
  type LikelyAnswer,
  type TaskClient,
  type TaskConnection,
  TaskError,
  type TaskMessage,
} from './types.js';

/** What differs between programs that have the task's own schemas and those that do not. */
export interface TaskParts<Input, Output> {
  /** Throws a `TaskError` for an input that does not fit. */
  toMessages(input: Input): TaskMessage[] | Promise<TaskMessage[]>;
  /** The value of a parsed answer. Throws an error that says what does not fit. */
  readOutput(answer: unknown): Output | Promise<Output>;
  sleep: Sleep;
}

export function createTaskClient<Input, Output>(
  task: AskedTask,
  connection: TaskConnection,
  { toMessages, readOutput, sleep }: TaskParts<Input, Output>,
): TaskClient<Input, Output> {
  const ask = (messages: TaskMessage[], asking: Asking) =>
    askEndpoint(task, connection, messages, { labels: task.labels, sleep, ...asking });

  async function read({ text, isCut }: Answer): Promise<Output> {
    const refuse = (why: string, cause?: unknown) =>
      new TaskError('answer_invalid', `The answer does not fit the task ${task.name}: ${why}`, {
        answer: text,
        cause,
      });
    if (isCut) throw refuse('it was cut off. Allow more tokens.');
    try {
      return await readOutput(parseAnswer(task, text));
    } catch (cause) {
      throw refuse(cause instanceof Error ? cause.message : String(cause), cause);
    }
  }

  async function withProbabilities(input: Input, { signal }: AskOptions = {}): Promise<LikelyAnswer<Output>> {
    const messages = await toMessages(input);
    const answer = await ask(messages, { signal, isScored: true });
    const output = await read(answer);
    if (answer.tokens.length === 0 && answer.text !== '')
      throw new TaskError('request_failed', 'The endpoint sent no log probabilities.', {
        answer: answer.text,
      });
    if (task.labels) {
      const askAmong = (labels: readonly string[]) => ask(messages, { signal, labels, isScored: true });
      const probabilities = await scoreLabels(task.labels, answer, askAmong);
      return { output, probability: probabilities[answer.text.trim()]!, probabilities };
    }
    const probability = Math.exp(sumOf(answer.tokens.map(({ logprob }) => logprob)));
    return { output, probability, probabilities: task.kind === 'fields' ? scoreFields(answer) : {} };
  }

  const client = async (input: Input, { signal }: AskOptions = {}) =>
    read(await ask(await toMessages(input), { signal }));
  return Object.assign(client, { withProbabilities });
}

/** A label or a text is the answer as it is written; an object is JSON. Throws an error that says what is wrong. */
export function parseAnswer({ kind, labels }: AskedTask, answer: string): unknown {
  if (kind === 'text') return answer;
  if (kind === 'labels') {
    const label = answer.trim();
    if (labels?.includes(label)) return label;
    throw new Error(`${quote(answer)} is not one of its ${labels?.length ?? 0} labels.`);
  }
  try {
    return JSON.parse(answer);
  } catch {
    throw new Error(`${quote(answer)} is not JSON.`);
  }
}

const LONGEST_QUOTE = 120;

function quote(text: string): string {
  return JSON.stringify(text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text);
}
