// From prompts to what a teacher is asked, in the order of the prompts.
import { createHash } from 'node:crypto';
import { ApiError, withoutWeight } from '../../contract/index.js';
import { reasonOf } from '../../engine/text/errors.js';
import { convertRow } from '../../engine/text/row-formats.js';
import { TaskRowError, type TaskRows, WrongRows } from '../../task/index.js';
import { openRows } from '../evaluation/read-rows.js';
import type { DistilOptions, DistilPrompt, DistilSettings } from './options.js';

type Message = Readonly<Record<string, unknown> & { role: string }>;

export interface Question {
  /** The prompt as it was given. */
  readonly row: DistilPrompt;
  /** Which one it is, for errors. */
  readonly at: string;
  readonly messages: readonly Message[];
  readonly tools?: unknown;
}

/** One answer that is wanted. */
export interface Ask {
  readonly question: Question;
  readonly sample: number;
  /** Names all that decides the answer but its length. Prompts that are the same share it. */
  readonly key: string;
  /** The request, without the limit of its length. */
  readonly body: Readonly<Record<string, unknown>>;
}

interface ReadContext {
  /** The project's folder. */
  folder: string;
  task?: TaskRows | undefined;
  signal?: AbortSignal | undefined;
}

export async function readQuestions(
  prompts: DistilOptions['prompts'],
  { folder, task, signal }: ReadContext,
): Promise<Question[]> {
  const questions: Question[] = [];
  const wrong = new WrongRows();
  const isFile = typeof prompts === 'string';
  const { name, given } = isFile
    ? await openRows({ type: 'file', path: prompts }, { folder, cacheFolder: '', signal })
    : { name: '`prompts`', given: prompts.map((row, index) => ({ row, at: `prompt ${index + 1}` })) };
  for await (const { row, at } of given) {
    signal?.throwIfAborted();
    await readPrompt(row, at, task).then(
      read => questions.push({ row, at, ...read }),
      error => wrong.add(error, at),
    );
  }
  const fault = wrong.describe(task?.description().name ?? '');
  if (fault) throw new ApiError('dataset_invalid', fault, { param: 'dataset' });
  if (questions.length === 0) throw refuse(`${name} has no prompts.`);
  return questions;
}

type ReadPrompt = Pick<Question, 'messages' | 'tools'>;

async function readPrompt(row: DistilPrompt, at: string, task: TaskRows | undefined): Promise<ReadPrompt> {
  if (typeof row === 'string') {
    if (task) throw new TaskRowError('it is a text; prompts for a task are rows with its `input`');
    return fromUser(row);
  }
  if (typeof row !== 'object' || row === null || Array.isArray(row))
    throw refuse(`${at} is neither a text nor an object.`);
  if (task) return { messages: (await task.ask(row)) as Message[] };
  const { messages, prompt, tools } = convert(row, at);
  const more = { ...(tools != null && { tools: readTools(tools, at) }) };
  if (messages !== undefined) return { messages: readMessages(messages, at), ...more };
  if (typeof prompt === 'string') return { ...fromUser(prompt), ...more };
  if (prompt !== undefined) return { messages: readMessages(prompt, at), ...more };
  if (typeof row.input === 'string') return fromUser(row.input);
  const columns = Object.keys(row).join(', ') || 'nothing';
  throw refuse(`${at} needs prompt, messages, conversations, instruction or input, and has ${columns}.`);
}

/** As training reads it, whatever its answer may be. Empty for other rows. */
function convert(row: Exclude<DistilPrompt, string>, at: string): Readonly<Record<string, unknown>> {
  const given = Object.fromEntries(Object.entries(row).filter(([, value]) => value != null));
  try {
    return convertRow({ ...given, completion: '', output: '' }, 'sft') ?? {};
  } catch (error) {
    throw refuse(`${at}: ${reasonOf(error)}.`);
  }
}

const fromUser = (content: string): ReadPrompt => ({ messages: [{ role: 'user', content }] });

/** Without the answer that the row may have. */
function readMessages(given: unknown, at: string): Message[] {
  if (!Array.isArray(given) || given.some(message => typeof message?.role !== 'string'))
    throw refuse(`${at} has messages that are not a list of objects with a role.`);
  const last = given.findLastIndex(({ role }: Message) => role !== 'assistant');
  if (last < 0 || given[last].role === 'system' || given[last].role === 'developer')
    throw refuse(`${at} has no question to answer.`);
  return given.slice(0, last + 1) as Message[];
}

/** Tables such as CSV have them as a text. */
function readTools(tools: unknown, at: string): unknown {
  if (typeof tools !== 'string') return tools;
  try {
    return JSON.parse(tools) as unknown;
  } catch {
    throw refuse(`${at} has tools that are not valid JSON.`);
  }
}

/** Several for each question if there are `samples`. */
export function planAsks(questions: readonly Question[], settings: DistilSettings): Ask[] {
  return questions.flatMap(question => {
    const body = toBody(question, settings);
    const digest = createHash('sha256').update(writeSorted(body));
    return Array.from({ length: settings.samples }, (_, sample) => ({
      question,
      sample,
      key: digest.copy().update(`\n${sample}`).digest('hex'),
      body,
    }));
  });
}

function toBody({ messages, tools }: Question, settings: DistilSettings): Ask['body'] {
  const { teacher, system, samples, request, soft } = settings;
  const { temperature = samples === 1 ? 0 : null } = settings;
  const asked = messages.map(withoutWeight);
  const own = asked.filter(({ role }) => role !== 'system' && role !== 'developer');
  return {
    ...request,
    model: teacher.model,
    messages: system === undefined ? asked : [{ role: 'system', content: system }, ...own],
    ...(tools !== undefined && { tools }),
    ...(temperature !== null && { temperature }),
    ...(soft && { logprobs: true, top_logprobs: soft.topLogprobs }),
  };
}

/** JSON that is the same in whichever order fields were written. */
function writeSorted(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

function refuse(message: string): ApiError {
  return new ApiError('dataset_invalid', message, { param: 'dataset.prompts' });
}
