// What becomes of an answer: a row, or the reason why not.
import { ApiError, asContext } from '../../contract/index.js';
import { TaskRowError, type TaskRows } from '../../task/index.js';
import type { KnownAnswer } from './answer-log.js';
import { toRowLogprobs } from './logprobs.js';
import type { DistilSettings } from './options.js';
import type { Ask } from './questions.js';

/** Why an answer is left out. `misfit`: it does not fit the task. */
export type LeftOut = 'keep' | 'empty' | 'cut' | 'refused' | 'misfit';

export type Verdict = { readonly row: object } | { readonly leftOut: LeftOut };

export async function toVerdict(
  ask: Ask,
  given: KnownAnswer,
  { keep }: DistilSettings,
  task: TaskRows | undefined,
): Promise<Verdict> {
  const { answer, toolCalls = [], finishReason, refusal, logprobs } = given;
  if (refusal !== undefined || finishReason === 'content_filter') return { leftOut: 'refused' };
  if (isCut(given)) return { leftOut: 'cut' };
  if (!answer?.trim() && toolCalls.length === 0) return { leftOut: 'empty' };
  const chat = task ? await toTaskRow(ask, answer ?? '', task) : toRow(ask, given);
  if (!chat) return { leftOut: 'misfit' };
  const row = { ...chat, ...(logprobs && { logprobs: toRowLogprobs(logprobs) }) };
  return keep === undefined || (await callKeep(keep, ask, given)) ? { row } : { leftOut: 'keep' };
}

/** By the limit on its tokens, whichever word the server has for it. */
export function isCut({ finishReason }: Pick<KnownAnswer, 'finishReason'>): boolean {
  return finishReason === 'length' || finishReason === 'max_tokens';
}

function toRow({ question: { messages, tools } }: Ask, { answer, toolCalls }: KnownAnswer): object {
  const message = { role: 'assistant', content: answer, ...(toolCalls && { tool_calls: toolCalls }) };
  return { messages: [...asContext(messages), message], ...(tools !== undefined && { tools }) };
}

/** The chat that the task makes of its output; null if the answer does not fit it. */
async function toTaskRow({ question }: Ask, answer: string, task: TaskRows): Promise<object | null> {
  try {
    return await task.read({ ...(question.row as object), output: answer.trim() });
  } catch (error) {
    if (error instanceof TaskRowError) return null;
    throw error;
  }
}

async function callKeep(
  keep: NonNullable<DistilSettings['keep']>,
  { question: { row, at, messages }, sample }: Ask,
  { answer, toolCalls = [] }: KnownAnswer,
): Promise<boolean> {
  let kept: unknown;
  try {
    kept = await keep(answer ?? '', { row, messages, toolCalls, sample });
  } catch (cause) {
    const what = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    throw refuse(`\`keep\` threw ${what}`, at, cause);
  }
  if (typeof kept !== 'boolean') throw refuse(`\`keep\` returned ${JSON.stringify(kept)}`, at);
  return kept;
}

function refuse(what: string, at: string, cause?: unknown): ApiError {
  return new ApiError(
    'dataset_invalid',
    `${what} for the answer to ${at}. Return true for a row to train on, or false to leave it out.`,
    { param: 'dataset.keep', cause },
  );
}
