// Asks a model one question. The same question is asked once in a process: at temperature 0, or with a seed, the answer would be
// the same.
import {
  type ChatCompletion,
  type ChatMessage,
  type InferenceRequest,
  modelFields,
} from '../contract/index.js';
import { answerSchema, patiently } from '../sdk/index.js';
import { writeMessages } from '../task/index.js';
import type { TestedModel } from './choose-model.js';

type Asked = Pick<
  InferenceRequest,
  'temperature' | 'topP' | 'maxTokens' | 'stop' | 'seed' | 'schema' | 'tools' | 'toolChoice'
>;

/** Temperature is 0 unless it is given. */
export interface AskOptions extends Asked {
  /** Instructions before the question. */
  system?: string;
}

/** A text, an input of the model's task, or whole messages. */
export type Question<Input = string | Readonly<Record<string, unknown>>> = Input | readonly ChatMessage[];

export interface ToolCall {
  name: string;
  /** Parsed; as they were written if they are not JSON. */
  arguments: unknown;
}

export interface Answer<Output = unknown> {
  readonly text: string;
  /** The text as a value of the task; without a task, as JSON if it is. Throws if it does not fit the task. */
  readonly output: Output;
  readonly toolCalls: readonly ToolCall[];
  /** What was asked. */
  readonly messages: readonly ChatMessage[];
  readonly temperature: number;
  /** What answered. */
  readonly model: string;
}

export type Ask<Input = string | Readonly<Record<string, unknown>>, Output = unknown> = (
  question: Question<Input>,
  options?: AskOptions,
) => Promise<Answer<Output>>;

export interface Reply {
  text: string;
  toolCalls: readonly ToolCall[];
}

export async function askModel(
  model: TestedModel,
  question: Question<unknown>,
  { system, ...asked }: AskOptions = {},
): Promise<Answer> {
  const written = await toMessages(model, question);
  const messages =
    system === undefined ? written : [{ role: 'system' as const, content: system }, ...written];
  const { temperature = 0 } = asked;
  const reply = await askOnce(model, toRequest(model, messages, asked));
  return toAnswer(model, reply, { messages, temperature });
}

/** What is sent, with the defaults of a test. Answers with fields are constrained to their schema, as when they are served. */
export function toRequest(
  { subject: { target }, task, maxTokens }: TestedModel,
  messages: readonly ChatMessage[],
  { temperature = 0, tools, ...asked }: Asked = {},
): InferenceRequest & { stream: false } {
  const schema = asked.schema ?? (tools ? null : answerSchema(task));
  return {
    messages: [...messages],
    ...modelFields(target),
    temperature,
    maxTokens,
    ...asked,
    ...(schema && { schema }),
    ...(tools && { tools }),
    stream: false,
  };
}

async function toMessages({ own, task }: TestedModel, question: Question<unknown>): Promise<ChatMessage[]> {
  if (isConversation(question)) return [...question];
  if (own) return own.toMessages(question);
  if (task?.prompt) return writeMessages(task.prompt, task.input, question) as ChatMessage[];
  if (task)
    throw new TypeError(
      `Only the program can write the messages of the task ${task.name}. Pass it: describeModel(name, { task: … }, …), or ask with messages.`,
    );
  return [{ role: 'user', content: typeof question === 'string' ? question : JSON.stringify(question) }];
}

function isConversation(question: unknown): question is readonly ChatMessage[] {
  return (
    Array.isArray(question) &&
    question.length > 0 &&
    question.every(message => typeof message?.role === 'string' && 'content' in message)
  );
}

/** The oldest are dropped. */
const MOST_REPLIES = 50_000;
const replies = new Map<string, Promise<Reply>>();

export const replyKey = (request: InferenceRequest) => JSON.stringify(request);

export function keepReply(key: string, reply: Promise<Reply>): void {
  replies.set(key, reply);
  if (replies.size > MOST_REPLIES) replies.delete(replies.keys().next().value!);
}

export const knownReply = (key: string): Promise<Reply> | undefined => replies.get(key);

/** @internal */
export const forgetReplies = () => replies.clear();

function askOnce(model: TestedModel, request: InferenceRequest & { stream: false }): Promise<Reply> {
  if (request.temperature !== 0 && request.seed === undefined) return ask(model, request);
  const key = replyKey(request);
  const known = knownReply(key);
  if (known) return known;
  const reply = ask(model, request);
  keepReply(key, reply);
  // A question that failed may be asked again.
  reply.catch(() => replies.delete(key));
  return reply;
}

function ask({ session }: TestedModel, request: InferenceRequest & { stream: false }): Promise<Reply> {
  const { clock } = session;
  const startedAt = clock.elapsed();
  const chat = async () => toReply(await (await session.projectClient()).chat(request));
  return patiently(chat, undefined, clock, () => startedAt);
}

function toReply({ choices }: ChatCompletion): Reply {
  const { content, tool_calls: calls = [] } = choices[0]!.message;
  return {
    text: content ?? '',
    toolCalls: calls.map(({ function: { name, arguments: given } }) => ({
      name,
      arguments: parseJson(given),
    })),
  };
}

function toAnswer(
  { own, label }: Pick<TestedModel, 'own' | 'label'>,
  { text, toolCalls }: Reply,
  asked: Pick<Answer, 'messages' | 'temperature'>,
): Promise<Answer> {
  const answer = { text, toolCalls, ...asked, model: label };
  if (!own) return Promise.resolve(withOutput(answer, () => parseJson(text)));
  return own.readAnswer(text).then(
    output => withOutput(answer, () => output),
    error =>
      withOutput(answer, () => {
        throw error;
      }),
  );
}

/** Not enumerable, so that printing an answer that does not fit its task is no error. */
function withOutput(answer: Omit<Answer, 'output'>, read: () => unknown): Answer {
  return Object.defineProperty(answer, 'output', { get: read }) as Answer;
}

/** A text that is not an object or a list stays a text: no one asked for `42` as a number. */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : text;
  } catch {
    return text;
  }
}
